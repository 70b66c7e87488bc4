import type { WireFigures, WireReport, WireReportIncident } from '#lib/api/report.ts';
import { largeFrom } from '#lib/domain/incident/cause-figures.ts';
import { notKnownWords } from '#lib/report/clauses/arrival-clauses.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { suspectColumns } from '../suspects/named-suspect.ts';
import { alarmSummary, alertLines, ruleLines, unlookedLines } from './alarm-lines.ts';
import type { Row, Summary } from './report-row.ts';
import { csvHeader, csvPieces, mapColumns, type CsvColumns } from '../wire/lists/csv.ts';

const columns: CsvColumns<Row> = {
  section: ({ section }) => section,
  cluster: ({ ref }) => ref?.cluster ?? '',
  group: ({ ref }) => ref?.group ?? '',
  kind: ({ ref }) => ref?.kind ?? '',
  namespace: ({ ref }) => ref?.namespace ?? '',
  name: ({ ref }) => ref?.name ?? '',
  at: ({ at }) => at ?? null,
  to: ({ to }) => to ?? null,
  figure: ({ figure }) => figure,
  value: ({ value }) => value,
  unit: ({ unit }) => unit,
  before: ({ before }) => before ?? null,
  note: ({ note }) => note ?? null,
  incident: ({ incident }) => incident ?? '',
  ...mapColumns(suspectColumns, ({ suspect }: Row) => ({ suspect: suspect ?? null })),
};

/**
 * A report as CSV, one figure a line, so that a spreadsheet can filter and pivot it: what it is of (section, object, time), the figure,
 * its value and unit, that of the period before, and a note. An empty value cannot be said.
 * A name has one unit, and no name stands twice of the same. What is in `ms` is time on the clock, `object-ms` is time of many objects.
 */
export function* reportCsv(report: WireReport): Generator<string> {
  yield csvHeader(columns);
  for (const part of parts) yield* csvPieces(columns, part(report));
}

/** In the order of the file. */
const parts: readonly ((report: WireReport) => readonly Row[])[] = [
  periodLines,
  summaryLines,
  amountLines,
  distributionLines,
  incidentLines,
  alertLines,
  unlookedLines,
  ruleLines,
  offenderLines,
  suspensionLines,
];

function periodLines({ period, before, simulated }: WireReport): readonly Row[] {
  return [
    {
      section: 'period',
      at: period.from,
      to: period.to,
      figure: 'time recorded',
      value: period.recordedMs,
      unit: 'ms',
      before: before?.recordedMs ?? null,
      note: simulated ? 'simulated' : null,
    },
  ];
}

function summaryLines({ figures, before }: WireReport): readonly Row[] {
  return summary.map(([figure, unit, read, atLeast, unsaid]) => ({
    section: 'summary',
    figure,
    unit,
    value: read(figures),
    before: before === null ? null : read(before.figures),
    note: unsaid?.(figures) ?? atLeastNote(atLeast?.(figures), before !== null && atLeast?.(before.figures)),
  }));
}

function amountLines({ days, clusters, applications, kinds }: WireReport): readonly Row[] {
  return [
    ...days.flatMap(({ day, shares }) => amounts({ section: 'day', at: day }, shares)),
    ...clusters.flatMap(({ cluster, shares, wall }) => [
      ...walls({ section: 'cluster', ref: { cluster } }, wall),
      ...amounts({ section: 'cluster', ref: { cluster } }, shares),
    ]),
    ...applications.flatMap(({ group, kind, name, wall }) =>
      walls({ section: 'application', ref: { group, kind, name } }, wall),
    ),
    ...kinds.flatMap(({ group, kind, shares }) => amounts({ section: 'kind', ref: { group, kind } }, shares)),
  ];
}

function distributionLines({ distribution }: WireReport): readonly Row[] {
  return distribution.map(({ fromMs, toMs, count }) => ({
    section: 'time to converge',
    figure: `incidents that took ${toMs === null ? `${fromMs} ms and more` : `${fromMs} to ${toMs} ms`}`,
    value: count,
    unit: 'count',
  }));
}

function incidentLines({ incidents }: WireReport): readonly Row[] {
  const place = (section: string, { id, title, openedAt, closedAt, reason, suspect }: WireReportIncident) => {
    return { section, ref: { name: title }, at: openedAt, to: closedAt, note: reason, incident: id, suspect };
  };
  return [
    ...incidents.worst.map((incident): Row => {
      const { objectTimeMs: value } = incident;
      return { ...place('worst incident', incident), figure: 'object time away by it', value, unit: 'object-ms' };
    }),
    ...incidents.longest.map((incident): Row => {
      const { closedAt, bound, lastedMs: value } = incident;
      const figure = closedAt === null || bound === 'at-least' ? 'incident lasted at least' : 'incident lasted';
      return { ...place('longest incident', incident), figure, value, unit: 'ms' };
    }),
  ];
}

function offenderLines({ offenders }: WireReport): readonly Row[] {
  return offenders.map(({ ref, awayMs }) => {
    return { section: 'most time away', ref, figure: 'time away', value: awayMs, unit: 'ms' };
  });
}

function suspensionLines({ suspensions }: WireReport): readonly Row[] {
  return suspensions.longest.map(({ ref, from, to, by, observedMs }) => {
    return {
      section: 'suspension',
      ref,
      at: from,
      to,
      figure: 'time suspended',
      value: observedMs,
      unit: 'ms',
      note: by,
    };
  });
}

