import { driftGoesUnseen } from '../domain/observation/drift.ts';
import type { Role } from '../domain/observation/observation.ts';
import type { AlarmState } from '../domain/alarm/link.ts';
import type { Drift, Verdict } from '../domain/verdict/verdict.ts';

/** The verdict as a word that begins a sentence or names a filter: "Diverged". */
export function verdictLabel(verdict: Verdict): string {
  return verdict.charAt(0).toUpperCase() + verdict.slice(1);
}

/** Meaning of each verdict, in one line. The rules: docs/design/verdicts.md. */
export const verdictMeaning: Record<Verdict, string> = {
  diverged: 'The reconciler cannot make it so.',
  drifted: 'A difference was found and is being left in place.',
  unhealthy: 'Applied, but the result does not work.',
  stale: 'The loop has stopped or is blind: its last word proves nothing.',
  unobserved: 'Plumbline cannot see it.',
  suspended: 'Switched off on purpose.',
  behind: 'Works, at an older artifact than its source offers.',
  waiting: 'Blocked by something else, which carries the fault.',
  progressing: 'Has never settled, and may still.',
  unconfirmed: 'Its last word is good, but nothing proves that this is still so.',
  converged: 'What is in git is what is running, confirmed within its bound.',
};

/** Clause after a verdict on who was called: "nobody is being called". '' where no alarm is due. */
export const alarmLabel: Record<AlarmState['state'], string> = {
  sounding: 'called',
  silent: 'nobody is being called',
  pending: 'alarm pending',
  unknown: 'alarm not known',
  'not-due': '',
};

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
