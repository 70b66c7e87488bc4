import { z } from 'zod';
import { amounts, Certainties, countFigures, Figures, type ReportQuestion } from './figures.ts';
import { convergedDuring, correctionsOf, observableIn, sharesOf } from './own-count.ts';
import { incidentsOf, offendersOf, suspensionsIn } from './report-lists.ts';
import type { RowRef } from './rows.ts';
import { knownOf, type Between } from './stretches.ts';
import { Application, countApplications, countClusterWall, Wall } from './wall-clock.ts';
import { Amounts, Moment, MomentOrNull, WireRef } from './wire.ts';

const Cut = z.object({ from: Moment, to: Moment, recordedMs: z.number(), ofMs: z.number() });

/** A report, as far as it is counted again. */
export const ReportAnswer = z.object({
  period: Cut,
  recordedSince: MomentOrNull,
  figures: Figures,
  before: Cut.extend({ figures: Figures }).nullable(),
  days: z.array(z.object({ day: Moment, shares: Amounts, corrections: Certainties })),
  clusters: z.array(z.object({ cluster: z.string(), shares: Amounts, wall: Wall })).transform(byName),
  applications: z.array(Application),
  kinds: z.array(z.object({ group: z.string(), kind: z.string(), shares: Amounts })).transform(byName),
  distribution: z.array(z.object({ fromMs: z.number(), toMs: z.number().nullable(), count: z.number() })),
  incidents: z.array(
    z.object({
      ref: WireRef,
      openedAt: Moment,
      bound: z.string(),
      noticedAt: Moment,
      closedAt: MomentOrNull,
      ended: z.string().nullable(),
      lastedMs: z.number(),
      worst: z.string(),
      reason: z.string(),
      rootCause: z.object({ title: z.string() }).nullable(),
    }),
  ),
  offenders: z.array(
    z.object({ ref: WireRef, shares: Amounts, awayMs: z.number(), incidents: z.number(), corrections: z.number() }),
  ),
  suspensions: z.object({
    longest: z.array(
      z.object({ ref: WireRef, by: z.string().nullable(), from: Moment, to: MomentOrNull, observedMs: z.number() }),
    ),
    byWhom: z
      .array(z.object({ by: z.string().nullable(), observedMs: z.number(), count: z.number() }))
      .transform(byHand),
  }),
  notSeen: z.array(z.object({ cluster: z.string(), unobservedMs: z.number() })),
});
export type ReportAnswer = z.infer<typeof ReportAnswer>;

const day = 86_400_000;

function byName<Row extends object>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function byHand<Row extends { readonly by: string | null }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (String(a.by) < String(b.by) ? -1 : 1));
}

function daysOf({ rows, scope, period }: ReportQuestion): ReportAnswer['days'] {
  const objects = observableIn(rows, scope);
  const days: ReportAnswer['days'] = [];
  for (let start = Math.floor(period.from / day) * day; start < period.to; start += day) {
    const within = { from: Math.max(start, period.from), to: Math.min(start + day, period.to) };
    const shares = amounts(sharesOf(objects.flatMap((object) => knownOf(object, rows, within))));
    days.push({ day: start, shares, corrections: correctionsOf(rows, scope, within) });
  }
  return days;
}

/** Since when there is a record of the clusters that are asked about (ms); null where there is none. */
function since({ rows, scope }: ReportQuestion): number | null {
  const points = [...rows.coverage].flatMap(([cluster, own]) =>
    (scope.clusters?.includes(cluster) ?? true) ? own : [],
  );
  return points.length === 0 ? null : Math.min(...points.map(({ at }) => at));
}

function cutOf({ from, to }: Between, begun: number | null): z.infer<typeof Cut> {
  return { from, to, recordedMs: begun === null ? 0 : Math.max(0, to - Math.max(from, begun)), ofMs: to - from };
}

/** The month before a whole month of the calendar, else as much time directly before. All in UTC. */
function periodBefore({ from, to }: Between): Between {
  const date = new Date(from);
  const month = (offset: number): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
  return from === month(0) && to === month(1) ? { from: month(-1), to: from } : { from: from + from - to, to: from };
}

function beforeOf(question: ReportQuestion): ReportAnswer['before'] {
  const begun = since(question);
  const period = periodBefore(question.period);
  if (begun === null || begun >= period.to) return null;
  return { ...cutOf(period, begun), figures: countFigures({ ...question, period }) };
}

/** The whole report over a period, counted from the rows. */
export function countReport(question: ReportQuestion, buckets: ReportAnswer['distribution']): ReportAnswer {
  const { rows, scope, period } = question;
  const there = observableIn(rows, scope)
    .map((object) => ({ ref: object.ref, known: knownOf(object, rows, period) }))
    .filter(({ known }) => known.length > 0);
  const sharesBy = (key: (ref: RowRef) => string): readonly (readonly [string, Record<string, number>])[] =>
    [...Map.groupBy(there, ({ ref }) => key(ref))].map(([name, of]) => [
      name,
      amounts(sharesOf(of.flatMap(({ known }) => known))),
    ]);
  const clusters = sharesBy(({ cluster }) => cluster).map(([cluster, shares]) => ({
    ...{ cluster, shares },
    wall: countClusterWall(rows, scope, period, cluster),
  }));
  const took = convergedDuring(observableIn(rows, scope), period).map((one) => one.closedAt - one.openedAt);
  return {
    period: cutOf(period, since(question)),
    recordedSince: since(question),
    figures: countFigures(question),
    before: beforeOf(question),
    days: daysOf(question),
    clusters: byName(clusters),
    applications: [...countApplications(rows, scope, period)],
    kinds: byName(
      sharesBy(({ group, kind }) => `${group}/${kind}`).map(([name, shares]) => {
        const [group = '', kind = ''] = name.split('/');
        return { group, kind, shares };
      }),
    ),
    distribution: buckets.map(({ fromMs, toMs }) => ({
      fromMs,
      toMs,
      count: took.filter((each) => each >= fromMs && each < (toMs ?? Infinity)).length,
    })),
    incidents: incidentsOf(question),
    offenders: offendersOf(question),
    suspensions: suspensionsIn(question),
    notSeen: clusters
      .map(({ cluster, shares }) => ({ cluster, unobservedMs: shares['unobserved'] ?? 0 }))
      .filter(({ unobservedMs }) => unobservedMs > 0)
      .toSorted((a, b) => b.unobservedMs - a.unobservedMs)
      .slice(0, 5),
  };
}
