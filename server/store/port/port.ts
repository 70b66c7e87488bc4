import type { AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type {
  Correction,
  CurrentCluster,
  CurrentObject,
  ObjectDetail,
  Transition,
} from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';
import type { AlarmBatch, StoredAlarms } from './alarm-batch.ts';
import type { RecordReader } from './record-port.ts';

/** Types of sources of facts. */
export type FactSourceType = 'cluster' | 'repository' | 'alarm-source';

/** Who owns rows, named by type and name: its lease, its sequence and its tombstones are its own. See docs/design/record.md. */
export interface FactSource<T extends FactSourceType = FactSourceType> {
  readonly type: T;
  readonly name: string;
}

/** A cluster as a source of facts. */
export function clusterSource(name: string): FactSource<'cluster'> {
  return { type: 'cluster', name };
}

/** One text for one source. */
export function sourceKey({ type, name }: FactSource): string {
  return `${type}/${name}`;
}

/** The right to write the rows of one source. A newer epoch fences every older one. */
export interface Lease<T extends FactSourceType = FactSourceType> {
  readonly source: FactSource<T>;
  readonly holder: string;
  readonly epoch: number;
}

/** An alarm source of that name as a source of facts. */
export function alarmSource(name: string): FactSource<'alarm-source'> {
  return { type: 'alarm-source', name };
}

/** A resourceVersion up to which a kind's events are in the store: where its watch may resume. */
export interface StoredResume {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  readonly resourceVersion: string;
}

/** A state of a feed or a whole cluster from `at` (ms) on, append-only: what coverage is computed from. */
export interface CoverageChange {
  readonly cluster: string;
  /** null for the whole cluster. */
  readonly kind: { readonly group: string; readonly kind: string } | null;
  readonly at: number;
  readonly observed: boolean;
  readonly state: string;
  readonly reason: string | null;
}

/** One cluster's changes, written in one transaction or not at all. Times in ms since the epoch. */
export interface WriteBatch {
  readonly at: number;
  /** The machine's clock was set back to this: nothing of the cluster was noticed later, whatever is recorded of it. */
  readonly setBackTo?: number;
  /** Planned work on the cluster as it is configured now; absent where that has not changed since it was written last. */
  readonly planned?: readonly PlannedWork[];
  readonly cluster: CurrentCluster | null;
  readonly objects: readonly {
    readonly object: CurrentObject;
    readonly detail: ObjectDetail;
  }[];
  /**
   * Gone from the cluster: the row becomes a tombstone that followers see. What is removed goes first: an object that is also among
   * `objects` was made anew since.
   */
  readonly removed: readonly { readonly ref: ObjectRef; readonly at: number }[];
  readonly transitions: readonly Transition[];
  /** Changes on the cluster, in one transaction with the records that they were read from: so each comes once. */
  readonly changes: readonly NotedChange[];
  /** Drift that was found and undone, for the ledger: of one object at one time the later word counts. */
  readonly corrections: readonly { readonly ref: ObjectRef; readonly correction: Correction }[];
  /** Spans that reconcilers tell of the time before an object was first seen; each once. */
  readonly earlier: readonly EarlierSpan[];
  /** Appliers that are converged at another commit than before: commit is 40 or 64 hex, `at` when they were. */
  readonly arrivals: readonly { readonly ref: ObjectRef; readonly commit: string; readonly at: number }[];
  /** Confirmations: no new seq for the object, flushed coarsely. */
  readonly confirmations: readonly {
    readonly ref: ObjectRef;
    readonly confirmedAt: number | null;
    readonly observedAt: number;
    readonly validUntil: number | null;
  }[];
  readonly coverage: readonly CoverageChange[];
  readonly resume: readonly StoredResume[];
}

/** Why a write was not taken. `fenced`: another collector holds the source now. `full`/`read-only`: the disk. */
export type WriteRefusal =
  | { readonly type: 'fenced' }
  | { readonly type: 'full'; readonly message: string }
  | { readonly type: 'read-only'; readonly message: string }
  /** `permanent`: the batch itself holds what can not be stored; trying it again is of no use. */
  | { readonly type: 'failed'; readonly message: string; readonly permanent?: boolean };

export type WriteResult = { readonly type: 'written' } | WriteRefusal;

/** Outcome of a step of what is written in steps; with `more` something is left of it. */
export type StepResult = { readonly type: 'written'; readonly more?: true } | WriteRefusal;

/** So many objects are forgotten in one step: about as long as a full batch takes. One that is large counts as several. */
export const forgottenAtOnce = 500;

/** So many objects are brought back with a clock in one step. */
export const setBackAtOnce = 500;

/** Knowledge of the collector about a cluster when it last wrote. */
export interface StoredClusterState {
  /** It was being forgotten, and these objects are left: they are forgotten before anything else is written of it. */
  readonly forgetting?: true;
  readonly cluster: CurrentCluster | null;
  readonly objects: readonly { readonly object: CurrentObject; readonly detail: ObjectDetail }[];
  readonly resume: readonly StoredResume[];
}

/** Times for which the record is kept (ms): spans with all that stands beside them, and the messages with which they began. */
export interface Retention {
  readonly spans: number;
  readonly messages: number;
}

/** Outcome of a step of keeping the record. `more`: there is more to do at once; `pressing`: readers wait for it. */
export interface Kept {
  readonly more: boolean;
  readonly pressing: boolean;
}

/** The writing side. `written` means committed with full synchronisation to disk. */
export interface StoreWriter {
  /** Takes the lease of a source for `ttl` ms; null where a living other holder has it. The same holder renews with a new epoch only when it lost it. */
  acquire<T extends FactSourceType>(
    source: FactSource<T>,
    holder: string,
    now: number,
    ttl: number,
  ): Promise<Lease<T> | null>;
  release(lease: Lease): Promise<void>;
  load(cluster: string): Promise<StoredClusterState>;
  /**
   * Writes a batch whole. One with `setBackTo` brings back about `setBackAtOnce` objects at a time, and is written itself with the last of them: where
   * there is `more`, the same batch is asked again before anything else is written of the cluster.
   */
  write(lease: Lease<'cluster'>, batch: WriteBatch): Promise<StepResult>;
  /**
   * Does one step of removing a cluster that is configured no longer: the first takes the cluster itself away, each about `most` objects (absent:
   * `forgottenAtOnce`), with tombstones for followers. Their spans and absences end at `at` (ms), and their record stays. Where there is `more`, it is
   * asked again with the same `at`, before anything else is written of the cluster.
   */
  forget(lease: Lease<'cluster'>, at: number, most?: number): Promise<StepResult>;
  /**
   * Writes what an alarm source tells: what is removed first, then what is put, its own record last. A fact whose text is larger than 4 MB is left out,
   * and the source is told to followers as cut until that fact is removed or fits.
   */
  writeAlarms(lease: Lease<'alarm-source'>, batch: AlarmBatch): Promise<WriteResult>;
  /** An alarm source as it is stored. A fact that does not read, or was too large to be kept, is left out. */
  loadAlarms(source: string): Promise<StoredAlarms>;
  /**
   * Removes an alarm source that is configured no longer, with tombstones for followers: its calls that last end at `at` (ms), from then on it is not
   * read, and its record stays.
   */
  forgetAlarms(lease: Lease<'alarm-source'>, at: number): Promise<WriteResult>;
  /**
   * Does one step, of some milliseconds, of what keeps the record within its time and its room, at `now` (ms); without a retention only
   * of what is done once. Rejects where the store refuses: it is asked again later.
   */
  keep(retention: Retention | null, now: number): Promise<Kept>;
  close(): Promise<void>;
}

/** Where a follower stands. Opaque: only the engine that made it reads it. */
export type Cursor = string;

/** One step of following. Within one source changes come in the order in which they were written. */
export type Change =
  | { readonly type: 'cluster'; readonly cluster: CurrentCluster }
  | { readonly type: 'cluster-removed'; readonly cluster: string }
  | { readonly type: 'object'; readonly object: CurrentObject }
  | { readonly type: 'removed'; readonly ref: ObjectRef }
  | {
      readonly type: 'confirmed';
      readonly ref: ObjectRef;
      readonly confirmedAt: number | null;
      readonly observedAt: number;
      readonly validUntil: number | null;
    }
  /** Told last of what its source wrote at once, but first to who does not know the source yet. */
  | { readonly type: 'alarm-source'; readonly source: AlarmSource }
  | { readonly type: 'alarm-fact'; readonly source: string; readonly fact: AlarmFact }
  /** `key`: as `factKey` gives it. */
  | { readonly type: 'alarm-fact-removed'; readonly source: string; readonly key: string }
  | { readonly type: 'alarm-source-removed'; readonly source: string };

export interface FollowAnswer {
  readonly changes: readonly Change[];
  readonly cursor: Cursor;
  /** There is more right now: ask again without waiting. What one source wrote at once may be cut here. */
  readonly more: boolean;
  /** The cursor was of another store (a new file, an older copy): forget everything, this and what follows is all of it. */
  readonly reset?: boolean;
}

/** Size of the store. */
export interface StoreStats {
  readonly objects: number;
  readonly clusters: number;
  readonly transitions: number;
  readonly bytes: number;
}

/** Which changes are asked for. Times in ms since the epoch. */
export interface ChangeRange {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Only what had been noticed by then; all where absent. */
  readonly noticedBy?: number;
  /** Of all clusters where absent. */
  readonly cluster?: string;
  /** Of everything where absent; null needs a cluster. */
  readonly ref?: ObjectRef | null;
}

/** The reading side; opens the store read-only and takes bounded chunks. */
export interface StoreReader {
  /** Changes newer than `cursor` (null: everything current), at most about `limit`. Any old cursor works for ever. */
  follow(cursor: Cursor | null, limit: number): Promise<FollowAnswer>;
  detail(ref: ObjectRef): Promise<ObjectDetail | null>;
  /** Transitions of one object, newest first: all, or only those that had been noticed by `noticedBy` (ms). */
  transitions(
    ref: ObjectRef,
    range: { readonly from: number; readonly to: number; readonly limit: number; readonly noticedBy?: number },
  ): Promise<readonly Transition[]>;
  /** Transitions of all objects in a time range, newest first. */
  recent(range: {
    readonly from: number;
    readonly to: number;
    readonly limit: number;
    readonly cluster?: string;
  }): Promise<readonly Transition[]>;
  /**
   * Changes that happened, or may have, from `from` to `to` (ms), newest first: all of them, those of one cluster, of one object, or
   * with `ref` null what concerns a cluster as a whole, its controllers and packages.
   */
  changes(range: ChangeRange): Promise<readonly NotedChange[]>;
  coverage(cluster: string, range: { readonly from: number; readonly to: number }): Promise<readonly CoverageChange[]>;
  /** Record of what was known when. */
  readonly record: RecordReader;
  /** Names of the clusters that have a present record, or objects that are still to be forgotten. */
  clusters(): Promise<readonly string[]>;
  /** Names of the alarm sources that have a present record, or a call that lasts. */
  alarmSources(): Promise<readonly string[]>;
  stats(): Promise<StoreStats>;
  close(): Promise<void>;
}
