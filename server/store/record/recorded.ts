import { holdsNamespace } from '#lib/domain/access/scope.ts';
import { grantedWithin } from '#lib/domain/access/within.ts';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { Arrival } from '#lib/domain/chain/arrival.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentCluster, Transition } from '#lib/domain/record/current.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';
import type { CoverageChange } from '../port/port.ts';
import type { LedgerEntry, RecordScope } from '../port/record-port.ts';
import { noIncidents, type IncidentRows } from './incident/memory-book.ts';
import type { LastKnownOrigin, PastTraits } from './past-object.ts';

/** The rows of a record, each list in the order in which it was written. Times in ms since the epoch. */
export interface Recorded {
  readonly transitions: readonly Transition[];
  readonly coverage: readonly CoverageChange[];
  readonly changes: readonly NotedChange[];
  readonly absences: readonly Absence[];
  readonly corrections: readonly LedgerEntry[];
  readonly earlier: readonly EarlierSpan[];
  readonly arrivals: readonly Arrival[];
  readonly calls: readonly AlarmCall[];
  readonly alarmCoverage: readonly AlarmCoverage[];
  /** By transition: what was kept of the object's record. */
  readonly traits: ReadonlyMap<Transition, PastTraits>;
  /** Where objects come from, as last recorded. */
  readonly origins: ReadonlyMap<RefKey, LastKnownOrigin>;
  readonly incidents: IncidentRows;
  /** The present records of clusters, by name. */
  readonly clusters: ReadonlyMap<string, CurrentCluster>;
}

/** An empty record. */
export const nothingRecorded: Recorded = {
  transitions: [],
  coverage: [],
  changes: [],
  absences: [],
  corrections: [],
  earlier: [],
  arrivals: [],
  calls: [],
  alarmCoverage: [],
  traits: new Map(),
  origins: new Map(),
  incidents: noIncidents,
  clusters: new Map(),
};

/** True if a scope includes a cluster. */
export function includesCluster(
  { clusters, within }: Pick<RecordScope, 'clusters' | 'within'>,
  cluster: string,
): boolean {
  return (clusters?.includes(cluster) ?? true) && grantedWithin(within ?? null, cluster) !== 'none';
}

/** True if a scope includes all of a cluster. */
export function includesWhole(scope: RecordScope, cluster: string): boolean {
  const { within = null } = scope;
  return isOfWholeClusters(scope) && includesCluster(scope, cluster) && grantedWithin(within, cluster) === 'all';
}

/** True if a scope includes an object. */
export function includesObject(scope: RecordScope, ref: ObjectRef): boolean {
  const { kind, namespace, name } = scope;
  if (kind !== undefined && (kind.group !== ref.group || kind.kind !== ref.kind)) return false;
  if (!includesCluster(scope, ref.cluster)) return false;
  if (!holdsNamespace(grantedWithin(scope.within ?? null, ref.cluster), ref.namespace)) return false;
  return (namespace ?? ref.namespace) === ref.namespace && (name ?? ref.name) === ref.name;
}

/** True if a scope is of whole clusters. */
export function isOfWholeClusters({ kind, namespace, name }: RecordScope): boolean {
  return kind === undefined && namespace === undefined && name === undefined;
}
