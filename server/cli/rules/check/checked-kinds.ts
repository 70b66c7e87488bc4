import type { CheckedKind } from '#lib/domain/alarm/check/checked.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import type { FleetKinds, Seen } from '../fleet-kinds.ts';

/** Each kind of a fleet on each cluster that has objects of it, with these. */
export function checkedKinds({ kinds }: FleetKinds, objects: Iterable<Seen>): readonly CheckedKind[] {
  const found = new Map<string, { readonly namespace: string; readonly name: string }[]>();
  for (const object of objects) {
    if (isOnlyDeclared(object)) continue;
    const { cluster, namespace, name } = object.ref;
    const key = keyOf(cluster, object.ref);
    const known = found.get(key);
    if (known === undefined) found.set(key, [{ namespace, name }]);
    else known.push({ namespace, name });
  }
  return kinds.flatMap(({ group, kind, metric, clusters }) =>
    clusters.map((cluster) => ({
      cluster,
      group,
      kind,
      objects: found.get(keyOf(cluster, { group, kind })) ?? [],
      conditions: metric.conditionsOf({ group, kind }),
    })),
  );
}

function keyOf(cluster: string, kind: GroupKind): string {
  return `${cluster} ${kindKey(kind)}`;
}
