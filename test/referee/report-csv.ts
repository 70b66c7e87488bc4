// The lines that the CSV file of a report has to have, written from a report that was counted again.
import type { Figures } from './figures.ts';
import type { ReportAnswer, SuspectAnswer } from './report-answer.ts';
import type { RowRef } from './rows.ts';

/** One line under the names of the file's columns. */
export type CsvLine = Readonly<Record<string, string>>;

/** Columns that name who is suspected of an incident: git is asked for it, which the rows know nothing of. */
const suspectColumns = ['suspect', 'suspectCommit', 'suspectSubject', 'suspectAuthor', 'pullRequest', 'owners'];

/** A line of the file in two: what is counted again, and what it says of suspects. */
export function parted(line: CsvLine): { readonly counted: CsvLine; readonly suspects: CsvLine } {
  const [suspects, counted] = [true, false].map((ofSuspects) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => suspectColumns.includes(name) === ofSuspects)),
  );
  return { counted: counted ?? {}, suspects: suspects ?? {} };
}

/** Columns of suspects that a line of one of these incidents has to have; in any other line all are empty. */
export function suspectsIn(
  { incidents }: SuspectAnswer,
  { section, incident }: { readonly section?: string; readonly incident?: string },
): CsvLine {
  const list = { 'worst incident': incidents.worst, 'longest incident': incidents.longest }[section ?? ''] ?? [];
  const suspect = list.find(({ id }) => id === incident)?.suspect ?? null;
  return Object.fromEntries(suspectColumns.map((name) => [name, name === 'suspect' ? (suspect?.type ?? '') : '']));
}

type Value = number | null;
type FigureRow = readonly [figure: string, unit: string, now: Value, before?: Value];

interface Place {
  readonly ref?: Partial<RowRef>;
  readonly at?: number | null;
  readonly to?: number | null;
  readonly note?: string | null;
  readonly incident?: string;
}

