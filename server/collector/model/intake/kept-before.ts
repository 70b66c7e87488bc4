import { kindKey, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { StoredClusterState, StoredResume } from '#server/store/port/port.ts';

/**
 * Where the watch of each kind may go on after a restart. Not of kinds of which something is kept that is, or has, a part, and was kept before the uids of
 * owners were read: they are listed anew, once, or each composite would miss its parts until these are written.
 */
export function resumableOf({ objects, resume }: StoredClusterState): readonly StoredResume[] {
  if (resume.length === 0) return resume;
  const claims = new Set<RefKey>();
  const parts = new Set<RefKey>();
  for (const { object, detail } of objects) {
    const { role, children } = detail.observation;
    // A claim owns nothing.
    if (role === 'claim') claims.add(refKey(object.ref));
    else for (const child of children) parts.add(refKey(child));
  }
  const old = new Set<string>();
  for (const { object, detail } of objects) {
    const { ownerUid, parent } = detail.observation;
    if (ownerUid !== undefined) continue;
    const isOwned = parent !== null && !claims.has(refKey(parent));
    if (isOwned || (parts.size > 0 && parts.has(refKey(object.ref)))) old.add(kindKey(object.ref));
  }
  return old.size === 0 ? resume : resume.filter((point) => !old.has(kindKey(point)));
}
