import type { StoredAlarms } from '#server/store/port/alarm-batch.ts';
import type { EncodedAlarms } from '#server/store/codec/alarm/encoded-alarms.ts';
import type { EncodedBatch, EncodedState } from '#server/store/codec/encoded.ts';
import type { OpenRefusal } from '#server/store/port/open-refusal.ts';
import type { FactSource, StepResult, Kept, Lease, Retention, WriteRefusal } from '#server/store/port/port.ts';

/** Entry written under one lease: a batch, or the end of its cluster or alarm source. */
export type Entry =
  | { readonly type: 'batch'; readonly lease: Lease<'cluster'>; readonly batch: EncodedBatch }
  /** Written in steps. */
  | { readonly type: 'forget'; readonly lease: Lease<'cluster'>; readonly at: number }
  | { readonly type: 'alarms'; readonly lease: Lease<'alarm-source'>; readonly batch: EncodedAlarms }
  | { readonly type: 'forget-alarms'; readonly lease: Lease<'alarm-source'>; readonly at: number };

/** Requests of the recorder to its thread, answered one after the other. */
export type Question =
  | { readonly type: 'open' }
  | {
      readonly type: 'acquire';
      readonly sources: readonly FactSource[];
      readonly holder: string;
      readonly now: number;
      readonly ttl: number;
    }
  | { readonly type: 'release'; readonly leases: readonly Lease[] }
  | { readonly type: 'load'; readonly cluster: string }
  | { readonly type: 'load-alarms'; readonly source: string }
  | { readonly type: 'commit'; readonly entries: readonly Entry[] }
  | { readonly type: 'keep'; readonly retention: Retention | null; readonly now: number }
  | { readonly type: 'close' };

/** Answers of the thread. `failed`: it is tried again; `refusal` where it was the store that refused. */
export type Answer =
  | { readonly type: 'opened'; readonly refusal: OpenRefusal | null }
  | { readonly type: 'acquired'; readonly leases: readonly (Lease | null)[] }
  | { readonly type: 'released' }
  | { readonly type: 'loaded'; readonly state: EncodedState }
  | { readonly type: 'loaded-alarms'; readonly alarms: StoredAlarms }
  /** `duration` in ms, commit included. */
  | { readonly type: 'committed'; readonly results: readonly StepResult[]; readonly duration: number }
  | ({ readonly type: 'kept' } & Kept)
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly message: string; readonly refusal?: WriteRefusal };
