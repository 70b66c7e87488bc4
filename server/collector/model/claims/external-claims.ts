import { compareText } from '#lib/domain/observation/compare-text.ts';
import { parseRefKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { createClaimIndex } from './claim-index.ts';
import { inTurn } from './in-turn.ts';

/** Owners of one external resource: some of them, one of each cluster first, and how many there are in all. */
export interface ContestedExternal {
  readonly owners: readonly RefKey[];
  readonly total: number;
}

/**
 * Who manages which external resource, over all clusters that this process reads: one index for all of them. With several
 * collectors each knows its own clusters only.
 */
export type ExternalClaims = ReturnType<typeof createExternalClaims>;

/** So many owners are told; a fleet in which a thousand clusters claim one bucket must not make a list of them for each. */
const namedAtMost = 16;

/** So many contested resources of one cluster are told at most. */
const toldAtMost = 1_000;

function clusterOf(key: RefKey): string {
  return key.slice(0, key.indexOf('/'));
}

/** Who has a part in it, as one word: the clusters, and the namespaces where all are on one. */
function partiesOf({ owners }: ContestedExternal): string {
  const clusters = new Set(owners.map(clusterOf));
  if (clusters.size > 1) return [...clusters].toSorted(compareText).join('/');
  return [...new Set(owners.map((owner) => parseRefKey(owner)?.namespace ?? ''))].toSorted(compareText).join('/');
}

/** Starts with nothing claimed. */
export function createExternalClaims() {
  const ears = new Map<string, () => void>();
  /** Per cluster: what is contested there, and by how many objects of its own. */
  const on = new Map<string, Map<number, number>>();

  function count(thing: number, owner: RefKey, by: 1 | -1): void {
    const cluster = clusterOf(owner);
    const counts = on.get(cluster) ?? new Map<number, number>();
    const next = (counts.get(thing) ?? 0) + by;
    if (next === 0) counts.delete(thing);
    else counts.set(thing, next);
    if (counts.size === 0) on.delete(cluster);
    else on.set(cluster, counts);
  }

  const index = createClaimIndex(({ thing, by, type, owners }) => {
    switch (type) {
      case 'begins':
        for (const owner of owners) count(thing, owner, 1);
        break;
      case 'joins':
        count(thing, by, 1);
        break;
      case 'leaves':
        count(thing, by, -1);
        break;
      case 'ends':
        for (const owner of owners) count(thing, owner, -1);
        break;
    }
    ears.get(clusterOf(by))?.();
    // Where there are more than are told, one more is no news to the others.
    if (owners.size <= namedAtMost + 1)
      for (const cluster of new Set([...owners].map(clusterOf))) ears.get(cluster)?.();
  });

  return {
    claim: index.claim,
    release: index.release,
    /**
     * External resources that an object of this cluster and another object claim: at most 1,000, and how many there are. Clusters have their
     * turns in both, and namespaces of one cluster, so that none hides what is between others.
     */
    contestedOn(cluster: string): { readonly some: readonly ContestedExternal[]; readonly total: number } {
      const things = on.get(cluster);
      const all = [...(things?.keys() ?? [])].flatMap((thing) => {
        const owners = index.contested.get(thing);
        return owners ? { owners: inTurn(owners, clusterOf, namedAtMost), total: owners.size } : [];
      });
      return { some: inTurn(all, partiesOf, toldAtMost), total: things?.size ?? 0 };
    },
    /** Hears when what is contested on a cluster may have changed; gives the way to stop that. */
    listen(cluster: string, receive: () => void): () => void {
      ears.set(cluster, receive);
      return () => {
        if (ears.get(cluster) === receive) ears.delete(cluster);
      };
    },
  };
}
