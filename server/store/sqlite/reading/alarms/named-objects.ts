import { meansObject } from '#lib/domain/alarm/called/call-meaning.ts';
import type { MeantObjects } from '#lib/domain/alarm/called/call-book.ts';
import { kindTest } from '#lib/domain/pager/kind-name.ts';
import { firstWhole } from '../../rows/cells.ts';
import type { Scopes } from '../record/record-scope.ts';

/** Finds objects of the store that calls name. Begin one for each question: kinds of clusters are read once. */
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

  return () => {
    const kinds = new Map<number, readonly number[]>();

    function kindsOf(cluster: number): readonly number[] {
      const known = kinds.get(cluster) ?? scopes.ids(kindsOn, [cluster]);
      kinds.set(cluster, known);
      return known;
    }

    /** The ids of objects that calls name, or may name: what no namespace is named of may be any that has one. */
    return (
      { cluster: on, named }: Pick<MeantObjects, 'cluster' | 'named'>,
      as: 'called' | 'any',
    ): readonly number[] => {
      const { kind, name, namespace } = named;
      const [cluster] = scopes.ofCluster(on).clusters ?? [];
      if (kind === null || name === null || cluster === undefined) return [];
      const isOfKind = kindTest(kind);
      const namespaces = [...new Set(['', namespace ?? ''])].flatMap((one) => firstWhole(nameOf, one) ?? []);
      return kindsOf(cluster)
        .filter((id) => isOfKind(scopes.kindOf(id)))
        .flatMap((id) =>
          namespace === null && as === 'any'
            ? scopes.ids(anywhere, [cluster, id, name])
            : namespaces.flatMap((space) => firstWhole(object, cluster, id, space, name) ?? []),
        )
        .filter((id) => {
          const means = meansObject(named, scopes.refOf(id));
          return means === 'called' || (as === 'any' && means !== null);
        });
    };
  };
}
