import { z } from 'zod';
import {
  awayOf,
  convergedDuring,
  correctionsOf,
  incidentsDuring,
  isDuring,
  isIn,
  objectsIn,
  openedDuring,
  overdueOf,
  sharesOf,
  spreadOf,
  suspensionsOf,
  total,
  type OwnShares,
  type Scope,
} from './own-count.ts';
import type { IncidentRow, ObjectRows, RecordRows, RowRef } from './rows.ts';
import { knownOf, type Between, type Known } from './stretches.ts';
import { Amounts, Moment, MomentOrNull, WireRef } from './wire.ts';

const Spread = z.object({ count: z.number(), medianMs: z.number().nullable(), p95Ms: z.number().nullable() });
const Certainties = z.record(z.string(), z.number());

const Figures = z.object({
  objects: z.number(),
  shares: Amounts,
  existedMs: z.number(),
  observedMs: z.number(),
  convergedMs: z.number(),
  awayMs: z.number(),
  suspendedMs: z.number(),
  unconfirmedMs: z.number(),
  convergedShare: z.number().nullable(),
  observedShare: z.number().nullable(),
  incidents: z.object({
    opened: z.number(),
    closed: z.number(),
    open: z.number(),
    toNotice: Spread,
    toConverge: Spread,
    toConvergeAtLeast: z.number(),
  }),
  overdueMs: z.number(),
  arrivals: Spread.extend({ unknown: z.number() }),
  corrections: Certainties,
  changes: z.object({
    exemptionsOpened: z.number(),
    exemptionsClosed: z.number(),
    suspended: z.number(),
    resumed: z.number(),
  }),
});
type Figures = z.infer<typeof Figures>;

/** A report, as far as it is counted again. */
export const ReportAnswer = z.object({
  figures: Figures,
  days: z.array(z.object({ day: Moment, shares: Amounts, corrections: Certainties })),
  clusters: z.array(z.object({ cluster: z.string(), shares: Amounts })).transform(byName),
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

/** What is asked: times and durations in ms. */
export interface ReportQuestion {
  readonly rows: RecordRows;
  readonly scope: Scope;
  readonly period: Between;
  readonly alarmWithin: number;
}

const day = 86_400_000;
const listed = 10;
/** Worst first. */
const worstFirst = ['diverged', 'drifted', 'unhealthy', 'stale', 'behind', 'waiting', 'progressing'];

function byName<Row extends object>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function byHand<Row extends { readonly by: string | null }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (String(a.by) < String(b.by) ? -1 : 1));
}

function amounts(shares: OwnShares): Record<string, number> {
  return Object.fromEntries([...shares].filter(([, time]) => time !== 0));
}

function allOf(objects: readonly ObjectRows[], rows: RecordRows, period: Between): readonly Known[] {
  return objects.flatMap((object) => knownOf(object, rows, period));
}

function figuresOf({ rows, scope, period, alarmWithin }: ReportQuestion): Figures {
  const objects = objectsIn(rows, scope);
  const shares = sharesOf(allOf(objects, rows, period));
  const existed = total(shares);
  const observed = existed - (shares.get('unobserved') ?? 0);
  const of = (state: string): number => shares.get(state) ?? 0;
  const [opened, closed] = [openedDuring(objects, period), convergedDuring(objects, period)];
  const noted = rows.changes.filter(({ ref, at }) => ref !== null && isIn(scope, ref) && isDuring(at, period));
  const many = (type: string): number => noted.filter((change) => change.type === type).length;
  return {
    objects: objects.filter((object) => knownOf(object, rows, period).length > 0).length,
    shares: amounts(shares),
    existedMs: existed,
    observedMs: observed,
    convergedMs: of('converged'),
    awayMs: awayOf(shares),
    suspendedMs: of('suspended'),
    unconfirmedMs: of('unconfirmed'),
    convergedShare: observed === 0 ? null : of('converged') / observed,
    observedShare: existed === 0 ? null : observed / existed,
    incidents: {
      opened: opened.length,
      closed: closed.length,
      open: incidentsDuring(objects, { from: period.to - 1, to: period.to }).filter(
        ({ closedAt }) => closedAt >= period.to,
      ).length,
      toNotice: spreadOf(opened.filter(({ bound }) => bound === 'exact').map((one) => one.noticedAt - one.openedAt)),
      toConverge: spreadOf(closed.map((one) => one.closedAt - one.openedAt)),
      toConvergeAtLeast: closed.filter(({ bound }) => bound === 'at-least').length,
    },
    overdueMs: overdueOf(objects, rows, period, alarmWithin),
    arrivals: arrivalsOf(rows, scope, period),
    corrections: correctionsOf(rows, scope, period),
    changes: {
      exemptionsOpened: many('exemption-added'),
      exemptionsClosed: many('exemption-removed'),
      suspended: many('suspended'),
      resumed: many('resumed'),
    },
  };
}

