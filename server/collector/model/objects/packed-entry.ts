import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import type { Loop } from '../controllers/loops.ts';
import type { Entry, EntryState } from './entry.ts';
import { stateWeight } from './weight.ts';
import type { UnpackedCache, Packable } from './unpacked-cache.ts';

const none: readonly RefKey[] = [];

/** True if an unpacked value is a state that this file has packed. */
function isEntryState(value: unknown): value is EntryState {
  return typeof value === 'object' && value !== null && 'track' in value && 'judgedShownAt' in value;
}

/** A class, because a million of them share its accessors. */
export class PackedEntry implements Entry, Packable {
  readonly key: RefKey;
  weight: number;
  loop: Loop | null = null;
  upstreams = none;
  inventory = none;
  missingSince: Map<RefKey, number> | null = null;
  relabelledAt: number | null = null;
  referenced = true;
  readonly #unpackedCache: UnpackedCache | null;
  #state: EntryState | null;
  /** The state as it was when it was last packed; null where it has changed since. */
  #packed: string | null = null;

  constructor(key: RefKey, state: EntryState, unpackedCache: UnpackedCache | null) {
    this.key = key;
    this.weight = stateWeight(state.track.latest, state);
    this.#state = state;
    this.#unpackedCache = unpackedCache;
    unpackedCache?.admit(this);
  }

  packAway(): void {
    if (this.#unpackedCache && this.#state) this.#packed ??= this.#unpackedCache.packer.pack(this.#state, this.key);
    this.#state = null;
  }

  get state(): EntryState {
    this.referenced = true;
    if (this.#state) return this.#state;
    const state = this.#unpackedCache && this.#packed !== null ? this.#unpackedCache.packer.unpack(this.#packed) : null;
    if (!isEntryState(state)) throw new Error(`${this.key} cannot be unpacked`);
    this.#state = state;
    this.#unpackedCache?.admit(this);
    return state;
  }

  change(part: Partial<EntryState>): void {
    const before: Readonly<Record<string, unknown>> = { ...this.state };
    if (Object.entries(part).every(([field, value]) => before[field] === value)) return;
    Object.assign(this.state, part);
    this.#packed = null;
  }

  get ref(): ObjectRef {
    return this.state.track.latest.ref;
  }
}

const unwritten: Omit<EntryState, 'track' | 'initial' | 'receivedInList'> = {
  clocks: null,
  commits: null,
  judgement: null,
  published: null,
  shape: '',
  judgedShownAt: null,
  noted: null,
  corrections: [],
  correctionMemory: null,
  unrecorded: [],
  arrived: null,
};

/** An entry for an object that is seen for the first time; without a place it never rests. */
export function newEntry(
  ref: ObjectRef,
  track: Track,
  initial: boolean,
  unpackedCache: UnpackedCache | null = null,
): Entry {
  return new PackedEntry(refKey(ref), { ...unwritten, track, initial, receivedInList: initial }, unpackedCache);
}
