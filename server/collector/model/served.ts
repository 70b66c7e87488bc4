import { parseRefKey } from '#lib/domain/ref.ts';
import type { Served } from './lease-book.ts';
import type { ObjectGraph } from './object-graph.ts';

/** The kind of package revision that runs pods of its own for the kinds that it provides. */
export const providerRevision = { group: 'pkg.crossplane.io', kind: 'ProviderRevision' };

/** Whose loops turn for the objects of a cluster, counted by controller, namespace and shard, and by package revision. */
export function servedOf(graph: ObjectGraph): readonly Served[] {
  const found = new Map<
    string,
    { controller: string; object: { namespace: string; shard: string | null }; count: number }
  >();
  for (const entry of graph.entries.values()) {
    const { controller, shard } = entry.track.latest;
    if (controller === null) continue;
    const { namespace } = entry.ref;
    const key = `${controller}/${namespace}/${shard ?? ''}`;
    const served = found.get(key) ?? { controller, object: { namespace, shard }, count: 0 };
    served.count += 1;
    found.set(key, served);
  }
  const managed = graph.ofKind(providerRevision).flatMap((key) => {
    const ref = parseRefKey(key);
    return ref ? [{ revision: ref.name, count: [...graph.dependentsOf(key)].length }] : [];
  });
  return [...found.values(), ...managed];
}
