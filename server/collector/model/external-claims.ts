import { parseRefKey, type RefKey } from '#lib/domain/ref.ts';
import { createClaimIndex } from './claim-index.ts';

/**
 * Who manages which external resource, over all clusters that this process reads: one book for all of them. With several
 * collectors each knows its own clusters only.
 */
export interface ExternalClaims {
  claim(externalId: number, by: RefKey): void;
  release(externalId: number, by: RefKey): void;
  /** Owners of every external resource that an object of this cluster and another object claim. */
  contestedOn(cluster: string): readonly (readonly RefKey[])[];
  /** Hears when what is contested on a cluster may have changed; gives the way to stop that. */
  listen(cluster: string, hear: () => void): () => void;
}

function clusterOf(key: RefKey): string {
  return parseRefKey(key)?.cluster ?? '';
}

/** Starts with nothing claimed. */
export function createExternalClaims(): ExternalClaims {
  const ears = new Map<string, () => void>();
  const index = createClaimIndex((owners) => {
    for (const cluster of new Set(owners.map(clusterOf))) ears.get(cluster)?.();
  });
  return {
    claim: index.claim,
    release: index.release,
    contestedOn: (cluster) =>
      [...index.contested.values()].filter((owners) => owners.some((owner) => clusterOf(owner) === cluster)),
    listen(cluster, hear) {
      ears.set(cluster, hear);
      return () => {
        if (ears.get(cluster) === hear) ears.delete(cluster);
      };
    },
  };
}
