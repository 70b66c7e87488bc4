import { meansObject, type CallMeaning } from '#lib/domain/alarm/called/call-meaning.ts';
import { kindTest } from '#lib/domain/pager/kind-name.ts';
import { firstWhole } from '../../rows/cells.ts';
import type { Scopes } from '../record/record-scope.ts';

/** Finds the objects of the store that calls name. Begin one for each question: kinds of clusters are read once. */
export function openNamedObjects(scopes: Scopes) {
  const kindsOn = `WITH RECURSIVE known (kind) AS (
      SELECT MIN(kind) FROM object WHERE cluster = ?1
      UNION ALL SELECT (SELECT MIN(kind) FROM object WHERE cluster = ?1 AND kind > known.kind) FROM known WHERE kind IS NOT NULL
    ) SELECT kind FROM known WHERE kind IS NOT NULL`;
  const nameOf = scopes.statement('SELECT id FROM name WHERE text = ?');
  const object = scopes.statement('SELECT id FROM object WHERE cluster = ? AND kind = ? AND namespace = ? AND name = ?');

  return () => {
    const kinds = new Map<number, readonly number[]>();

    function kindsOf(cluster: number): readonly number[] {
      const known = kinds.get(cluster) ?? scopes.ids(kindsOn, [cluster]);
      kinds.set(cluster, known);
      return known;
    }

    /** The ids of objects that a call names. */
    return (meaning: CallMeaning): readonly number[] => {
      if (meaning.type !== 'objects' || meaning.named.kind === null || meaning.named.name === null) return [];
      const { kind, name, namespace } = meaning.named;
      const [cluster] = scopes.ofCluster(meaning.cluster).clusters ?? [];
      if (cluster === undefined) return [];
      const isOfKind = kindTest(kind);
      const namespaces = [...new Set(['', namespace ?? ''])].flatMap((one) => firstWhole(nameOf, one) ?? []);
      return kindsOf(cluster)
        .filter((id) => isOfKind(scopes.kindOf(id)))
        .flatMap((id) => namespaces.flatMap((space) => firstWhole(object, cluster, id, space, name) ?? []))
        .filter((id) => meansObject(meaning.named, scopes.refOf(id)) === 'called');
    };
  };
}
