import type { Shares } from '../domain/record/figures.ts';
import { verdicts } from '../domain/verdict/verdict.ts';

/** Object-milliseconds of a period by what they mean to the sentence. */
export interface Amounts {
  /** Time for which objects were there, seen or not. */
  readonly existed: number;
  /** All of that but what was not being observed. */
  readonly observed: number;
  readonly converged: number;
  /** Neither converged, suspended nor unconfirmed, and observed. */
  readonly away: number;
  readonly suspended: number;
  readonly unconfirmed: number;
}

/** Sums up object-milliseconds by verdict. */
export function amountsOf(shares: Shares): Amounts {
  const existed = verdicts.reduce((sum, verdict) => sum + shares[verdict], 0);
  const observed = existed - shares.unobserved;
  const { converged, suspended, unconfirmed } = shares;
  return { existed, observed, converged, suspended, unconfirmed, away: observed - converged - suspended - unconfirmed };
}

/** A part of a whole from 0 to 1; null where there is no whole: a share of nothing is neither 0 nor 1. */
export function partOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
