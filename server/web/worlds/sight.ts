import { createHash, randomBytes } from 'node:crypto';
import { holdsNamespace, type Granted, type ViewScope } from '#lib/domain/access/scope.ts';
import { grantedWithin, withinOf, type Within } from '#lib/domain/access/within.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { boundedMemo } from '#server/runtime/bounded-map.ts';
import type { ClusterCache, FleetCache } from '../cache/fleet-cache.ts';

/** The part of the fleet that may be seen while its labels are as they are. */
export interface Sight {
  /** The same in names, as the record is asked. */
  readonly within: Within;
  granted(cluster: string): Granted;
  sees(ref: ObjectRef): boolean;
}

/** The sight of the present: another one as soon as labels have changed what is in it. */
export type SightNow = () => Sight;

/** Most clusters whose part is remembered. */
const remembered = 10_000;

/** Makes it. */
export function sightOf(within: Within): Sight {
  const granted = boundedMemo(remembered, (cluster: string) => grantedWithin(within, cluster));
  return {
    within,
    granted,
    sees: ({ cluster, namespace }) => holdsNamespace(granted(cluster), namespace),
  };
}

/** The sight of a scope over the fleet as it is labelled now. */
export function sightOver(scope: Extract<ViewScope, { type: 'grants' }>, fleetCache: FleetCache): SightNow {
  let last: { readonly revisions: string; readonly text: string; readonly sight: Sight } | null = null;

  function named(): Within {
    const present = (): Iterable<ClusterCache> => fleetCache.clusterCaches();
    return (
      withinOf(scope, () => Array.from(present(), ({ name, record }) => ({ name, labels: record?.labels ?? {} }))) ?? []
    );
  }

  return () => {
    const revisions = revisionsOf(fleetCache);
    if (last?.revisions === revisions) return last.sight;
    const within = named();
    const text = JSON.stringify(within);
    last = { revisions, text, sight: last?.text === text ? last.sight : sightOf(within) };
    return last.sight;
  };
}

/** Another text whenever a cluster came, went, or has other labels. */
function revisionsOf(fleetCache: FleetCache): string {
  let [count, sum] = [0, 0];
  for (const { revision } of fleetCache.clusterCaches()) {
    count += 1;
    sum += revision;
  }
  return `${count} ${sum}`;
}

const secret = randomBytes(16);

/** A text that stands for the key of something outside of a view: always the same in this thread, and nothing is learnt from it. */
export function veiled(key: string): string {
  return createHash('sha256').update(secret).update(key).digest('hex').slice(0, 12);
}
