import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { daysInBlock } from './rollup-block.ts';
import { packWide, unpackWide, type Wide } from './pack/wide-numbers.ts';

/** Object-ms of a kind on a day (its place in the block), in the order of `verdicts`. */
export interface DaySums {
  readonly day: number;
  readonly kind: number;
  readonly sums: readonly number[];
}

/** Is told where in `numbers` sums begin, which are in the order of `verdicts`: those of a day (its place in the block) or of a kind. */
export type TotalsVisitor = (of: number, numbers: Wide, begin: number) => void;

/** The stored form: how many kinds, which, then the sums of each day and of each kind. */
export function packTotals(entries: readonly DaySums[]): Uint8Array {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const days = Array.from({ length: daysInBlock }, (_, index) => added(entries.filter(({ day }) => day === index)));
  const ofKinds = kinds.map((of) => added(entries.filter(({ kind }) => kind === of)));
  return packWide([kinds.length, ...kinds, ...days.flat(), ...ofKinds.flat()]);
}

/** Tells the totals in their stored form, as they lie there: of every day, and of the kinds that there were. */
export function eachTotal(bytes: Uint8Array, ofDay: TotalsVisitor, ofKind: TotalsVisitor): void {
  const numbers = unpackWide(bytes);
  const kinds = numbers[0] ?? 0;
  let begin = 1 + kinds;
  for (let day = 0; day < daysInBlock; day++, begin += verdicts.length) ofDay(day, numbers, begin);
  for (let kind = 1; kind <= kinds; kind++, begin += verdicts.length) ofKind(numbers[kind] ?? 0, numbers, begin);
}

function added(entries: readonly DaySums[]): readonly number[] {
  return verdicts.map((_, verdict) => entries.reduce((sum, { sums }) => sum + (sums[verdict] ?? 0), 0));
}
