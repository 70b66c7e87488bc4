import type { CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import { factsOf, type NotedFacts } from '../changes/object-changes.ts';
import { arrivedOf, publishedOf, type Entry, type EntryState } from './entry.ts';
import { PackedEntry } from './packed-entry.ts';
import { shapeOf } from './shape.ts';
import type { UnpackedCache } from './unpacked-cache.ts';

type RememberedOfTrack = Omit<Track, 'latest' | 'latestAt' | 'settled' | 'pending'>;
type RememberedOfState = Pick<EntryState, 'clocks' | 'commits' | 'correctionMemory' | 'arrived'>;

/** Memory kept in the store beside the settled observation, so that a restart goes on where it stood. Times in ms. */
export interface EntryMemory extends RememberedOfTrack, RememberedOfState {
  readonly shownAt: number | null;
  readonly settled: boolean;
  /** Objects that it names and that are not there, and since when; null while there is nothing. */
  readonly missing: readonly (readonly [RefKey, number])[] | null;
  /** Facts noted of its newest write, where its settled one says other; null else. */
  readonly noted: NotedFacts | null;
}

/** The memory of an entry as it goes into the store. */
export function memoryOf(entry: Entry): EntryMemory {
  const { track, clocks, commits, correctionMemory, arrived } = entry.state;
  const { latest: _latest, latestAt: _latestAt, settled, pending: _pending, ...remembered } = track;
  return {
    ...remembered,
    clocks,
    commits,
    correctionMemory,
    arrived,
    shownAt: settled?.shownAt ?? null,
    settled: settled !== null,
    missing: entry.missingSince && entry.missingSince.size > 0 ? [...entry.missingSince] : null,
    noted: notedBeside(entry),
  };
}

function notedBeside({ state: { noted, track } }: Entry): NotedFacts | null {
  const settled = track.settled?.observation ?? track.latest;
  if (noted === null || noted === settled) return null;
  const facts = factsOf(noted);
  return JSON.stringify(facts) === JSON.stringify(factsOf(settled)) ? null : facts;
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
  const {
    shownAt,
    settled,
    missing,
    clocks,
    commits,
    correctionMemory,
    arrived,
    noted: _noted,
    ...remembered
  } = memory;
  const passed = object.confirmation === 'pass' ? (object.confirmedAt ?? 0) : 0;
  const track: Track = {
    ...remembered,
    latest,
    latestAt: object.observedAt,
    settled: settled ? { observation, shownAt: shownAt ?? object.observedAt } : null,
    pending: null,
    busySince: settled ? null : remembered.busySince,
    lastPassAt: Math.max(remembered.lastPassAt ?? 0, passed) || null,
  };
  const state: EntryState = {
    track,
    clocks,
    commits,
    correctionMemory,
    initial: false,
    receivedInList: false,
    judgement: null,
    unrecorded: [],
    published: publishedOf(object),
    shape: shapeOf(object, detail.evidence),
    judgedShownAt: shownAt,
    noted: latest,
    corrections: detail.corrections,
    arrived: arrived ?? arrivedOf(object),
  };
  const entry = new PackedEntry(refKey(object.ref), state, unpackedCache);
  entry.missingSince = missing && new Map(missing);
  return entry;
}
