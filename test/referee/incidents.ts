// Incidents counted again: how each stood at a moment by its members and its steps, and what a period comes to.
import { z } from 'zod';
import { isDuring, isIn, spreadOf, type Scope } from './own-count.ts';
import type { IncidentRow, RecordRows } from './rows.ts';
import type { Between } from './stretches.ts';
import { Moment, MomentOrNull } from './wire.ts';

const Spread = z.object({ count: z.number(), medianMs: z.number().nullable(), p95Ms: z.number().nullable() });

export const IncidentFigures = z.object({
  opened: z.number(),
  openAtStart: z.number(),
  closed: z.number(),
  closedFromBefore: z.number(),
  gone: z.number(),
  open: z.number(),
  large: z.number(),
  members: z.number(),
  toNotice: Spread,
  toConverge: Spread.extend({
    medianAtLeast: z.boolean(),
    p95AtLeast: z.boolean(),
    longestMs: z.number().nullable(),
    longestAtLeast: z.boolean(),
  }),
  toConvergeAtLeast: z.number(),
});
export type IncidentFigures = z.infer<typeof IncidentFigures>;

/** An incident of a report. Its title is taken as it was told. */
export const ToldIncident = z.object({
  id: z.string(),
  title: z.string(),
  openedAt: Moment,
  bound: z.string(),
  noticedAt: Moment,
  closedAt: MomentOrNull,
  ended: z.string().nullable(),
  lastedMs: z.number(),
  worst: z.string(),
  reason: z.string(),
  most: z.object({ objects: z.number(), clusters: z.number() }),
  members: z.number(),
  returns: z.number(),
  objectTimeMs: z.number(),
});
export type ToldIncident = z.infer<typeof ToldIncident>;

/** An incident as it was known before a moment. Times in ms; Infinity while it lasts. */
type Standing = Omit<ToldIncident, 'title' | 'closedAt' | 'lastedMs' | 'objectTimeMs'> & {
  readonly row: IncidentRow;
  readonly closedAt: number;
};

/** Known before `end`, not part of another then, and with a member in the scope. */
function standingBefore({ incidents }: RecordRows, scope: Scope, end: number): readonly Standing[] {
  return incidents.flatMap((row): readonly Standing[] => {
    const last = row.steps.findLast(({ at }) => at < end);
    if (last === undefined || last.mergedInto !== null) return [];
    const members = row.members.filter(({ joinedAt }) => joinedAt < end);
    if (!members.some(({ ref, cluster }) => (ref === null ? isWhole(scope, cluster) : isIn(scope, ref)))) return [];
    const over = members.every(({ to }) => to < end);
    const closedAt = over ? Math.max(...members.map(({ to }) => to)) : Infinity;
    const { bound, noticedAt, worst, reason, returns, mostObjects, mostClusters } = last;
    const openedAt = Math.min(...members.map(({ from }) => from));
    const most = { objects: mostObjects, clusters: mostClusters };
    const told = { id: row.publicId, bound, noticedAt, worst, reason, returns, most, members: members.length };
    return [{ ...told, row, openedAt, closedAt, ended: over ? last.ended : null }];
  });
}

/** A lost cluster is in no scope of one kind. */
function isWhole({ clusters, kind }: Scope, cluster: string): boolean {
  return !kind && (clusters?.includes(cluster) ?? true);
}

/** The figures of a period. */
export function countIncidents(rows: RecordRows, scope: Scope, period: Between): IncidentFigures {
  const all = standingBefore(rows, scope, period.to);
  const opened = all.filter(({ noticedAt }) => isDuring(noticedAt, period));
  const before = all.filter(({ noticedAt, closedAt }) => noticedAt < period.from && closedAt >= period.from);
  const over = [...opened, ...before].filter(({ closedAt }) => isDuring(closedAt, period));
  const closed = over.filter(({ ended }) => ended === 'converged' || ended === 'seen');
  return {
    opened: opened.length,
    openAtStart: before.length,
    closed: closed.length,
    closedFromBefore: closed.filter((one) => before.includes(one)).length,
    gone: over.length - closed.length,
    open: [...opened, ...before].filter(({ closedAt }) => closedAt >= period.to).length,
    large: [...opened, ...before].filter(({ most }) => most.objects >= 5).length,
    members: opened.reduce((sum, { members }) => sum + members, 0),
    toNotice: spreadOf(opened.filter(({ bound }) => bound === 'exact').map((one) => one.noticedAt - one.openedAt)),
    toConverge: convergeTimes(closed),
    toConvergeAtLeast: closed.filter(({ bound }) => bound === 'at-least').length,
  };
}

