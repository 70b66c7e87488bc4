import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { firstWhole } from '../../rows/cells.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** When the first span began on the clusters of a scope (ms): nothing lies before, however early a period begins. */
export function firstSpan(scopes: Scopes, scope: ScopeIds): number {
  const { sql, parameters } = ofClusters(scope, 'c.id');
  // Of all of them it is the first of any verdict: a seek for each verdict instead of one for each cluster.
  const statement =
    scope.clusters === null
      ? scopes.statement(
          `SELECT MIN((SELECT MIN(noticed_at) FROM transition INDEXED BY transition_verdict WHERE to_verdict = value))
           FROM json_each('${JSON.stringify([...verdicts, ''])}')`,
        )
      : scopes.statement(
          `SELECT MIN((SELECT MIN(noticed_at) FROM transition t WHERE t.cluster = c.id)) FROM cluster c WHERE ${sql}`,
        );
  return firstWhole(statement, ...parameters) ?? Infinity;
}
