import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { allRows, type Row } from '../../rows/cells.ts';
import { among, ofClusters, type Condition, type ScopeIds, type Scopes } from './record-scope.ts';

/** Reads spans as rows of object, cluster, kind, noticed_at, until and to_verdict. */
export type PieceRows = ReturnType<typeof openPieceRows>;

/** Spans in which an object is away. */
export const onlyAway: Condition = {
  sql: `t.to_verdict IN (${verdicts
    .filter(isAway)
    .map((verdict) => `'${verdict}'`)
    .join(', ')})`,
  parameters: [],
};

/** From so many clusters on all objects are looked at in the order of an index, and not sought one by one. */
const manyClusters = 100;

/** True if a scope is of so many clusters that nearly everything is in it. */
export function isWide({ clusters, namespace, name, places, piece }: ScopeIds): boolean {
  const isOfMany = clusters === null || clusters.length >= manyClusters;
  return isOfMany && namespace === null && name === null && places === null && piece === undefined;
}

/** Of most objects there is one span that lasts; an index holds no others. */
const lasting = 'transition INDEXED BY transition_open';
const columns = 'o.id, o.cluster, o.kind, t.noticed_at, t.until, t.to_verdict';

/** The objects `o` that may have more in a period than one span that lasts since its beginning (?1): behind that lies nothing else. */
function changing(wide: boolean): { readonly from: string; readonly sql: string } {
  const sql = `NOT EXISTS (SELECT 1 FROM ${lasting} WHERE object = o.id AND until IS NULL AND noticed_at <= ?1)`;
  if (!wide) return { from: 'object o', sql };
  const begun = `SELECT object FROM ${lasting} WHERE until IS NULL AND noticed_at > ?1`;
  const without = `SELECT id FROM object n
    WHERE (SELECT COUNT(*) FROM object) <> (SELECT COUNT(*) FROM ${lasting} WHERE until IS NULL)
      AND NOT EXISTS (SELECT 1 FROM ${lasting} WHERE object = n.id AND until IS NULL)`;
  return { from: `(${begun} UNION ${without}) c CROSS JOIN object o ON o.id = c.object`, sql };
}

/** The rows of pieces over an open database: object by object, and of each what it has in the period. */
export function openPieceRows(scopes: Scopes) {
  return {
    /** Rows that last since the beginning of a period. */
    lasting(scope: ScopeIds, { from }: Period, only: Condition, wide = isWide(scope)): readonly Row[] {
      const within = scopes.objects(scope);
      const joined = wide
        ? 'transition t INDEXED BY transition_open CROSS JOIN object o ON o.id = t.object'
        : 'object o CROSS JOIN transition t INDEXED BY transition_open ON t.object = o.id';
      const statement = scopes.statement(
        `SELECT ${columns} FROM ${joined}
         WHERE t.until IS NULL AND t.noticed_at <= ?1 AND t.to_verdict <> '' AND ${within.sql} AND ${only.sql}`,
      );
      return allRows(statement, from, ...within.parameters, ...only.parameters);
    },
    /** All that overlaps a period of objects that have more in it than one span that lasts since its beginning. */
    changing(scope: ScopeIds, { from, to }: Period, only: Condition, wide = isWide(scope)): readonly Row[] {
      const within = scopes.objects(scope);
      const objects = changing(wide);
      const since =
        'COALESCE((SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?1), ?1)';
      const statement = scopes.statement(
        `SELECT ${columns} FROM ${objects.from} CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
         WHERE ${objects.sql} AND t.noticed_at >= ${since} AND t.noticed_at < ?2 AND ${within.sql} AND ${only.sql}`,
      );
      return allRows(statement, from, to, ...within.parameters, ...only.parameters);
    },
    /**
     * Object, noticed_at and until of spans that overlap a period and in which something is away: of those that began before it only what
     * a condition on objects `o` says. The others lie in an index by time, and in their table in the same order.
     */
    away({ from, to }: Period, only: Condition): readonly Row[] {
      const begun = `SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?1`;
      const statement = scopes.statement(
        `SELECT t.object, t.noticed_at, t.until FROM transition t INDEXED BY transition_verdict
         WHERE ${onlyAway.sql} AND t.noticed_at > ?1 AND t.noticed_at < ?2
         UNION ALL
         SELECT t.object, t.noticed_at, t.until FROM object o
           CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id AND t.noticed_at = (${begun})
         WHERE ${only.sql} AND ${onlyAway.sql} AND (t.until IS NULL OR t.until > ?1)`,
      );
      return allRows(statement, from, to, ...only.parameters);
    },
    /**
     * Object, noticed_at and until of the spans of a verdict that were noticed in a period, '' for removals, whatever their kinds: in the
     * order of time, in which they lie in their table too.
     */
    noticed({ clusters: of }: ScopeIds, { from, to }: Period, verdict: Verdict | ''): readonly Row[] {
      const clusters = ofClusters({ clusters: of }, 't.cluster');
      const statement = scopes.statement(
        `SELECT t.object, t.noticed_at, t.until FROM transition t INDEXED BY transition_verdict
         WHERE t.to_verdict = ? AND t.noticed_at >= ? AND t.noticed_at < ? AND ${clusters.sql}`,
      );
      return allRows(statement, verdict, from, to, ...clusters.parameters);
    },
    /** Id, cluster and kind of those objects among some that are in a scope. */
    objects(scope: ScopeIds, objects: readonly number[]): readonly Row[] {
      const [within, wanted] = [scopes.objects(scope), among(objects)];
      const statement = scopes.statement(
        `SELECT o.id, o.cluster, o.kind FROM object o WHERE ${wanted.sql} AND ${within.sql}`,
      );
      return allRows(statement, ...wanted.parameters, ...within.parameters);
    },
  };
}
