import type { CurrentObject } from '../record/current.ts';
import { verdictRank, type Verdict } from './verdict.ts';

type Counts = Readonly<Partial<Record<Verdict, number>>>;

/** The kind of everything that is only declared; no API server knows it. */
export const declaredKind = { group: 'declared', kind: 'Stack' } as const;

/** True if an object is only declared in plumbline.yaml: it can never be observed, which is no news of it. */
export function isOnlyDeclared({ role }: Pick<CurrentObject, 'role'>): boolean {
  return role === 'declared';
}

/** Rank of an object in a list, the worst first: what is only declared comes after all that deviates. */
export function objectRank(object: Pick<CurrentObject, 'role' | 'verdict'>): number {
  return isOnlyDeclared(object) ? verdictRank('converged') - 0.5 : verdictRank(object.verdict);
}

/** Counts by verdict without the unobserved that are only declared: what ranks, titles and marks anything is made from these. */
export function countsObserved(counts: Counts, declared: number): Counts {
  return declared === 0 ? counts : { ...counts, unobserved: (counts.unobserved ?? 0) - declared };
}
