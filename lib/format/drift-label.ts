import { driftGoesUnseen } from '../domain/observation/drift.ts';
import type { Role } from '../domain/observation/observation.ts';
import type { Drift, Verdict } from '../domain/verdict/verdict.ts';

/** Note added wherever a verdict is shown that nobody compares with git. */
export const unmeasuredText = 'Drift is not measured.';

/**
 * True if `unmeasuredText` must follow what is `said` of an object. Where nobody looks at all (stale, unobserved, suspended)
 * that nobody compares is not worth a word, and some sentences say it themselves.
 */
export function lacksMeasure(
  object: { readonly verdict: Verdict; readonly role: Role; readonly drift: Drift },
  said: string,
): boolean {
  const blind = object.verdict === 'unobserved' || object.verdict === 'stale' || object.verdict === 'suspended';
  return driftGoesUnseen(object) && !blind && !said.includes('measured');
}
