import { createHash } from 'node:crypto';
import { intersectionOf, lengthOf, reachingInto, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { overdueOf, visitAway } from '../../../record/absences.ts';
import type { AbsenceReader } from '../record/absence-reader.ts';
import type { PieceReader } from '../record/record-pieces.ts';
import { keptSums, type KeptSums } from '../record/kept/kept-sums.ts';
import type { RollupReader } from '../record/record-rollups.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import type { Steps } from '../steps/steps.ts';

/** Readers of overdue time. */
export interface OverdueReaders {
  readonly rollups: RollupReader;
  readonly absences: Pick<AbsenceReader, 'within'>;
  readonly pieces: Pick<PieceReader, 'awayOf'>;
  /** Time (ms) that was overdue in a period: what is rolled up is not read anew. */
  readonly overdueIn: (scope: ScopeIds, period: Period, alarmWithin: number) => Steps<number>;
}

/** Question about overdue time in stretches that differ by cluster. */
interface OverdueAsked {
  readonly scope: ScopeIds;
  readonly period: Period;
  readonly alarmWithin: number;
  /** By the id of each cluster of the scope. */
  readonly stretches: ReadonlyMap<number, FlatStretches>;
}

/** A day, or a part of one, with its clusters of which all of it is in the stretches, and those of which a part is. */
interface DayParts extends Period {
  readonly whole: readonly number[];
  readonly part: readonly number[];
}

/** Stretches that are no farther from each other are read at once: each reading looks at a day before, too. */
const near = hour;

/** Parts of days of which it is kept how much was overdue in them. */
const keptBytes = 2 ** 20;

/** Adds up how much of the overdue time of a scope (ms) lies in stretches, each cluster in its own. Parts of days that are rolled up are kept. */
export function openUnknownOverdue(scopes: Scopes, readers: OverdueReaders) {
  const kept = keptSums<number>(scopes, { of: 'days', bytes: keptBytes, bytesOf: () => 8 });
  return (asked: OverdueAsked): Steps<number> => overdueWithin(readers, kept, asked);
}

function* overdueWithin(readers: OverdueReaders, kept: KeptSums<number>, asked: OverdueAsked): Steps<number> {
  const { scope, alarmWithin, stretches } = asked;
  const scopeOf = (clusters: readonly number[]): ScopeIds =>
    clusters.length === stretches.size ? scope : { ...scope, clusters };
  const days = daysOf(asked);
  let sum = 0;
  for (const { whole, from, to } of joined(days))
    if (whole.length > 0) sum += yield* readers.overdueIn(scopeOf(whole), { from, to }, alarmWithin);
  for (const { part, from, to } of days) if (part.length > 0) sum += yield* partOfDay(part, { from, to });
  return sum;

  /** Of clusters that have the same stretches in a day all that is overdue is read at once, from the first stretch to the last. */
  function* partOfDay(clusters: readonly number[], period: Period): Steps<number> {
    const within = cutEach(clusters, stretches, period);
    let found = 0;
    for (const ids of Map.groupBy(clusters, (id) => within.get(id)?.join() ?? '').values())
      found += yield* ofAlike(ids, within.get(ids[0] ?? 0) ?? new Float64Array(0));
    return found;
  }

  function* ofAlike(clusters: readonly number[], list: FlatStretches): Steps<number> {
    const its = scopeOf(clusters);
    let overdue = 0;
    for (const some of nearEachOther(list)) {
      const hull = { from: some[0] ?? 0, to: some.at(-1) ?? 0 };
      const read = (): number => overdueIn(its, hull, some);
      overdue += readers.rollups.isRolled(its, hull)
        ? kept.recall(hull, keyOf(JSON.stringify([its, alarmWithin, some.join()])), read)
        : read();
      yield;
    }
    return overdue;
  }

  function overdueIn(its: ScopeIds, hull: Period, list: FlatStretches): number {
    const absences = readers.absences.within(its, hull);
    const objects = new Map([...absences].flatMap(([id, [first]]) => (first === undefined ? [] : [[id, first]])));
    let overdue = 0;
    if (objects.size === 0) return 0;
    readers.pieces.awayOf(its, hull, objects, (object, _cluster, _kind, from, to) => {
      const away = (_: null, start: number, age: number, length: number): void => {
        const end = start + length;
        const late = Float64Array.of(end - overdueOf(age, length, alarmWithin), end);
        overdue += lengthOf(intersectionOf(late, list));
      };
      for (const absence of absences.get(object) ?? []) visitAway({ away }, null, absence, { from, to });
    });
    return overdue;
  }
}

/** Stretches in lists of those that are read at once: what lies between them is read for nothing. */
function nearEachOther(list: FlatStretches): readonly FlatStretches[] {
  const found: FlatStretches[] = [];
  let first = 0;
  for (let place = 2; place <= list.length; place += 2) {
    if (place < list.length && (list[place] ?? 0) - (list[place - 1] ?? 0) <= near) continue;
    found.push(list.subarray(first, place));
    first = place;
  }
  return found;
}

/** A short key: a question of a thousand clusters is long. */
function keyOf(asked: string): string {
  return createHash('sha256').update(asked).digest('base64url');
}

/** The stretches of clusters, cut to a period; the same list where they have the same. */
function cutEach(
  clusters: readonly number[],
  stretches: ReadonlyMap<number, FlatStretches>,
  { from, to }: Period,
): ReadonlyMap<number, FlatStretches> {
  const time = Float64Array.of(from, to);
  const known = new Map<FlatStretches | undefined, FlatStretches>();
  return new Map(
    clusters.map((id) => {
      const list = stretches.get(id);
      const found = known.get(list) ?? intersectionOf(reachingInto(list ?? new Float64Array(0), from, to), time);
      known.set(list, found);
      return [id, found];
    }),
  );
}

function daysOf({ period, stretches }: OverdueAsked): readonly DayParts[] {
  // Most clusters have the same stretches: they are looked at once.
  const alike = Map.groupBy(stretches.keys(), (cluster) => stretches.get(cluster) ?? new Float64Array(0));
  const days: DayParts[] = [];
  for (let from = period.from; from < period.to;) {
    const to = Math.min(period.to, dayOf(from) + day);
    const [whole, part]: [number[], number[]] = [[], []];
    for (const [list, clusters] of alike) {
      const time = lengthOf(intersectionOf(reachingInto(list, from, to), Float64Array.of(from, to)));
      if (time === to - from) whole.push(...clusters);
      else if (time > 0) part.push(...clusters);
    }
    days.push({ from, to, whole, part });
    from = to;
  }
  return days;
}

/** Days that follow each other and have the same whole clusters are one. */
function joined(days: readonly DayParts[]): readonly DayParts[] {
  const found: DayParts[] = [];
  for (const one of days) {
    const last = found.at(-1);
    if (last !== undefined && last.whole.join() === one.whole.join()) found[found.length - 1] = { ...last, to: one.to };
    else found.push(one);
  }
  return found;
}
