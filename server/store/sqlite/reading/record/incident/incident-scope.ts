import { isWide } from '../piece-rows.ts';
import {
  isOfClusters,
  ofClusters,
  seenObjects,
  wholeClusters,
  type Condition,
  type ScopeIds,
  type Scopes,
} from '../record-scope.ts';

/** A scope as a condition on the incidents `i`. */
export interface IncidentScope extends Condition {
  /** Few incidents are in it: they are sought from what is in the scope, and not looked through. */
  readonly isNarrow: boolean;
}

/**
 * Of the incidents `i` with a member in a scope that came by `by` (ms; null: whenever). `isFew`: few of them are looked at, the newest
 * first, until enough are found.
 */
export function withMembers(scopes: Scopes, scope: ScopeIds, by: number | null, isFew = false): IncidentScope {
  const came = (table: string): Condition =>
    by === null ? { sql: 'TRUE', parameters: [] } : { sql: `${table}.joined_at <= ?`, parameters: [by] };
  if (isOfClusters(scope)) return onClusters(scope, came('c'));
  const placed = withObjects(scopes, scope, came, isFew);
  if (scope.places === null || scope.kind !== null || scope.namespace !== null || scope.name !== null) return placed;
  // A cluster that is lost is a member of its own.
  const lost = onClusters({ ...scope, ...wholeClusters(scope) }, came('c'));
  return {
    isNarrow: placed.isNarrow,
    sql: `(${placed.sql} OR ${lost.sql})`,
    parameters: [...placed.parameters, ...lost.parameters],
  };
}

function withObjects(
  scopes: Scopes,
  scope: ScopeIds,
  came: (table: string) => Condition,
  isFew: boolean,
): IncidentScope {
  const objects = scopes.objects(scope);
  const joined = came('m');
  const isNarrow = hasFew(scope);
  const having = `${objects.sql} AND ${joined.sql}`;
  const sql =
    isFew && !isNarrow && scope.clusters === null
      ? `EXISTS (SELECT 1 FROM incident_member m INDEXED BY incident_member_order CROSS JOIN object o ON o.id = m.object
           WHERE m.incident = i.id AND ${having})`
      : `i.id IN (SELECT m.incident FROM object o
           CROSS JOIN incident_member m INDEXED BY incident_member_object ON m.object = o.id AND m.object <> 0
           WHERE ${having})`;
  return { isNarrow, sql, parameters: [...objects.parameters, ...joined.parameters] };
}

/** True if few objects are in a scope; of a view those are few that are remembered. */
function hasFew(scope: ScopeIds): boolean {
  if (scope.places === null) return !isWide({ ...scope, namespace: null });
  return scope.name !== null || seenObjects(scope) !== null;
}

function onClusters(scope: ScopeIds, joined: Condition): IncidentScope {
  if (scope.clusters === null) return { isNarrow: false, sql: 'TRUE', parameters: [] };
  // Of many clusters most incidents are: each is asked for its own. By an index of clusters the row behind each of millions would be looked up.
  const isOfMany = isWide({ ...scope, places: null });
  if (isOfMany) {
    const { sql, parameters } = ofClusters(scope, '+c.cluster');
    return {
      isNarrow: false,
      sql: `EXISTS (SELECT 1 FROM incident_cluster c WHERE c.incident = i.id AND ${sql} AND ${joined.sql})`,
      parameters: [...parameters, ...joined.parameters],
    };
  }
  const { sql, parameters } = ofClusters(scope, 'c.cluster');
  return {
    isNarrow: true,
    sql: `i.id IN (SELECT c.incident FROM incident_cluster c INDEXED BY incident_cluster_of WHERE ${sql} AND ${joined.sql})`,
    parameters: [...parameters, ...joined.parameters],
  };
}
