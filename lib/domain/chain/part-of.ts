import type { Observation } from '../observation/observation.ts';
import { sameRef } from '../observation/ref.ts';

/**
 * True if both a whole and its part say that they belong together, so that neither is only named by whoever wrote the other. A composite owns its
 * part by uid, which nobody knows who may not read either, and which no successor of the same name has (Kubernetes takes away what is owned by a uid that is
 * not there). A claim owns nothing: it names its composite, and that names it.
 */
export function isPartOf(part: Observation, whole: Observation): boolean {
  if (whole.role !== 'claim') return part.ownerUid !== undefined && part.ownerUid === whole.uid;
  return sameRef(part.parent, whole.ref) && whole.children.some((child) => sameRef(child, part.ref));
}
