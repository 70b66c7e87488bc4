import { isAway } from '#lib/domain/guarantee/guarantee.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { allRows, type Row } from '../../rows/cells.ts';
import type { Condition, ScopeIds, Scopes } from './record-scope.ts';

/** Reads spans as rows of object, cluster, kind, noticed_at, until and to_verdict, or counts of them. */
export interface PieceRows {
  /** Rows that last since the beginning of a period. */
  lasting(scope: ScopeIds, period: Period, only: Condition, wide?: boolean): readonly Row[];
  /** Number of objects of a cluster and a kind in a verdict that lasts since the beginning of a period. */
  lastingCounts(scope: ScopeIds, period: Period, only: Condition): readonly Row[];
  /** All that overlaps a period of objects that have more in it than one span that lasts since its beginning. */
  changing(scope: ScopeIds, period: Period, only: Condition, wide?: boolean): readonly Row[];
  /** Rows noticed in a period, of one verdict ('': removals). */
  noticed(scope: ScopeIds, period: Period, verdict: string): readonly Row[];
}

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
export function isWide({ clusters, namespace, name }: ScopeIds): boolean {
  return (clusters === null || clusters.length >= manyClusters) && namespace === null && name === null;
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
export function openPieceRows(scopes: Scopes): PieceRows {
  /** Selects what lasts since the beginning of a period (?1). */
  function lastingIn(scope: ScopeIds, only: Condition, wide = isWide(scope)): Condition {
    const within = scopes.objects(scope);
    const from = wide
      ? 'transition t INDEXED BY transition_open CROSS JOIN object o ON o.id = t.object'
      : 'object o CROSS JOIN transition t INDEXED BY transition_open ON t.object = o.id';
    return {
      sql: `FROM ${from} WHERE t.until IS NULL AND t.noticed_at <= ?1 AND t.to_verdict <> '' AND ${within.sql} AND ${only.sql}`,
      parameters: [...within.parameters, ...only.parameters],
    };
  }

  return {
    lasting(scope, { from }, only, wide) {
      const { sql, parameters } = lastingIn(scope, only, wide);
      return allRows(scopes.statement(`SELECT ${columns} ${sql}`), from, ...parameters);
    },
    lastingCounts(scope, { from }, only) {
      const { sql, parameters } = lastingIn(scope, only);
      const statement = scopes.statement(`SELECT o.cluster, o.kind, t.to_verdict, COUNT(*) ${sql} GROUP BY 1, 2, 3`);
      return allRows(statement, from, ...parameters);
    },
    changing(scope, { from, to }, only, wide = isWide(scope)) {
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
    noticed(scope, { from, to }, verdict) {
      const { sql, parameters } = scopes.objects(scope);
      const statement = scopes.statement(
        `SELECT ${columns} FROM transition t INDEXED BY transition_verdict CROSS JOIN object o ON o.id = t.object
         WHERE t.to_verdict = ?1 AND t.noticed_at >= ?2 AND t.noticed_at < ?3 AND ${sql}`,
      );
      return allRows(statement, verdict, from, to, ...parameters);
    },
  };
}