/** Times to converge, and whether they hold however much longer those lasted that began before Plumbline looked. */
function convergeTimes(closed: readonly Standing[]): IncidentFigures['toConverge'] {
  const length = ({ openedAt, closedAt }: Standing): number => closedAt - openedAt;
  const longest = (lengths: readonly number[]): number | null => (lengths.length === 0 ? null : Math.max(...lengths));
  const known = closed.map(length);
  const longer = closed.map((one) => (one.bound === 'at-least' ? Infinity : length(one)));
  const [spread, most] = [spreadOf(known), spreadOf(longer)];
  return {
    ...spread,
    medianAtLeast: most.medianMs !== spread.medianMs,
    p95AtLeast: most.p95Ms !== spread.p95Ms,
    longestMs: longest(known),
    longestAtLeast: longest(longer) !== longest(known),
  };
}

/** Times that those took that converged in a period (ms). */
export function convergedIn(rows: RecordRows, scope: Scope, period: Between): readonly number[] {
  return standingBefore(rows, scope, period.to)
    .filter(({ closedAt, ended }) => isDuring(closedAt, period) && (ended === 'converged' || ended === 'seen'))
    .map(({ openedAt, closedAt }) => closedAt - openedAt);
}

/** Object time of an incident up to a moment (object-ms): of its own steps, and of what became one with it by then. */
function objectTimeUpTo(all: readonly IncidentRow[], { id, steps }: IncidentRow, end: number): number {
  const own = steps.map(({ at, objects }, index) => {
    const until = Math.min(end, steps[index + 1]?.at ?? end);
    return objects * Math.max(0, until - at);
  });
  const others = all.flatMap((other) => {
    const gone = other.steps.find(({ mergedInto, at }) => mergedInto === id && at <= end);
    return gone === undefined ? [] : objectTimeUpTo(all, other, gone.at);
  });
  return [...own, ...others].reduce((sum, time) => sum + time, 0);
}

/** The first incidents of a period: by the time that they take of it, and by their object time in it. */
export function listedIncidents(
  rows: RecordRows,
  scope: Scope,
  period: Between,
  titles: ReadonlyMap<string, string>,
): { longest: ToldIncident[]; worst: ToldIncident[] } {
  const { from, to } = period;
  const there = standingBefore(rows, scope, to)
    .filter(({ noticedAt, closedAt }) => noticedAt < to && closedAt > from && closedAt > noticedAt)
    .map((one) => ({
      one,
      within: Math.min(one.closedAt, to) - Math.max(one.openedAt, from),
      objectTimeMs: objectTimeUpTo(rows.incidents, one.row, to) - objectTimeUpTo(rows.incidents, one.row, from),
    }));
  type There = (typeof there)[number];
  const first = (rank: (there: There) => number, limit: number): ToldIncident[] =>
    there
      .toSorted((a, b) => rank(b) - rank(a) || b.one.row.id - a.one.row.id)
      .slice(0, limit)
      .map(({ one: { row: _row, closedAt, ...told }, objectTimeMs }) => ({
        ...told,
        title: titles.get(told.id) ?? 'not told',
        closedAt: closedAt < to ? closedAt : null,
        lastedMs: Math.min(closedAt, to) - told.openedAt,
        objectTimeMs,
      }));
  return { longest: first(({ within }) => within, 10), worst: first(({ objectTimeMs }) => objectTimeMs, 5) };
}
