import type { Clocks } from '#lib/domain/time/clocks.ts';
import type { CommitMemory } from '#lib/domain/record/commit-range.ts';
import type { Correction, CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import type { JudgedAs } from '#lib/domain/verdict/judgement.ts';
import type { SettledSummary } from '#lib/domain/observation/observation.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import { rowOf } from '#server/store/codec/record-row.ts';
import type { CorrectionMemory } from '../../reconcilers/correction-memory.ts';
import type { Loop } from '../controllers/loops.ts';
import type { UnpackedCache, Packable } from './unpacked-cache.ts';
import { shapeOf } from './shape.ts';
import { factsOf, type NotedFacts } from '../changes/object-changes.ts';

/** What later writes compare the record with that was written last. */
export type Published = Pick<CurrentObject, 'verdict' | 'commit' | 'observedAt' | 'validUntil'> & {
  readonly attempted: string | null;
};

/** What is packed while nobody looks at an object: plain data, through and through. */
interface EntryState {
  track: Track;
  clocks: Clocks | null;
  /** Where it works and since which revision it does not; null of what is no applier, and before the first judgement. */
  commits: CommitMemory | null;
  /** Of the last judgement what others rest on; the rest of it is in the record. */
  judgement: JudgedAs | null;
  published: Published | null;
  /** The shape of the record that was written last, without the times that only confirm. */
  shape: string;
  /** `settled.shownAt` at the last judgement: tells whether its own word changed or something around it. */
  judgedShownAt: number | null;
  /** A first sight within a list: it began before Plumbline looked. */
  initial: boolean;
  /** Its last write came in a list: it may have been made any time since the one before. */
  receivedInList: boolean;
  /** What it said when it was last compared with what had been noted of it; null before the first time. */
  noted: NotedFacts | null;
  corrections: readonly Correction[];
  correctionMemory: CorrectionMemory | null;
  /** Corrections that the record has yet to be told, each as it was found. */
  untold: readonly Correction[];
  /** The commit at which this applier was converged last; null where that is not known. */
  arrived: string | null;
}

/** Everything the collector holds of one object. Whatever is read of its life wakes it. */
export interface Entry extends EntryState {
  readonly key: RefKey;
  readonly ref: ObjectRef;
  /** The loop that turns for it, null where none is known; read without waking it. */
  loop: Loop | null;
  standsOn: readonly RefKey[];
  /** Keys of its inventory that are of a watched kind, and since when each is missing (ms). */
  inventory: readonly RefKey[];
  /** Null while none is: an empty map for each of a million objects is not for nothing. */
  missingSince: Map<RefKey, number> | null;
}

const none: readonly RefKey[] = [];

/** Whether an unpacked value is the life that this file has packed. */
function isEntryState(value: unknown): value is EntryState {
  return typeof value === 'object' && value !== null && 'track' in value && 'judgedShownAt' in value;
}

/** A class, because a million of them share its accessors. */
class PackedEntry implements Entry, Packable {
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

/** What is kept in the store beside the settled observation, so that a restart goes on where it stood. Times in ms. */
export interface EntryMemory {
  readonly shownAt: number | null;
  readonly busySince: number | null;
  readonly unobservedSpecSince: number | null;
  readonly specSince: number | null;
  readonly lastPassAt: number | null;
  readonly passesSeen: number;
  readonly firstSeenAt: number;
  readonly artifactSince: number | null;
  readonly awakeSince: number | null;
  readonly undoingSince: number | null;
  readonly settled: boolean;
  readonly beforeWait: SettledSummary | null;
  /** What it names and is not there, and since when; null while there is nothing. */
  readonly missing: readonly (readonly [RefKey, number])[] | null;
  readonly clocks: Clocks | null;
  readonly commits: CommitMemory | null;
  readonly correctionMemory: CorrectionMemory | null;
  readonly arrived: string | null;
  /** What was noted of its newest write, where its settled one says other; null else. */
  readonly noted: NotedFacts | null;
}

/** The memory of an entry as it goes into the store. */
export function memoryOf(entry: Entry): EntryMemory {
  const { track } = entry;
  return {
    shownAt: track.settled?.shownAt ?? null,
    busySince: track.busySince,
    unobservedSpecSince: track.unobservedSpecSince,
    specSince: track.specSince,
    lastPassAt: track.lastPassAt,
    passesSeen: track.passesSeen,
    firstSeenAt: track.firstSeenAt,
    artifactSince: track.artifactSince,
    awakeSince: track.awakeSince,
    undoingSince: track.undoingSince,
    settled: track.settled !== null,
    beforeWait: track.beforeWait,
    missing: entry.missingSince && entry.missingSince.size > 0 ? [...entry.missingSince] : null,
    clocks: entry.clocks,
    commits: entry.commits,
    correctionMemory: entry.correctionMemory,
    arrived: entry.arrived,
    noted: notedBeside(entry),
  };
}

function notedBeside({ noted, track }: Entry): NotedFacts | null {
  const settled = track.settled?.observation ?? track.latest;
  if (noted === null || noted === settled) return null;
  const facts = factsOf(noted);
  return JSON.stringify(facts) === JSON.stringify(factsOf(settled)) ? null : facts;
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

function isMemory(value: unknown): value is EntryMemory {
  return (
    typeof value === 'object' && value !== null && 'firstSeenAt' in value && 'clocks' in value && 'passesSeen' in value
  );
}

/** An entry as the store remembers it; null where the memory is of another make. */
export function restoreEntry(
  object: CurrentObject,
  detail: ObjectDetail,
  unpackedCache: UnpackedCache | null = null,
): Entry | null {
  const memory = detail.memory;
  if (!isMemory(memory)) return null;
  const { observation } = detail;
  const latest = memory.noted ? { ...observation, ...memory.noted } : observation;
  const track: Track = {
    latest,
    latestAt: object.observedAt,
    settled: memory.settled ? { observation, shownAt: memory.shownAt ?? object.observedAt } : null,
    beforeWait: memory.beforeWait,
    pending: null,
    busySince: memory.settled ? null : memory.busySince,
    unobservedSpecSince: memory.unobservedSpecSince,
    specSince: memory.specSince ?? null,
    lastPassAt:
      Math.max(memory.lastPassAt ?? 0, object.confirmation === 'pass' ? (object.confirmedAt ?? 0) : 0) || null,
    passesSeen: memory.passesSeen,
    firstSeenAt: memory.firstSeenAt,
    artifactSince: memory.artifactSince,
    awakeSince: memory.awakeSince ?? null,
    undoingSince: memory.undoingSince ?? null,
  };
  const life: EntryState = {
    track,
    clocks: memory.clocks,
    commits: memory.commits ?? null,
    judgement: null,
    published: publishedOf(object),
    shape: shapeOf(rowOf(object), detail.evidence),
    judgedShownAt: memory.shownAt,
    initial: false,
    receivedInList: false,
    noted: latest,
    corrections: detail.corrections,
    correctionMemory: memory.correctionMemory,
    untold: [],
    arrived: memory.arrived ?? arrivedOf(object),
  };
  const entry = new PackedEntry(refKey(object.ref), life, unpackedCache);
  entry.missingSince = memory.missing ? new Map(memory.missing) : null;
  return entry;
}

/** The commit at which an applier is converged; null where it is none, or is not. */
export function arrivedOf({ role, verdict, commit }: CurrentObject): string | null {
  return role === 'applier' && verdict === 'converged' ? commit : null;
}

/** What is kept of a record that was written. */
export function publishedOf(record: CurrentObject): Published {
  const { verdict, commit, observedAt, validUntil, revision } = record;
  return { verdict, commit, observedAt, validUntil, attempted: revision.attempted };
}
