import type { Clocks } from '#lib/domain/time/clocks.ts';
import type { CommitMemory } from '#lib/domain/record/commit-range.ts';
import type { CurrentObject, ObjectDetail } from '#lib/domain/record/current.ts';
import type { SettledSummary } from '#lib/domain/observation/observation.ts';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import type { CorrectionMemory } from '../../reconcilers/correction-run.ts';
import { factsOf, type NotedFacts } from '../changes/object-changes.ts';
import { arrivedOf, publishedOf, type Entry, type EntryState } from './entry.ts';
import { PackedEntry } from './packed-entry.ts';
import { shapeOf } from './shape.ts';
import type { UnpackedCache } from './unpacked-cache.ts';

/** Memory kept in the store beside the settled observation, so that a restart goes on where it stood. Times in ms. */
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
  /** Objects that it names and that are not there, and since when; null while there is nothing. */
  readonly missing: readonly (readonly [RefKey, number])[] | null;
  readonly clocks: Clocks | null;
  readonly commits: CommitMemory | null;
  readonly correctionMemory: CorrectionMemory | null;
  readonly arrived: string | null;
  /** Facts noted of its newest write, where its settled one says other; null else. */
  readonly noted: NotedFacts | null;
}

/** The memory of an entry as it goes into the store. */
export function memoryOf(entry: Entry): EntryMemory {
  const {
    state: { track },
  } = entry;
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
    clocks: entry.state.clocks,
    commits: entry.state.commits,
    correctionMemory: entry.state.correctionMemory,
    arrived: entry.state.arrived,
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
    shape: shapeOf(object, detail.evidence),
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
