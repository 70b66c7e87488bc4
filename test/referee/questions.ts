import type { Scope } from './own-count.ts';
import type { RecordRows } from './rows.ts';
import type { Between } from './stretches.ts';

/** A period and a scope, in numbers and as a query of the API names them. */
export interface Question {
  readonly name: string;
  readonly period: Between;
  readonly scope: Scope;
  readonly query: Readonly<Record<string, string>>;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Numbers from 0 to 1, the same for the same seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<T>(list: readonly T[], roll: number): T {
  const found = list[Math.floor(roll * list.length)];
  if (found === undefined) throw new Error('there is nothing to pick from');
  return found;
}

export function timeText(at: number): string {
  return new Date(at).toISOString();
}

/** A moment in which something happens in the record, or the millisecond before or after it. */
function edgeOf({ objects, coverage }: RecordRows, roll: () => number): number {
  const gaps = [...coverage.values()].flat();
  const absences = objects.flatMap((object) => object.absences);
  const one = pick(absences, roll());
  const edges = [pick(gaps, roll()).at, one.openedAt, one.noticedAt, Math.min(one.closedAt, one.noticedAt + day)];
  return pick(edges, roll()) + Math.floor(roll() * 3) - 1;
}

function scopeOf(rows: RecordRows, roll: () => number): Pick<Question, 'scope' | 'query'> {
  const clusters = [...new Set(rows.objects.map(({ ref }) => ref.cluster))];
  const some = clusters.filter(() => roll() < 0.5);
  const named = some.length === 0 || roll() < 0.3 ? null : some;
  const { group, kind } = pick(rows.objects, roll()).ref;
  const ofKind = roll() < 0.4 ? { group, kind } : null;
  return {
    scope: { clusters: named, kind: ofKind },
    query: {
      ...(named === null ? {} : { cluster: named.join(',') }),
      ...(ofKind === null ? {} : { group: ofKind.group === '' ? '-' : ofKind.group, kind: ofKind.kind }),
    },
  };
}

/**
 * Questions at random over a record from `from` to `to`: of any length, whole months, on borders of days and off them, cut at the very moments in
 * which absences and gaps begin and end.
 */
export function questionsOf(
  rows: RecordRows,
  { from, to }: Between,
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Question[] {
  const roll = dice(seed);
  const somewhere = (): number => {
    const at = roll() < 0.6 ? edgeOf(rows, roll) : from + Math.floor(roll() * (to - from));
    const cut = roll() < 0.25 ? at - (at % day) : at;
    return Math.min(Math.max(cut, from - 5 * day), to);
  };
  const month = (at: number, offset: number): number => {
    const date = new Date(at);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);
  };
  return Array.from({ length: count }, () => {
    const [a, b] = [somewhere(), somewhere()];
    const any = { from: Math.min(a, b), to: Math.max(a, b, Math.min(a, b) + 1) };
    const whole = { from: month(a, 0), to: month(a, 1) };
    const period = roll() < 0.1 && whole.to <= to ? whole : any;
    const { scope, query } = scopeOf(rows, roll);
    const times = { from: timeText(period.from), to: timeText(period.to) };
    const name = `${times.from} to ${times.to} of ${JSON.stringify(query)}`;
    return { name, period, scope, query: { ...query, ...times } };
  });
}

/** Moments at random, half of them at the edges of something. */
export function momentsOf(rows: RecordRows, { from, to }: Between, seed: number, count: number): readonly number[] {
  const roll = dice(seed);
  return Array.from({ length: count }, () => {
    const at = roll() < 0.5 ? edgeOf(rows, roll) : from + Math.floor(roll() * (to - from));
    return Math.min(Math.max(at, from), to - 1);
  });
}
