// One transaction of a past, and what it is made of.
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type {
  Correction,
  CurrentCluster,
  CurrentObject,
  ObjectDetail,
  Transition,
} from '#lib/domain/record/current.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';

/** A state of what was being seen, from `at` (ms since the epoch) on. */
export interface Coverage {
  readonly cluster: string;
  readonly kind: { readonly group: string; readonly kind: string } | null;
  readonly at: number;
  readonly observed: boolean;
  readonly state: string;
  readonly reason: string | null;
}

/** One transaction of the past: what the store's writer takes, of one cluster. */
export interface PastBatch {
  at: number;
  cluster: CurrentCluster | null;
  objects: { readonly object: CurrentObject; readonly detail: ObjectDetail }[];
  removed: { readonly ref: ObjectRef; readonly at: number }[];
  transitions: Transition[];
  changes: NotedChange[];
  corrections: { readonly ref: ObjectRef; readonly correction: Correction }[];
  earlier: EarlierSpan[];
  arrivals: { readonly ref: ObjectRef; readonly commit: string; readonly at: number }[];
  confirmations: never[];
  coverage: Coverage[];
  resume: never[];
  planned?: PlannedWork[];
}

/** One thing that is told, at ms since the epoch. */
export interface Entry {
  readonly at: number;
  /** Whose record it writes: a batch holds one record of an object at most. */
  readonly key: RefKey | null;
  /** Word on who is away or seen, or on what is planned: on all clusters that is told in the order of time. null of what is none. */
  readonly news: 'away' | 'over' | 'seen' | null;
  put(batch: PastBatch): void;
}

/** A batch that tells nothing yet. */
export function emptyBatch(): PastBatch {
  return {
    at: 0,
    cluster: null,
    objects: [],
    removed: [],
    transitions: [],
    changes: [],
    corrections: [],
    earlier: [],
    arrivals: [],
    confirmations: [],
    coverage: [],
    resume: [],
  };
}
