import type { ConflictFilter, WireConflictList } from '#lib/api/conflict.ts';
import type { ExemptionFilter, WireExemptionList } from '#lib/api/exemption.ts';
import type { Changed, NotChanged } from '#lib/api/changed.ts';
import type { ChangesQuery, WireChangeList } from '#lib/api/change.ts';
import type { WireClusterList, WireClusterPage, ClusterScope } from '#lib/api/cluster.ts';
import type { FleetView, WireFleet, WireFleetHead } from '#lib/api/fleet.ts';
import type { ObjectFilter } from '#lib/api/object-filter.ts';
import type { WireNeighbours, WireObjectList, WireObjectPage, WireRef, WireTransition } from '#lib/api/object.ts';
import type { TransitionsQuery, WireTransitionList } from '#lib/api/transition.ts';
import type { Scope } from '#lib/api/scope.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import type { RecordScope } from '#server/store/record-port.ts';
import type { AskedNames, NotThere } from './asked/not-there.ts';
import type { NoAnswer, RecordQueries } from './history/record-queries.ts';
import type { ChangedQuestion } from './past/changed.ts';
import type { ReportDesk } from './report/report-desk.ts';
import type { BadCursor } from './wire/object-list.ts';

/** There is nothing of this name; `nearest` names what may have been meant (a cluster has only `cluster` set). */
export interface NotFound {
  readonly type: 'not-found';
  readonly nearest: readonly WireRef[];
  /** The last change that is recorded of an object that was there once; absent where none is. */
  readonly last?: WireTransition;
}

/** What can be asked of the present and of any past moment; every answer is as known at that moment. */
export interface KnownQueries extends RecordQueries {
  /** Names of what is not there now; null where all are. */
  missing(asked: AskedNames): NotThere | null;
  /** The head of every page, or of what a scope keeps; at most 5 causes, or each of all. */
  head(causes?: 'first' | 'all', scope?: Scope): WireFleetHead;
  fleet(view: FleetView, causes?: 'first' | 'all'): WireFleet;
  clusters(): WireClusterList;
  clusterPage(name: string, asked?: ClusterScope): WireClusterPage | NotFound | NotThere;
  objectPage(ref: ObjectRef): Promise<WireObjectPage | NotFound>;
  neighbours(ref: ObjectRef): WireNeighbours | NotFound;
  objects(filter: ObjectFilter): WireObjectList | BadCursor | NotThere;
}

/** A past moment, or why there is none. Times in ms since the epoch. */
export type Past =
  | {
      readonly type: 'past';
      readonly at: number;
      readonly queries: KnownQueries;
      /** The nearest moments at which what is known of a scope changed; null where there is none. */
      beside(scope: RecordScope): Promise<{ readonly before: number | null; readonly after: number | null }>;
    }
  | { readonly type: 'future'; readonly now: number }
  /** `since`: when the record begins; null where there is none. */
  | { readonly type: 'before-record'; readonly since: number | null }
  | { readonly type: 'unreadable' };

/** What pages and the API ask: every answer is in wire shapes, as known at the moment of asking. */
export interface WebRuntime extends KnownQueries {
  /** The same questions asked of a past moment (ms). */
  past(at: number): Promise<Past>;
  /** Changes of verdict. */
  transitions(query: TransitionsQuery): Promise<WireTransitionList | BadCursor | NoAnswer>;
  /** What happened between two moments, for its page. */
  changed(question: ChangedQuestion): Promise<Changed | NotChanged>;
  /** Periods of the record: the report, and what its figures are made of. */
  readonly reports: ReportDesk;
  /** What was changed. */
  changes(query: ChangesQuery): Promise<WireChangeList | NoAnswer>;
  exemptions(filter: ExemptionFilter): WireExemptionList | BadCursor | NotThere;
  conflicts(filter: ConflictFilter): WireConflictList | BadCursor | NotThere;
  /** All that match as lines of CSV, some at a time. */
  exemptionCsv(filter: ExemptionFilter): Iterable<string> | NotThere;
  conflictCsv(filter: ConflictFilter): Iterable<string> | NotThere;
}
