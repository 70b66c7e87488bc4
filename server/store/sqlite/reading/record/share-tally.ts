import { noShares } from '#lib/domain/record/segments.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import type { Wide } from '../../../codec/pack/wide-numbers.ts';
import type { RecordReader, Shares } from '../../../port/record-port.ts';

/** Object-ms in the order of `verdicts`. */
export type Sums = Float64Array;
/** By what shares are asked for. */
export type By = Parameters<RecordReader['shares']>[2];

/** Object-ms of one period by verdict, by all that is asked for: days by their beginnings, clusters and kinds by their ids. */
export type Tally = { readonly [B in By]: Map<number, Sums> };

/** Begins with nothing. */
export function emptyTally(): Tally {
  return { total: new Map(), day: new Map(), cluster: new Map(), kind: new Map() };
}

/** The sums of one thing, made where there are none. */
export function sumsOf(sums: Map<number, Sums>, of: number): Sums {
  const known = sums.get(of);
  if (known !== undefined) return known;
  const made = new Float64Array(verdicts.length);
  sums.set(of, made);
  return made;
}

/** Adds a row of sums that begins at a position of `numbers`. */
export function addTo(sums: Sums, numbers: Wide, begin: number): void {
  for (let verdict = 0; verdict < verdicts.length; verdict++)
    sums[verdict] = (sums[verdict] ?? 0) + (numbers[begin + verdict] ?? 0);
}

/** True if such a row is not all zero. */
export function isAnything(numbers: Wide, begin: number): boolean {
  for (let verdict = 0; verdict < verdicts.length; verdict++) if ((numbers[begin + verdict] ?? 0) > 0) return true;
  return false;
}

/** Sums by the words of verdicts. */
export function sharesIn(sums: Sums): Shares {
  const shares = { ...noShares };
  for (const [position, verdict] of verdicts.entries()) shares[verdict] = sums[position] ?? 0;
  return shares;
}

/** Adds what another tally has. */
export function addTally(tally: Tally, other: Tally): void {
  for (const by of kindsOfTally) for (const [key, sums] of other[by]) addTo(sumsOf(tally[by], key), sums, 0);
}

const kindsOfTally = ['total', 'day', 'cluster', 'kind'] as const satisfies readonly By[];

/** Memory that the sums of one thing take, and what leads to them. */
const sumsBytes = 8 * verdicts.length + 200;

/** Memory that a tally takes. */
export function bytesOfTally(tally: Tally): number {
  return kindsOfTally.reduce((bytes, by) => bytes + tally[by].size * sumsBytes, 0);
}
