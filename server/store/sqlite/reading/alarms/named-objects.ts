import { meansObject } from '#lib/domain/alarm/called/call-meaning.ts';
import type { MeantObjects } from '#lib/domain/alarm/called/call-book.ts';
import type { NamedByLabels } from '#lib/domain/alarm/named.ts';
import { kindTest } from '#lib/domain/pager/kind-name.ts';
import { firstWhole } from '../../rows/cells.ts';
import type { Scopes } from '../record/record-scope.ts';

/** Objects of the store that calls name. */
export type NamedObjects = (meant: Pick<MeantObjects, 'cluster' | 'named'>, as: 'called' | 'any') => readonly number[];

interface Found {
  /** The newest object then. */
  readonly newest: number;
  readonly objects: readonly number[];
}

/** Finds objects of the store that calls name. Begin one for each question: what names stand for is read once. */
export function openNamedObjects(scopes: Scopes) {
  const kindsOn = `WITH RECURSIVE known (kind) AS (
      SELECT MIN(kind) FROM object WHERE cluster = ?1
      UNION ALL SELECT (SELECT MIN(kind) FROM object WHERE cluster = ?1 AND kind > known.kind) FROM known WHERE kind IS NOT NULL
    ) SELECT kind FROM known WHERE kind IS NOT NULL`;
  const anywhere = 'SELECT id FROM object WHERE cluster = ? AND kind = ? AND name = ?';
  const nameOf = scopes.statement('SELECT id FROM name WHERE text = ?');
  const object = scopes.statement(
    'SELECT id FROM object WHERE cluster = ? AND kind = ? AND namespace = ? AND name = ?',
  );

  const newestObject = scopes.statement('SELECT MAX(id) FROM object');
  /** By the names themselves, which are remembered with their labels, until another object comes. */
  const found = { called: new WeakMap<NamedByLabels, Found>(), any: new WeakMap<NamedByLabels, Found>() };

  return (): NamedObjects => {
    const clusterIn = once((name: string) => scopes.ofCluster(name).clusters?.[0] ?? null);
    const kindsIn = once((cluster: number) => scopes.ids(kindsOn, [cluster]));
    const namespaceIn = once((name: string) => firstWhole(nameOf, name));
    const isOfKind = once((word: string) => kindTest(word));
    const isNamed = once((word: string) => once((kind: number) => isOfKind(word)(scopes.kindOf(kind))));

    const newest = firstWhole(newestObject) ?? 0;

    return (meant, as) => {
      const known = found[as].get(meant.named);
      if (known?.newest === newest) return known.objects;
      const objects = objectsOf(meant, as);
      found[as].set(meant.named, { newest, objects });
      return objects;
    };

    /** The ids of objects that calls name, or may name: what no namespace is named of may be any that has one. */
    function objectsOf({ cluster: on, named }: Parameters<NamedObjects>[0], as: 'called' | 'any'): readonly number[] {
      const { kind, name, namespace } = named;
      const cluster = clusterIn(on);
      if (kind === null || name === null || cluster === null) return [];
      const namespaces = [...new Set(['', namespace ?? ''])].flatMap((one) => namespaceIn(one) ?? []);
      return kindsIn(cluster)
        .filter(isNamed(kind))
        .flatMap((id) =>
          namespace === null && as === 'any'
            ? scopes.ids(anywhere, [cluster, id, name])
            : namespaces.flatMap((space) => firstWhole(object, cluster, id, space, name) ?? []),
        )
        .filter((id) => {
          const means = meansObject(named, scopes.refOf(id));
          return means === 'called' || (as === 'any' && means !== null);
        });
    }
  };
}

/** Makes each answer once. */
function once<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>();
  return (key) => {
    const found = known.get(key) ?? { value: make(key) };
    known.set(key, found);
    return found.value;
  };
}
