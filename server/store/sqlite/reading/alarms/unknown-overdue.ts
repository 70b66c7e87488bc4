import { intersectionOf, lengthOf, type FlatStretches } from '#lib/domain/record/flat-stretches.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { day } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { overdueOf, visitAway } from '../../../record/absences.ts';
import type { AbsenceReader } from '../record/absence-reader.ts';
import type { PieceReader } from '../record/record-pieces.ts';
import type { ScopeIds } from '../record/record-scope.ts';

/** Readers of overdue time. */
interface OverdueReaders {
  readonly absences: Pick<AbsenceReader, 'within'>;
  readonly pieces: Pick<PieceReader, 'awayOf'>;
  /** Time (ms) that was overdue in a period: what is rolled up is not read anew. */
  readonly overdueIn: (scope: ScopeIds, period: Period, alarmWithin: number) => number;
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

/** Adds up how much of the overdue time of a scope (ms) lies in stretches, each cluster in its own. */
export function overdueWithin(readers: OverdueReaders, asked: OverdueAsked): number {
  const { scope, alarmWithin, stretches } = asked;
  const scopeOf = (clusters: readonly number[]): ScopeIds =>
    clusters.length === stretches.size ? scope : { ...scope, clusters };
  const days = daysOf(asked);
  let sum = 0;
  for (const { whole, from, to } of joined(days))
    if (whole.length > 0) sum += readers.overdueIn(scopeOf(whole), { from, to }, alarmWithin);
  for (const { part, from, to } of days) if (part.length > 0) sum += partOfDay(part, { from, to });
  return sum;

  /** Of a day all that is overdue is read at once, from the first stretch to the last. */
  function partOfDay(clusters: readonly number[], period: Period): number {
    const within = new Map(clusters.map((id) => [id, cut(stretches.get(id), period)]));
    const all = [...within.values()];
    const hull = {
      from: Math.min(...all.map((list) => list[0] ?? Infinity)),
      to: Math.max(...all.map((list) => list.at(-1) ?? -Infinity)),
    };
    const its = scopeOf(clusters);
    const absences = readers.absences.within(its, hull);
    const objects = new Map([...absences].flatMap(([id, [first]]) => (first === undefined ? [] : [[id, first]])));
    let overdue = 0;
    if (objects.size === 0) return 0;
    readers.pieces.awayOf(its, hull, objects, (object, cluster, _kind, from, to) => {
      const away = (_: null, start: number, age: number, length: number): void => {
        const end = start + length;
        const late = Float64Array.of(end - overdueOf(age, length, alarmWithin), end);
        overdue += lengthOf(intersectionOf(late, within.get(cluster) ?? new Float64Array(0)));
      };
      for (const absence of absences.get(object) ?? []) visitAway({ away }, null, absence, { from, to });
    });
    return overdue;
  }
}

function cut(stretches: FlatStretches | undefined, { from, to }: Period): FlatStretches {
  return intersectionOf(stretches ?? new Float64Array(0), Float64Array.of(from, to));
}

function daysOf({ period, stretches }: OverdueAsked): readonly DayParts[] {
  const days: DayParts[] = [];
  for (let from = period.from; from < period.to;) {
    const to = Math.min(period.to, dayOf(from) + day);
    const [whole, part]: [number[], number[]] = [[], []];
    for (const [cluster, list] of stretches) {
      const time = lengthOf(cut(list, { from, to }));
      if (time === to - from) whole.push(cluster);
      else if (time > 0) part.push(cluster);
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