function textOf(value: Value | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

function timeText(at: number | null | undefined): string {
  return at === null || at === undefined ? '' : new Date(at).toISOString();
}

function lineOf(
  section: string,
  { ref = {}, at, to, note, incident = '' }: Place,
  [figure, unit, now, before]: FigureRow,
): CsvLine {
  const { cluster = '', group = '', kind = '', namespace = '', name = '' } = ref;
  return {
    section,
    cluster,
    group,
    kind,
    namespace,
    name,
    at: timeText(at),
    to: timeText(to),
    figure,
    value: textOf(now),
    unit,
    before: textOf(before),
    note: note ?? '',
    incident,
  };
}

function wallRows({ awayMs, observedMs }: { readonly awayMs: number; readonly observedMs: number }): FigureRow[] {
  return [
    ['time away', 'ms', observedMs === 0 ? null : awayMs],
    ['time observed', 'ms', observedMs],
  ];
}

function shareRows(shares: Readonly<Record<string, number>>): FigureRow[] {
  return Object.entries(shares).map(([state, time]) => [`object time ${state}`, 'object-ms', time]);
}

function alarmRows({ alarms }: Figures): readonly (readonly [figure: string, unit: string, value: Value])[] {
  const told = alarms.said === 'told' ? alarms : null;
  const [time, absences] = ['object time past the alarm deadline', 'absences past the alarm deadline'];
  return [
    [`${time}, somebody called`, 'object-ms', told?.calledMs ?? null],
    [`${time}, nobody called`, 'object-ms', told?.silentMs ?? null],
    [`${time}, not known if anybody was called`, 'object-ms', told?.unknownMs ?? null],
    [`${absences}, called in time`, 'count', told?.overdue.inTime ?? null],
    [`${absences}, called late`, 'count', told?.overdue.late ?? null],
    [`${absences}, never called`, 'count', told?.overdue.never ?? null],
    [`${absences}, not known if called`, 'count', told?.overdue.unknown ?? null],
    ['times to alarm', 'count', told?.toCall.count ?? null],
    ['time to alarm, median', 'ms', told?.toCall.medianMs ?? null],
    ['time to alarm, 95 of 100', 'ms', told?.toCall.p95Ms ?? null],
    ['times to alarm not known exactly', 'count', told?.toCallAtMost ?? null],
    ['calls', 'count', told?.calls ?? null],
    ['calls without an absence', 'count', told?.withoutAbsence ?? null],
    ['alerts that called', 'count', told?.alertsTotal ?? null],
  ];
}

/** Every figure of one period, by its name and unit. */
function summaryOf(
  figures: Figures,
): readonly (readonly [figure: string, unit: string, value: Value, atLeast?: boolean | undefined])[] {
  const { wall, incidents, absences, arrivals, corrections, changes } = figures;
  const { toNotice, toConverge } = incidents ?? {};
  return [
    ['incidents of 5 objects or more at once', 'count', incidents?.large ?? null],
    ['incidents opened', 'count', incidents?.opened ?? null],
    ['incidents open at the start', 'count', incidents?.openAtStart ?? null],
    ['incidents closed', 'count', incidents?.closed ?? null],
    ['incidents closed that were open at the start', 'count', incidents?.closedFromBefore ?? null],
    ['incidents ended otherwise', 'count', incidents?.gone ?? null],
    ['incidents open at the end', 'count', incidents?.open ?? null],
    ['members of incidents opened', 'count', incidents?.members ?? null],
    ['time to notice, median', 'ms', toNotice?.medianMs ?? null],
    ['time to notice, 95 of 100', 'ms', toNotice?.p95Ms ?? null],
    ['time to converge, median', 'ms', toConverge?.medianMs ?? null, toConverge?.medianAtLeast],
    ['time to converge, 95 of 100', 'ms', toConverge?.p95Ms ?? null, toConverge?.p95AtLeast],
    ['time to converge, longest', 'ms', toConverge?.longestMs ?? null, toConverge?.longestAtLeast],
    ['time away', 'ms', wall.observedMs === 0 ? null : wall.awayMs],
    ['time observed', 'ms', wall.observedMs],
    ['share of the period away', 'share', wall.awayShare],
    ['clusters observed', 'count', wall.clusters.observed],
    ['clusters never away', 'count', wall.clusters.neverAway],
    ['time away of the median cluster', 'ms', wall.clusters.medianAwayMs],
    ['share of object time converged', 'share', figures.convergedShare],
    ['share of object time observed', 'share', figures.observedShare],
    ['objects', 'count', figures.objects],
    ['declared stacks, never observed', 'count', figures.declared],
    ['object time existed', 'object-ms', figures.existedMs],
    ['object time observed', 'object-ms', figures.observedMs],
    ['object time converged', 'object-ms', figures.convergedMs],
    ['object time away', 'object-ms', figures.awayMs],
    ['object time suspended', 'object-ms', figures.suspendedMs],
    ['object time unconfirmed', 'object-ms', figures.unconfirmedMs],
    ['absences opened', 'count', absences.opened],
    ['absences open at the start', 'count', absences.openAtStart],
    ['absences converged', 'count', absences.closed],
    ['absences converged that were open at the start', 'count', absences.closedFromBefore],
    ['absences ended otherwise', 'count', absences.gone],
    ['absences open at the end', 'count', absences.open],
    ['object time past the alarm deadline', 'object-ms', figures.overdueMs],
    ...alarmRows(figures),
    ['commits arrived', 'count', arrivals.count + arrivals.unknown],
    ['commit to running, median', 'ms', arrivals.medianMs],
    ['commit to running, 95 of 100', 'ms', arrivals.p95Ms],
    ['corrections, confirmed, at least', 'count', corrections['confirmed'] ?? 0],
    ['corrections, probable, at least', 'count', corrections['probable'] ?? 0],
    ['corrections, contested, at least', 'count', corrections['contested'] ?? 0],
    ['exemptions opened', 'count', changes.exemptionsOpened],
    ['exemptions closed', 'count', changes.exemptionsClosed],
    ['times suspended', 'count', changes.suspended],
    ['times resumed', 'count', changes.resumed],
  ];
}

function isOfAlarms(figure: string): boolean {
  return /alarm deadline, |to alarm|^calls|^alerts/.test(figure);
}

function summaryLines({ figures, before }: ReportAnswer): readonly CsvLine[] {
  const earlier = before === null ? [] : summaryOf(before.figures);
  return summaryOf(figures).map(([figure, unit, now, atLeast], index) => {
    const [, , was = null, wasAtLeast] = earlier[index] ?? [];
    const open = [...(atLeast ? ['value'] : []), ...(wasAtLeast ? ['before'] : [])];
    const least = open.length === 0 ? '' : `${open.join(' and ')}: at least`;
    const note = isOfAlarms(figure) && figures.alarms.said !== 'told' ? figures.alarms.why : least;
    return lineOf('summary', { note }, [figure, unit, now, was]);
  });
}

/** Lines of days, clusters, applications, kinds, and how long it took to converge. */
function partLines({ days, clusters, applications, kinds, distribution }: ReportAnswer): readonly CsvLine[] {
  const lines = (section: string, place: Place, rows: readonly FigureRow[]): readonly CsvLine[] =>
    rows.map((row) => lineOf(section, place, row));
  return [
    ...days.flatMap(({ day, shares }) => lines('day', { at: day }, shareRows(shares))),
    ...clusters.flatMap(({ cluster, shares, wall }) =>
      lines('cluster', { ref: { cluster } }, [...wallRows(wall), ...shareRows(shares)]),
    ),
    ...applications.flatMap(({ wall, clusters: _clusters, ...ref }) => lines('application', { ref }, wallRows(wall))),
    ...kinds.flatMap(({ shares, ...ref }) => lines('kind', { ref }, shareRows(shares))),
    ...distribution.flatMap(({ fromMs, toMs, count }) => {
      const took = toMs === null ? `${fromMs} ms and more` : `${fromMs} to ${toMs} ms`;
      return lines('time to converge', {}, [[`incidents that took ${took}`, 'count', count]]);
    }),
  ];
}

function listLines({ figures, incidents, offenders, suspensions }: ReportAnswer): readonly CsvLine[] {
  return [
    ...incidents.worst.map(({ id, title, openedAt, closedAt, reason, objectTimeMs }) => {
      const place = { ref: { name: title }, at: openedAt, to: closedAt, note: reason, incident: id };
      return lineOf('worst incident', place, ['object time away by it', 'object-ms', objectTimeMs]);
    }),
    ...incidents.longest.map(({ id, title, openedAt, closedAt, bound, reason, lastedMs }) => {
      const place = { ref: { name: title }, at: openedAt, to: closedAt, note: reason, incident: id };
      const figure = closedAt === null || bound === 'at-least' ? 'incident lasted at least' : 'incident lasted';
      return lineOf('longest incident', place, [figure, 'ms', lastedMs]);
    }),
    ...(figures.alarms.said === 'told' ? figures.alarms.alerts : []).map(({ source, alert, calls, lastAt }) =>
      lineOf('alert', { ref: { name: alert }, at: lastAt, note: source }, ['calls of the alert', 'count', calls]),
    ),
    ...offenders.map(({ ref, awayMs }) => lineOf('most time away', { ref }, ['time away', 'ms', awayMs])),
    ...suspensions.longest.map(({ ref, from, to, by, observedMs }) =>
      lineOf('suspension', { ref, at: from, to, note: by }, ['time suspended', 'ms', observedMs]),
    ),
  ];
}

/** Every line of the file, in no order. The past of a simulated fleet says so. */
export function csvLinesOf(report: ReportAnswer, simulated: boolean): readonly CsvLine[] {
  const { from: at, to, recordedMs } = report.period;
  const place = { at, to, note: simulated ? 'simulated' : null };
  const recorded: FigureRow = ['time recorded', 'ms', recordedMs, report.before?.recordedMs ?? null];
  return [lineOf('period', place, recorded), ...summaryLines(report), ...partLines(report), ...listLines(report)];
}
