import type { Clocks } from '#lib/domain/time/clocks.ts';
import type { CommitMemory } from '#lib/domain/record/commit-range.ts';
import type { Correction, CurrentObject } from '#lib/domain/record/current.ts';
import type { JudgedAs } from '#lib/domain/verdict/judgement.ts';
import type { ObjectRef, RefKey } from '#lib/domain/observation/ref.ts';
import type { Track } from '#lib/domain/observation/track.ts';
import type { CorrectionMemory } from '../../reconcilers/correction-run.ts';
import type { Loop } from '../controllers/loops.ts';
import type { NotedFacts } from '../changes/object-changes.ts';

/** Fields of the record written last that later writes compare with. */
export type Published = Pick<CurrentObject, 'verdict' | 'commit' | 'observedAt' | 'validUntil'> & {
  readonly attempted: string | null;
};

/** State that is packed while nobody looks at an object: plain data, through and through. */
export interface EntryState {
  readonly track: Track;
  readonly clocks: Clocks | null;
  /** Where it works and since which revision it does not; null of what is no applier, and before the first judgement. */
  readonly commits: CommitMemory | null;
  /** Of the last judgement what its dependents read; all else of it is in the record. */
  readonly judgement: JudgedAs | null;
  readonly published: Published | null;
  /** The shape of the record that was written last, without the times that only confirm. */
  readonly shape: string;
  /** `settled.shownAt` at the last judgement: tells whether its own status changed or something around it. */
  readonly judgedShownAt: number | null;
  /** A first sight within a list: it began before Plumbline looked. */
  readonly initial: boolean;
  /** Its last write came in a list: it may have been made any time since the one before. */
  readonly receivedInList: boolean;
  /** Facts that it said when it was last compared with what had been noted of it; null before the first time. */
  readonly noted: NotedFacts | null;
  readonly corrections: readonly Correction[];
  readonly correctionMemory: CorrectionMemory | null;
  /** Corrections that the record has yet to be told, each as it was found. */
  readonly unrecorded: readonly Correction[];
  /** The commit at which this applier was converged last; null where that is not known. */
  readonly arrived: string | null;
}

/** Everything the collector holds of one object. */
export interface Entry {
  readonly key: RefKey;
  readonly ref: ObjectRef;
  /** Unpacks it where it is packed: to be read anew each time, for it may be packed between two reads. */
  readonly state: Readonly<EntryState>;
  change(part: Partial<EntryState>): void;
  /** About how much memory it takes (bytes). */
  weight: number;
  /** The loop that turns for it, null where none is known; read without unpacking it. */
  loop: Loop | null;
  upstreams: readonly RefKey[];
  /** Keys of its inventory that are of a watched kind, and since when each is missing (ms). */
  inventory: readonly RefKey[];
  /** Null while none is: an empty map for each of a million objects is not for nothing. */
  missingSince: Map<RefKey, number> | null;
  /** When its owner labels were seen to name another applier than before (ms); null where they never were. */
  relabelledAt: number | null;
}

/** The commit at which an applier is converged; null where it is none, or is not. */
export function arrivedOf({ role, verdict, commit }: CurrentObject): string | null {
  return role === 'applier' && verdict === 'converged' ? commit : null;
}

/** Part of a record that is kept once it was written. */
export function publishedOf(record: CurrentObject): Published {
  const { verdict, commit, observedAt, validUntil, revision } = record;
  return { verdict, commit, observedAt, validUntil, attempted: revision.attempted };
}