function arrivalsOf({ arrivals }: RecordRows, { clusters }: Scope, period: Between): Figures['arrivals'] {
  const arrived = arrivals.filter(
    ({ cluster, lastAt }) => (clusters?.includes(cluster) ?? true) && lastAt !== null && isDuring(lastAt, period),
  );
  const took = arrived.flatMap(({ offeredAt, lastAt }) =>
    offeredAt === null || lastAt === null ? [] : lastAt - offeredAt,
  );
  return { ...spreadOf(took), unknown: arrived.length - took.length };
}

function daysOf({ rows, scope, period }: ReportQuestion): ReportAnswer['days'] {
  const objects = objectsIn(rows, scope);
  const days: ReportAnswer['days'] = [];
  for (let start = Math.floor(period.from / day) * day; start < period.to; start += day) {
    const within = { from: Math.max(start, period.from), to: Math.min(start + day, period.to) };
    const shares = amounts(sharesOf(allOf(objects, rows, within)));
    days.push({ day: start, shares, corrections: correctionsOf(rows, scope, within) });
  }
  return days;
}

function lastedIn(one: IncidentRow, { to }: Between): number {
  return Math.min(one.closedAt, to) - one.openedAt;
}

function worstOf(object: ObjectRows, one: IncidentRow, { to }: Between): string {
  const end = Math.min(one.closedAt, to);
  const words = object.spans
    .filter((span) => span.uid === one.uid && span.from < end && span.to > one.noticedAt)
    .map(({ verdict }) => verdict);
  return worstFirst.find((word) => words.includes(word)) ?? one.worst;
}

/** The longest times away, as they stood at the end of the period. */
function incidentsOf({ rows, scope, period }: ReportQuestion): ReportAnswer['incidents'] {
  return objectsIn(rows, scope)
    .flatMap((object) => incidentsDuring([object], period).map((one) => ({ object, one })))
    .toSorted((a, b) => lengthIn(b.one, period) - lengthIn(a.one, period) || b.one.id - a.one.id)
    .slice(0, listed)
    .map(({ object, one }) => {
      const over = one.closedAt < period.to;
      const { openedAt, bound, noticedAt, closedAt, ended } = one;
      const end = { closedAt: over ? closedAt : null, ended: over ? ended : null };
      const worst = worstOf(object, one, period);
      return { ref: object.ref, openedAt, bound, noticedAt, ...end, lastedMs: lastedIn(one, period), worst };
    });
}

/** How much of the period it takes (ms). */
function lengthIn(one: IncidentRow, { from, to }: Between): number {
  return Math.min(one.closedAt, to) - Math.max(one.openedAt, from);
}

function offendersOf({ rows, scope, period }: ReportQuestion): ReportAnswer['offenders'] {
  return objectsIn(rows, scope)
    .map((object) => ({ object, shares: sharesOf(knownOf(object, rows, period)) }))
    .filter(({ shares }) => awayOf(shares) > 0)
    .toSorted((a, b) => awayOf(b.shares) - awayOf(a.shares))
    .slice(0, listed)
    .map(({ object, shares }) => {
      const { cluster, group, kind, namespace, name } = object.ref;
      const own = { clusters: [cluster], kind: { group, kind }, namespace, name };
      const undone = Object.values(correctionsOf(rows, own, period)).reduce((sum, each) => sum + each, 0);
      const incidents = incidentsDuring([object], period).length;
      return { ref: object.ref, shares: amounts(shares), awayMs: awayOf(shares), incidents, corrections: undone };
    });
}

function suspensionsIn({ rows, scope, period }: ReportQuestion): ReportAnswer['suspensions'] {
  const all = suspensionsOf(objectsIn(rows, scope), rows, period).toSorted((a, b) => b.observedMs - a.observedMs);
  const hands = [...Map.groupBy(all, ({ by }) => by)].map(([by, of]) => ({
    by,
    observedMs: of.reduce((sum, each) => sum + each.observedMs, 0),
    count: of.length,
  }));
  return { longest: all.slice(0, listed), byWhom: byHand(hands) };
}

/** The whole report over a period, counted from the rows. */
export function countReport(question: ReportQuestion, buckets: ReportAnswer['distribution']): ReportAnswer {
  const { rows, scope, period } = question;
  const there = objectsIn(rows, scope)
    .map((object) => ({ ref: object.ref, known: knownOf(object, rows, period) }))
    .filter(({ known }) => known.length > 0);
  const sharesBy = (key: (ref: RowRef) => string): readonly (readonly [string, Record<string, number>])[] =>
    [...Map.groupBy(there, ({ ref }) => key(ref))].map(([name, of]) => [
      name,
      amounts(sharesOf(of.flatMap(({ known }) => known))),
    ]);
  const clusters = sharesBy(({ cluster }) => cluster).map(([cluster, shares]) => ({ cluster, shares }));
  const took = convergedDuring(objectsIn(rows, scope), period).map((one) => one.closedAt - one.openedAt);
  return {
    figures: figuresOf(question),
    days: daysOf(question),
    clusters: byName(clusters),
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
