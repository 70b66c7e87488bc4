import type { ConflictFilter, WireConflictList } from '#lib/api/conflict.ts';
import type { ExemptionFilter, WireExemptionList } from '#lib/api/exemption.ts';
import type { ChangesQuery, WireChangeList } from '#lib/api/change.ts';
import type { WireClusterList, WireClusterPage } from '#lib/api/cluster.ts';
import type { FleetView, WireFleet, WireFleetHead } from '#lib/api/fleet.ts';
import type { ObjectFilter } from '#lib/api/object-filter.ts';
import type { WireObjectList, WireObjectPage, WireRef, WireTransition } from '#lib/api/object.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import type { BadCursor } from './wire/object-list.ts';

/** There is nothing of this name; `nearest` names what may have been meant (a cluster has only `cluster` set). */
export interface NotFound {
  readonly type: 'not-found';
  readonly nearest: readonly WireRef[];
  /** What is recorded of an object that was there once, newest first; absent where nothing is. */
  readonly record?: readonly WireTransition[];
}

/** What pages and the API ask: every answer is in wire shapes, as known at the moment of asking. */
export interface WebRuntime {
  /** The head of every page; at most 5 causes, or all. */
  head(causes?: 'first' | 'all'): WireFleetHead;
  fleet(view: FleetView, causes?: 'first' | 'all'): WireFleet;
  clusters(): WireClusterList;
  clusterPage(name: string): WireClusterPage | NotFound;
  objectPage(ref: ObjectRef): Promise<WireObjectPage | NotFound>;
  /** What was changed; null while the record cannot be read. */
  changes(query: ChangesQuery): Promise<WireChangeList | NotFound | null>;
  objects(filter: ObjectFilter): WireObjectList | BadCursor;
  exemptions(filter: ExemptionFilter): WireExemptionList | BadCursor;
  conflicts(filter: ConflictFilter): WireConflictList | BadCursor;
  /** All that match as lines of CSV, some at a time. */
  exemptionCsv(filter: ExemptionFilter): Iterable<string>;
  conflictCsv(filter: ConflictFilter): Iterable<string>;
}
