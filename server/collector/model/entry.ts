import type { Clocks } from '#lib/domain/clocks.ts';
import type { Correction, CurrentObject, ObjectDetail } from '#lib/domain/current.ts';
import type { Judgement } from '#lib/domain/judgement.ts';
import type { SettledWord } from '#lib/domain/observation.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/ref.ts';
import type { Track } from '#lib/domain/track.ts';
import type { CorrectionMemory } from '../reconcilers/correction-memory.ts';
import { factsOf, type NotedFacts } from './object-changes.ts';

/** Everything the collector holds of one object. */
export interface Entry {
  readonly key: RefKey;
  readonly ref: ObjectRef;
  track: Track;
  clocks: Clocks | null;
  judgement: Judgement | null;
  /** What was written last, and its shape without the times that only confirm. */
  published: CurrentObject | null;
  shape: string;
  /** `settled.shownAt` at the last judgement: tells whether its own word changed or something around it. */
  judgedShownAt: number | null;
  /** A first sight within a list: it began before Plumbline looked. */
  initial: boolean;
  /** Its last write came in a list: it may have been made any time since the one before. */
  heardLate: boolean;
  /** What it said when it was last compared with what had been noted of it; null before the first time. */
  noted: NotedFacts | null;
  standsOn: readonly RefKey[];
  /** Keys of its inventory that are of a watched kind, and since when each is missing (ms). */
  inventory: readonly RefKey[];
  /** Null while none is: an empty map for each of a million objects is not for nothing. */
  missingSince: Map<RefKey, number> | null;
  corrections: readonly Correction[];
  correctionMemory: CorrectionMemory | null;
}

/** What is kept in the store beside the settled observation, so that a restart goes on where it stood. Times in ms. */
export interface EntryMemory {
  readonly shownAt: number | null;
  readonly busySince: number | null;
  readonly unobservedSpecSince: number | null;
  readonly lastPassAt: number | null;
  readonly passesSeen: number;
  readonly firstSeenAt: number;
  readonly artifactSince: number | null;
  readonly awakeSince: number | null;
  readonly settled: boolean;
  readonly beforeWait: SettledWord | null;
  /** What it names and is not there, and since when; null while there is nothing. */
  readonly missing: readonly (readonly [RefKey, number])[] | null;
  readonly clocks: Clocks | null;
  readonly correctionMemory: CorrectionMemory | null;
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
    lastPassAt: track.lastPassAt,
    passesSeen: track.passesSeen,
    firstSeenAt: track.firstSeenAt,
    artifactSince: track.artifactSince,
    awakeSince: track.awakeSince,
    settled: track.settled !== null,
    beforeWait: track.beforeWait,
    missing: entry.missingSince && entry.missingSince.size > 0 ? [...entry.missingSince] : null,
    clocks: entry.clocks,
    correctionMemory: entry.correctionMemory,
    noted: notedBeside(entry),
  };
}

function notedBeside({ noted, track }: Entry): NotedFacts | null {
  const settled = track.settled?.observation ?? track.latest;
  if (noted === null || noted === settled) return null;
  const facts = factsOf(noted);
  return JSON.stringify(facts) === JSON.stringify(factsOf(settled)) ? null : facts;
}

/** An entry for an object that is seen for the first time. */
export function newEntry(ref: ObjectRef, track: Track, initial: boolean): Entry {
  return {
    key: refKey(ref),
    ref,
    track,
    clocks: null,
    judgement: null,
    published: null,
    shape: '',
    judgedShownAt: null,
    initial,
    heardLate: initial,
    noted: null,
    standsOn: [],
    inventory: [],
    missingSince: null,
    corrections: [],
    correctionMemory: null,
  };
}

function isMemory(value: unknown): value is EntryMemory {
  return (
    typeof value === 'object' && value !== null && 'firstSeenAt' in value && 'clocks' in value && 'passesSeen' in value
  );
}

/** An entry as the store remembers it; null where the memory is of another make. */
export function restoreEntry(object: CurrentObject, detail: ObjectDetail): Entry | null {
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
    lastPassAt:
      Math.max(memory.lastPassAt ?? 0, object.confirmation === 'pass' ? (object.confirmedAt ?? 0) : 0) || null,
    passesSeen: memory.passesSeen,
    firstSeenAt: memory.firstSeenAt,
    artifactSince: memory.artifactSince,
    awakeSince: memory.awakeSince ?? null,
  };
  return {
    ...newEntry(object.ref, track, false),
    clocks: memory.clocks,
    noted: latest,
    published: object,
    judgedShownAt: memory.shownAt,
    missingSince: memory.missing ? new Map(memory.missing) : null,
    corrections: detail.corrections,
    correctionMemory: memory.correctionMemory,
  };
}
