import type { WireObject } from '#lib/api/object.ts';
import { lacksMeasure, unmeasuredText } from '#lib/format/drift-label.ts';

/** Words of a row on an object: nothing where it is in order, its sentence where it is not; and that its drift is not measured. */
export function whatText(object: Pick<WireObject, 'verdict' | 'sentence' | 'role' | 'drift'>): string {
  const said = object.verdict === 'converged' ? '' : object.sentence;
  if (!lacksMeasure(object, said)) return said;
  return said === '' ? unmeasuredText : `${said} ${unmeasuredText}`;
}
