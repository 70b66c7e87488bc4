import type { Clocks } from '#lib/domain/time/clocks.ts';
import type { CommitMemory } from '#lib/domain/record/commit-range.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import type { JudgedAs } from '#lib/domain/verdict/judgement.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import type { CorrectionMemory } from '../../reconcilers/correction-run.ts';
import type { Loop } from '../controllers/loops.ts';
import type { NotedFacts } from '../changes/object-changes.ts';
import type { Entry, EntryState, Published } from './entry.ts';
import type { UnpackedCache, Packable } from './unpacked-cache.ts';

const none: readonly RefKey[] = [];

/** True if an unpacked value is the life that this file has packed. */
function isEntryState(value: unknown): value is EntryState {
  return typeof value === 'object' && value !== null && 'track' in value && 'judgedShownAt' in value;
}

/** A class, because a million of them share its accessors. */
export class PackedEntry implements Entry, Packable {
  readonly key: RefKey;
  loop: Loop | null = null;
  standsOn = none;
  inventory = none;
  missingSince: Map<RefKey, number> | null = null;
  referenced = true;
  readonly #unpackedCache: UnpackedCache | null;
  #life: EntryState | null;
  /** The life as it was when it was last packed; null where it has changed since. */
  #packed: string | null = null;

  constructor(key: RefKey, life: EntryState, unpackedCache: UnpackedCache | null) {
    this.key = key;
    this.#life = life;
    this.#unpackedCache = unpackedCache;
    unpackedCache?.admit(this);
  }

  packAway(): void {
    if (this.#unpackedCache && this.#life) this.#packed ??= this.#unpackedCache.packer.pack(this.#life, this.key);
    this.#life = null;
  }

  #look(): EntryState {
    this.referenced = true;
    if (this.#life) return this.#life;
    const life = this.#unpackedCache && this.#packed !== null ? this.#unpackedCache.packer.unpack(this.#packed) : null;
    if (!isEntryState(life)) throw new Error(`${this.key} cannot be woken`);
    this.#life = life;
    this.#unpackedCache?.admit(this);
    return life;
  }

  #change(): EntryState {
    const life = this.#look();
    this.#packed = null;
    return life;
  }

  get ref(): ObjectRef {
    return this.#look().track.latest.ref;
  }

  get track(): Track {
    return this.#look().track;
  }

  set track(track: Track) {
    if (track !== this.#look().track) this.#change().track = track;
  }

  get clocks(): Clocks | null {
    return this.#look().clocks;
  }

  set clocks(clocks: Clocks | null) {
    if (clocks !== this.#look().clocks) this.#change().clocks = clocks;
  }

  get commits(): CommitMemory | null {
    return this.#look().commits;
  }

  set commits(commits: CommitMemory | null) {
    if (commits !== this.#look().commits) this.#change().commits = commits;
  }

  get judgement(): JudgedAs | null {
    return this.#look().judgement;
  }

  set judgement(judgement: JudgedAs | null) {
    this.#change().judgement = judgement;
  }

  get published(): Published | null {
    return this.#look().published;
  }

  set published(published: Published | null) {
    this.#change().published = published;
  }

  get shape(): string {
    return this.#look().shape;
  }

  set shape(shape: string) {
    if (shape !== this.#look().shape) this.#change().shape = shape;
  }

  get judgedShownAt(): number | null {
    return this.#look().judgedShownAt;
  }

  set judgedShownAt(at: number | null) {
    if (at !== this.#look().judgedShownAt) this.#change().judgedShownAt = at;
  }

  get initial(): boolean {
    return this.#look().initial;
  }

  get receivedInList(): boolean {
    return this.#look().receivedInList;
  }

  set receivedInList(late: boolean) {
    if (late !== this.#look().receivedInList) this.#change().receivedInList = late;
  }

  get noted(): NotedFacts | null {
    return this.#look().noted;
  }

  set noted(noted: NotedFacts | null) {
    if (noted !== this.#look().noted) this.#change().noted = noted;
  }

  get corrections(): readonly Correction[] {
    return this.#look().corrections;
  }

  set corrections(corrections: readonly Correction[]) {
    this.#change().corrections = corrections;
  }

  get correctionMemory(): CorrectionMemory | null {
    return this.#look().correctionMemory;
  }

  set correctionMemory(memory: CorrectionMemory | null) {
    if (memory !== this.#look().correctionMemory) this.#change().correctionMemory = memory;
  }

  get untold(): readonly Correction[] {
    return this.#look().untold;
  }

  set untold(corrections: readonly Correction[]) {
    if (corrections !== this.#look().untold) this.#change().untold = corrections;
  }

  get arrived(): string | null {
    return this.#look().arrived;
  }

  set arrived(commit: string | null) {
    if (commit !== this.#look().arrived) this.#change().arrived = commit;
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
  untold: [],
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
