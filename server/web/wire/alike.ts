import type { CurrentObject } from '#lib/domain/current.ts';
import { commitOf } from '#lib/domain/revision.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';

const failing: ReadonlySet<CurrentObject['verdict']> = new Set([
  'diverged',
  'drifted',
  'unhealthy',
  'stale',
  'behind',
  'waiting',
]);

/** The commit that an applier tried itself; what is merely delivered with a commit does not fail because of it. */
function tried(object: CurrentObject): string | null {
  return commitOf(object.revision.attempted, object.source?.kind ?? null);
}

/**
 * Objects elsewhere in the fleet that fail alike: those that failed at the same commit of the same repository first, then those
 * of the same kind with the same reason. [] for an object that does not fail itself.
 */
export function alikeOf(object: CurrentObject, fleet: readonly KnownCluster[]): readonly CurrentObject[] {
  if (!failing.has(object.verdict)) return [];
  const commit = tried(object);
  const sameCommit: CurrentObject[] = [];
  const sameReason: CurrentObject[] = [];
  for (const cluster of fleet) {
    for (const other of cluster.deviating) {
      if (other === object || !failing.has(other.verdict)) continue;
      if (
        commit !== null &&
        other.repository === object.repository &&
        tried(other) === commit &&
        other.verdict === object.verdict
      )
        sameCommit.push(other);
      else if (object.reason !== '' && other.reason === object.reason && other.ref.kind === object.ref.kind)
        sameReason.push(other);
    }
  }
  return [...sameCommit, ...sameReason];
}
