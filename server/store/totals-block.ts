import { verdicts } from '#lib/domain/verdict.ts';
import { daysInBlock } from './rollup-block.ts';
import { packWide, unpackWide, type Wide } from './wide-numbers.ts';

/** Object-ms of a kind on a day (its place in the block), in the order of `verdicts`. */
export interface DaySums {
  readonly day: number;
  readonly kind: number;
  readonly sums: readonly number[];
}

/** What a whole block comes to; each of the sums is in the order of `verdicts`. */
export interface Totals {
  /** By the place of a day. */
  readonly days: readonly Wide[];
  /** The ids of kinds, and the sums of each. */
  readonly kinds: Wide;
  readonly ofKinds: readonly Wide[];
}

/** The stored form: how many kinds, which, then the sums of each day and of each kind. */
export function packTotals(entries: readonly DaySums[]): Uint8Array {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const days = Array.from({ length: daysInBlock }, (_, place) => added(entries.filter(({ day }) => day === place)));
  const ofKinds = kinds.map((of) => added(entries.filter(({ kind }) => kind === of)));
  return packWide([kinds.length, ...kinds, ...days.flat(), ...ofKinds.flat()]);
}

/** The totals in their stored form. */
export function readTotals(bytes: Uint8Array): Totals {
  const numbers = unpackWide(bytes);
  const kinds = numbers.subarray(1, 1 + (numbers[0] ?? 0));
  let place = 1 + kinds.length;
  const next = (): Wide => numbers.subarray(place, (place += verdicts.length));
  const days = Array.from({ length: daysInBlock }, next);
  return { days, kinds, ofKinds: Array.from(kinds, next) };
}

function added(entries: readonly DaySums[]): readonly number[] {
  return verdicts.map((_, verdict) => entries.reduce((sum, { sums }) => sum + (sums[verdict] ?? 0), 0));
}
