import type { WireFigures, WireReport } from '#lib/api/report.ts';
import { verdicts } from '#lib/domain/verdict.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { csvLine } from '../wire/csv.ts';

const head = [
  'section',
  'cluster',
  'group',
  'kind',
  'namespace',
  'name',
  'at',
  'to',
  'figure',
  'value',
  'unit',
  'before',
  'note',
] as const;

interface Row {
  readonly section: string;
  readonly ref?: Partial<ObjectRef>;
  readonly at?: string | null;
  readonly to?: string | null;
  readonly figure: string;
  readonly value: number | null;
  readonly unit: 'share' | 'ms' | 'object-ms' | 'count';
  readonly before?: number | null;
  readonly note?: string | null;
}

function line({ section, ref = {}, at, to, figure, value, unit, before, note }: Row): string {
  const { cluster = '', group = '', kind = '', namespace = '', name = '' } = ref;
  return csvLine([
    section,
    cluster,
    group,
    kind,
    namespace,
    name,
    at ?? null,
    to ?? null,
    figure,
    value,
    unit,
    before ?? null,
    note ?? null,
  ]);
}

/**
 * A report as CSV, one figure a line, so that a spreadsheet can filter and pivot it: what it is of (section, object, time), the figure,
 * its value and unit, that of the period before, and a note. An empty value cannot be said.
 */
export function* reportCsv(report: WireReport): Generator<string> {
  yield csvLine(head);
  const { figures, before, days, clusters, kinds, incidents, offenders, suspensions, distribution } = report;
  yield line({
    section: 'period',
    at: report.period.from,
    to: report.period.to,
    figure: 'recorded',
    value: report.period.recordedMs,
    unit: 'ms',
    before: before?.recordedMs ?? null,
    note: report.simulated ? 'simulated' : null,
  });
  yield summaryOf(figures)
    .map(([figure, unit, read]) =>
      line({
        section: 'summary',
        figure,
        unit,
        value: read(figures),
        before: before === null ? null : read(before.figures),
      }),
    )
    .join('');
  yield days
    .flatMap(({ day, shares }) => amounts({ section: 'day', at: day }, shares))
    .concat(clusters.flatMap(({ cluster, shares }) => amounts({ section: 'cluster', ref: { cluster } }, shares)))
    .concat(kinds.flatMap(({ group, kind, shares }) => amounts({ section: 'kind', ref: { group, kind } }, shares)))
    .join('');
  yield distribution
    .map(({ fromMs, toMs, count }) =>
      line({
        section: 'time to converge',
        figure: toMs === null ? `${fromMs} ms and more` : `${fromMs} to ${toMs} ms`,
        value: count,
        unit: 'count',
      }),
    )
    .join('');
  yield incidents
    .map(({ ref, openedAt, closedAt, lastedMs, reason, bound, rootCause }) =>
      line({
        section: 'incident',
        ref,
        at: openedAt,
        to: closedAt,
        figure: closedAt === null || bound === 'at-least' ? 'lasted at least' : 'lasted',
        value: lastedMs,
        unit: 'ms',
        note: rootCause === null ? reason : rootCause.title,
      }),
    )
    .join('');
  yield offenders
    .map(({ ref, awayMs }) =>
      line({ section: 'most time away', ref, figure: 'away', value: awayMs, unit: 'object-ms' }),
    )
    .join('');
  yield suspensions.longest
    .map(({ ref, from, to, by, observedMs }) =>
      line({
        section: 'suspension',
        ref,
        at: from,
        to,
        figure: 'suspended',
        value: observedMs,
        unit: 'object-ms',
        note: by,
      }),
    )
    .join('');
}

type Summary = readonly [figure: string, unit: Row['unit'], read: (figures: WireFigures) => number | null];

function summaryOf({ silent }: WireFigures): readonly Summary[] {
  return [
    ['converged', 'share', (f) => f.convergedShare],
    ['observed', 'share', (f) => f.observedShare],
    ['objects', 'count', (f) => f.objects],
    ['existed', 'object-ms', (f) => f.existedMs],
    ['observed', 'object-ms', (f) => f.observedMs],
    ['converged', 'object-ms', (f) => f.convergedMs],
    ['away', 'object-ms', (f) => f.awayMs],
    ['suspended', 'object-ms', (f) => f.suspendedMs],
    ['unconfirmed', 'object-ms', (f) => f.unconfirmedMs],
    ['incidents opened', 'count', (f) => f.incidents.opened],
    ['incidents closed', 'count', (f) => f.incidents.closed],
    ['incidents open at the end', 'count', (f) => f.incidents.open],
    ['time to notice, median', 'ms', (f) => f.incidents.toNotice.medianMs],
    ['time to notice, 95 of 100', 'ms', (f) => f.incidents.toNotice.p95Ms],
    ['time to converge, median', 'ms', (f) => f.incidents.toConverge.medianMs],
    ['time to converge, 95 of 100', 'ms', (f) => f.incidents.toConverge.p95Ms],
    ['away past the alarm deadline', 'object-ms', (f) => f.overdueMs],
    [`of it silent: ${silent.why}`, 'object-ms', () => null],
    ['commits arrived', 'count', (f) => f.arrivals.count + f.arrivals.unknown],
    ['commit to running, median', 'ms', (f) => f.arrivals.medianMs],
    ['commit to running, 95 of 100', 'ms', (f) => f.arrivals.p95Ms],
    ['corrections, confirmed, at least', 'count', (f) => f.corrections.confirmed],
    ['corrections, probable, at least', 'count', (f) => f.corrections.probable],
    ['corrections, contested, at least', 'count', (f) => f.corrections.contested],
    ['exemptions opened', 'count', (f) => f.changes.exemptionsOpened],
    ['exemptions closed', 'count', (f) => f.changes.exemptionsClosed],
    ['suspended', 'count', (f) => f.changes.suspended],
    ['resumed', 'count', (f) => f.changes.resumed],
  ];
}

function amounts(of: Pick<Row, 'section' | 'ref' | 'at'>, shares: WireFigures['shares']): readonly string[] {
  return verdicts
    .filter((verdict) => shares[verdict] > 0)
    .map((verdict) => line({ ...of, figure: verdict, value: shares[verdict], unit: 'object-ms' }));
}
