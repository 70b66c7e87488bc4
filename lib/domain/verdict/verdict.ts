/** Verdicts, worst first. See docs/design/verdicts.md. */
export const verdicts = [
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'unobserved',
  'suspended',
  'behind',
  'waiting',
  'progressing',
  'unconfirmed',
  'converged',
] as const;

/** The judgement on one object. */
export type Verdict = (typeof verdicts)[number];

const rank = new Map<Verdict, number>(verdicts.map((verdict, index) => [verdict, index]));

/** Position of a verdict, 0 = worst. */
export function verdictRank(verdict: Verdict): number {
  return rank.get(verdict) ?? 0;
}

/** The worse of two verdicts. */
export function worse(a: Verdict, b: Verdict): Verdict {
  return verdictRank(a) <= verdictRank(b) ? a : b;
}

/** Drift as a thing of its own, beside the verdict. */
export type Drift = 'none' | 'found' | 'corrected' | 'contested' | 'not-measured';

/** Proof that the loop still turns: the object's own passes, its controller's lease or deployment, or nothing. */
export type Confirmation = 'pass' | 'controller' | 'none';