/** "value: at least", "value and before: at least": which of the two may be higher; '' for neither. */
function atLeastNote(value = false, before = false): string {
  const which = [...(value ? ['value'] : []), ...(before ? ['before'] : [])].join(' and ');
  return which === '' ? '' : `${which}: at least`;
}

function toConverge(
  name: string,
  which: 'medianMs' | 'p95Ms' | 'longestMs',
  atLeast: 'medianAtLeast' | 'p95AtLeast' | 'longestAtLeast',
): Summary {
  return [
    `time to converge, ${name}`,
    'ms',
    ({ incidents }) => incidents?.toConverge[which] ?? null,
    ({ incidents }) => incidents?.toConverge[atLeast] ?? false,
  ];
}

/** A figure of commits that arrived: its note says of which clusters it is not known. */
function arrived(
  figure: string,
  unit: Row['unit'],
  read: (arrivals: WireFigures['arrivals']) => number | null,
): Summary {
  return [figure, unit, (figures) => read(figures.arrivals), undefined, (figures) => notKnownWords(figures.arrivals)];
}

/** Time on the wall clock. */
function walls(
  of: Pick<Row, 'section' | 'ref'>,
  { awayMs, observedMs }: WireReport['clusters'][number]['wall'],
): readonly Row[] {
  const away = observedMs === 0 ? null : awayMs;
  return [
    { ...of, figure: 'time away', value: away, unit: 'ms' },
    { ...of, figure: 'time observed', value: observedMs, unit: 'ms' },
  ];
}

function amounts(of: Pick<Row, 'section' | 'ref' | 'at'>, shares: WireFigures['shares']): readonly Row[] {
  return verdicts
    .filter((verdict) => shares[verdict] > 0)
    .map((verdict) => ({ ...of, figure: `object time ${verdict}`, value: shares[verdict], unit: 'object-ms' }));
}

const summary: readonly Summary[] = [
  [`incidents of ${largeFrom} objects or more at once`, 'count', ({ incidents: all }) => all?.large ?? null],
  ['incidents opened', 'count', ({ incidents: all }) => all?.opened ?? null],
  ['incidents open at the start', 'count', ({ incidents: all }) => all?.openAtStart ?? null],
  ['incidents closed', 'count', ({ incidents: all }) => all?.closed ?? null],
  ['incidents closed that were open at the start', 'count', ({ incidents: all }) => all?.closedFromBefore ?? null],
  ['incidents ended otherwise', 'count', ({ incidents: all }) => all?.gone ?? null],
  ['incidents open at the end', 'count', ({ incidents: all }) => all?.open ?? null],
  ['members of incidents opened', 'count', ({ incidents: all }) => all?.members ?? null],
  ['time to notice, median', 'ms', ({ incidents: all }) => all?.toNotice.medianMs ?? null],
  ['time to notice, 95 of 100', 'ms', ({ incidents: all }) => all?.toNotice.p95Ms ?? null],
  toConverge('median', 'medianMs', 'medianAtLeast'),
  toConverge('95 of 100', 'p95Ms', 'p95AtLeast'),
  toConverge('longest', 'longestMs', 'longestAtLeast'),
  ['time away', 'ms', ({ wall }) => (wall.observedMs === 0 ? null : wall.awayMs)],
  ['time observed', 'ms', ({ wall }) => wall.observedMs],
  ['share of the period away', 'share', ({ wall }) => wall.awayShare],
  ['clusters observed', 'count', ({ wall }) => wall.clusters.observed],
  ['clusters never away', 'count', ({ wall }) => wall.clusters.neverAway],
  ['time away of the median cluster', 'ms', ({ wall }) => wall.clusters.medianAwayMs],
  ['share of object time converged', 'share', (f) => f.convergedShare],
  ['share of object time observed', 'share', (f) => f.observedShare],
  ['objects', 'count', (f) => f.objects],
  ['declared stacks, never observed', 'count', (f) => f.declared],
  ['object time existed', 'object-ms', (f) => f.existedMs],
  ['object time observed', 'object-ms', (f) => f.observedMs],
  ['object time converged', 'object-ms', (f) => f.convergedMs],
  ['object time away', 'object-ms', (f) => f.awayMs],
  ['object time suspended', 'object-ms', (f) => f.suspendedMs],
  ['object time unconfirmed', 'object-ms', (f) => f.unconfirmedMs],
  ['absences opened', 'count', (f) => f.absences.opened],
  ['absences open at the start', 'count', (f) => f.absences.openAtStart],
  ['absences converged', 'count', (f) => f.absences.closed],
  ['absences converged that were open at the start', 'count', (f) => f.absences.closedFromBefore],
  ['absences ended otherwise', 'count', (f) => f.absences.gone],
  ['absences open at the end', 'count', (f) => f.absences.open],
  ['object time past the alarm deadline', 'object-ms', (f) => f.overdueMs],
  ...alarmSummary,
  arrived('commits arrived', 'count', ({ count, unknown }) => (count === null ? null : count + (unknown ?? 0))),
  arrived('commit to running, median', 'ms', ({ medianMs }) => medianMs),
  arrived('commit to running, 95 of 100', 'ms', ({ p95Ms }) => p95Ms),
  ['corrections, confirmed, at least', 'count', (f) => f.corrections.confirmed],
  ['corrections, probable, at least', 'count', (f) => f.corrections.probable],
  ['corrections, contested, at least', 'count', (f) => f.corrections.contested],
  ['exemptions opened', 'count', (f) => f.changes.exemptionsOpened],
  ['exemptions closed', 'count', (f) => f.changes.exemptionsClosed],
  ['times suspended', 'count', (f) => f.changes.suspended],
  ['times resumed', 'count', (f) => f.changes.resumed],
];
