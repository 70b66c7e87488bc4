import { conflictLimit, conflictsInOrder, type FoundConflict } from '#lib/domain/observation/conflict.ts';
import { inTurn } from './in-turn.ts';

/**
 * The conflicts of a cluster that are listed, at most `conflictLimit`. Others have a part in at most half of them while there are as many of
 * its own, and of those each other cluster has its turn: one that claims whatever it has heard of hides none but its own. So have the namespaces of its
 * own: whoever has two appliers in one may have both apply as much as he likes.
 */
export function listedConflicts(cluster: string, found: readonly FoundConflict[]): readonly FoundConflict[] {
  if (found.length <= conflictLimit) return found;
  const own: FoundConflict[] = [];
  const shared: FoundConflict[] = [];
  for (const one of conflictsInOrder(found)) (othersIn(one, cluster) === '' ? own : shared).push(one);
  const ofOwn = inTurn(own, namespacesIn, Math.max(conflictLimit / 2, conflictLimit - shared.length));
  return [...ofOwn, ...inTurn(shared, (one) => othersIn(one, cluster), conflictLimit - ofOwn.length)];
}

/** The other clusters that have a part in a conflict, as one word; '' for none. */
function othersIn({ owners }: FoundConflict, cluster: string): string {
  const others = owners.flatMap(({ ref }) => (ref === null || ref.cluster === cluster ? [] : [ref.cluster]));
  return [...new Set(others)].join('/');
}

/** The namespaces of those who have a part in a conflict, as one word; that of the resource where none is an object. */
function namespacesIn({ owners, resource }: FoundConflict): string {
  const namespaces = owners.flatMap(({ ref }) => ref?.namespace ?? []);
  return namespaces.length === 0 ? resource.namespace : [...new Set(namespaces)].toSorted().join('/');
}
