import type { WireObject } from '#lib/api/object.ts';
import { lacksMeasure, unmeasuredWords } from '#lib/format/drift-word.ts';

/** What a row says of an object: nothing where it is in order, its sentence where it is not; and that its drift is not measured. */
export function whatWords(object: Pick<WireObject, 'verdict' | 'sentence' | 'role' | 'drift'>): string {
  const said = object.verdict === 'converged' ? '' : object.sentence;
  if (!lacksMeasure(object, said)) return said;
  return said === '' ? unmeasuredWords : `${said} ${unmeasuredWords}`;
}
