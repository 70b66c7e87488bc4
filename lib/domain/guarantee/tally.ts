import { guarantees, type Guarantee } from './guarantee.ts';
import { verdictRank, verdicts, type Verdict } from '../verdict/verdict.ts';

/** Number of objects of each verdict and each guarantee. Every number of a summary is a sum of these cells. */
export type Tally = readonly number[];

/** Cells of a tally: the objects of these verdicts whose guarantee is one of these. */
export interface Cells {
  readonly verdicts: readonly Verdict[];
  readonly guarantees: readonly Guarantee[];
}

/** All objects. */
export const everything: Cells = { verdicts, guarantees };

const width = guarantees.length;

/** A tally of nothing, to be counted into with `countInto`. */
export function emptyTally(): number[] {
  return Array.from({ length: verdicts.length * width }, () => 0);
}

/** Counts one object. */
export function countInto(tally: number[], verdict: Verdict, guarantee: Guarantee): void {
  const at = verdictRank(verdict) * width + guarantees.indexOf(guarantee);
  tally[at] = (tally[at] ?? 0) + 1;
}

/** Adds a tally to another. */
export function addInto(sum: number[], tally: Tally): void {
  for (const [at, n] of tally.entries()) sum[at] = (sum[at] ?? 0) + n;
}

/** The objects in some cells. */
export function countOfCells(tally: Tally, cells: Cells): number {
  let sum = 0;
  for (const verdict of cells.verdicts)
    for (const guarantee of cells.guarantees)
      sum += tally[verdictRank(verdict) * width + guarantees.indexOf(guarantee)] ?? 0;
  return sum;
}

/** The objects of each verdict, of some guarantees or of all; verdicts that there are none of are left out. */
export function verdictCounts(tally: Tally, among: readonly Guarantee[] = guarantees): ReadonlyMap<Verdict, number> {
  return new Map(
    verdicts.flatMap((verdict) => {
      const n = countOfCells(tally, { verdicts: [verdict], guarantees: among });
      return n === 0 ? [] : [[verdict, n] as const];
    }),
  );
}

/** The objects of each guarantee. */
export function guaranteeCounts(tally: Tally): Readonly<Record<Guarantee, number>> {
  const of = (guarantee: Guarantee): number => countOfCells(tally, { verdicts, guarantees: [guarantee] });
  return {
    holds: of('holds'),
    broken: of('broken'),
    off: of('off'),
    unknown: of('unknown'),
    planned: of('planned'),
    declared: of('declared'),
  };
}

/** Cells as a list of objects is filtered by; a part that narrows nothing of this tally is left out. */
export function cellsFilter(tally: Tally, cells: Cells): { readonly verdict?: string; readonly guarantee?: string } {
  const n = countOfCells(tally, cells);
  const byVerdict = countOfCells(tally, { verdicts: cells.verdicts, guarantees }) === n;
  const byGuarantee = countOfCells(tally, { verdicts, guarantees: cells.guarantees }) === n;
  if (byVerdict) return cells.verdicts.length === verdicts.length ? {} : { verdict: cells.verdicts.join(',') };
  if (byGuarantee) return { guarantee: cells.guarantees.join(',') };
  return { verdict: cells.verdicts.join(','), guarantee: cells.guarantees.join(',') };
}
