import { parseRefKey } from '#lib/domain/observation/ref.ts';
import type { Served } from '../controllers/controller-index.ts';
import type { ObjectGraph } from './object-graph.ts';

/** The kind of package revision that runs pods of its own for the kinds that it provides. */
export const providerRevision = { group: 'pkg.crossplane.io', kind: 'ProviderRevision' };

/** Whose loops turn for the objects of a cluster, counted by controller, namespace and shard, and by package revision. */
export function servedOf(graph: ObjectGraph): readonly Served[] {
  const managed = graph.ofKind(providerRevision).flatMap((key) => {
    const ref = parseRefKey(key);
    return ref ? [{ revision: ref.name, count: [...graph.dependentsOf(key)].length }] : [];
  });
  const turned = graph.loops().map(({ controller, namespace, shard, objects }) => ({
    controller,
    object: { namespace, shard },
    count: objects,
  }));
  return [...turned, ...managed];
}
