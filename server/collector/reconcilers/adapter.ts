import type { Correction } from '#lib/domain/current.ts';
import type { Observation, Reconciler } from '#lib/domain/observation.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { EventWord, GroupKind, WatchedKind } from '../clusters/cluster-event.ts';
import type { CorrectionMemory } from './correction-memory.ts';

/** What an adapter must know of an object beside the object. */
export interface AdapterContext {
  readonly cluster: string;
  readonly kind: WatchedKind;
  /** ms since the epoch, when the object was received. */
  readonly receivedAt: number;
}

/** What became of one event or one observation: the memory to keep (JSON), and the correction that is now known, or null. */
export interface CorrectionStep {
  readonly memory: CorrectionMemory;
  readonly correction: Correction | null;
}

/** Reads the objects of one reconciler. All of its functions are pure and none throws. */
export interface Adapter {
  readonly reconciler: Reconciler;
  /** Whether objects of this kind are read by this adapter. */
  handles(kind: GroupKind & { readonly categories: readonly string[] }): boolean;
  /** The object as an observation; a shape that it does not know becomes the word `unrecognised`. */
  observe(object: ForeignObject, context: AdapterContext): Observation;
  /**
   * Whether an event (or, with null, the pass that an observation shows) reveals a drift that was undone.
   * `now` is ms since the epoch. Absent where a reconciler reveals none.
   */
  readonly corrections?: (
    memory: CorrectionMemory | null,
    event: EventWord | null,
    observation: Observation | null,
    now: number,
  ) => CorrectionStep;
}
