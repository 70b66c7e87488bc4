import type { WireObject } from '#lib/api/object.ts';
import { driftGoesUnseen } from '#lib/domain/drift.ts';

/** What a row says of an object: nothing where it is in order, its sentence where it is not; and that its drift is not measured. */
export function whatWords(object: Pick<WireObject, 'verdict' | 'sentence' | 'role' | 'drift'>): string {
  const { verdict, sentence } = object;
  const said = verdict === 'converged' ? '' : sentence;
  // Where nobody looks at all, that nobody compares is not worth a word; and some sentences say it themselves.
  const blind = verdict === 'unobserved' || verdict === 'stale' || verdict === 'suspended';
  if (!driftGoesUnseen(object) || blind || said.includes('measured')) return said;
  return said === '' ? 'Drift is not measured.' : `${said} Drift is not measured.`;
}
