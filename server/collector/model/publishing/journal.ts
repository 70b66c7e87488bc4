import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentCluster, CurrentObject, Transition } from '#lib/domain/record/current.ts';
import type { Judgement } from '#lib/domain/verdict/judgement.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import type { CoverageChange, StoredResume, WriteBatch } from '#server/store/port/port.ts';
import { earlierSpans } from '../judging/onset.ts';
import { arrivedOf, publishedOf, type Entry, type Published } from '../objects/entry.ts';
import { detailOf } from '../judging/record.ts';
import { shapeOf } from '../objects/shape.ts';

/** A confirmation is written when this share of its bound has passed since the last one was. */
const flushShare = 0.25;

/** Changes since the last batch, on their way to the record. */
export type Journal = ReturnType<typeof createJournal>;

type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : never;
type Part =
  | 'objects'
  | 'removed'
  | 'transitions'
  | 'changes'
  | 'corrections'
  | 'earlier'
  | 'arrivals'
  | 'confirmations';
type Waiting = { [K in Part]: Mutable<WriteBatch[K]> };

/** Nothing that is to be written. */
export function nothing(): Waiting {
  return {
    objects: [],
    removed: [],
    transitions: [],
    changes: [],
    corrections: [],
    earlier: [],
    arrivals: [],
    confirmations: [],
  };
}

/** Objects that ended, with how much waited when they did: all of that which is theirs is of before. */
type Ended = Map<RefKey, { readonly objects: number; readonly confirmations: number }>;

/** All that waits but that. Gone through once for all of them: a list may end a hundred thousand at once. */
function withoutEnded(waiting: Waiting, ended: Ended): Waiting {
  if (ended.size === 0) return waiting;
  return {
    ...waiting,
    objects: waiting.objects.filter(({ object }, at) => at >= (ended.get(refKey(object.ref))?.objects ?? 0)),
    confirmations: waiting.confirmations.filter(({ ref }, at) => at >= (ended.get(refKey(ref))?.confirmations ?? 0)),
  };
}

function correct({ corrections }: Waiting, entry: Entry): void {
  for (const correction of entry.state.unrecorded) corrections.push({ ref: entry.ref, correction });
  if (entry.state.unrecorded.length > 0) entry.change({ unrecorded: [] });
}

function arrive({ arrivals }: Waiting, entry: Entry, record: CurrentObject, now: number): void {
  const commit = arrivedOf(record);
  if (commit === null || commit === entry.state.arrived) return;
  // Where it was before is not known when it is seen for the first time.
  if (entry.state.arrived !== null) arrivals.push({ ref: entry.ref, commit, at: now });
  entry.change({ arrived: commit });
}

function confirm({ confirmations }: Waiting, entry: Entry, before: Published, record: CurrentObject): void {
  const { observedAt, confirmedAt, validUntil } = record;
  const horizon = validUntil !== null && confirmedAt !== null ? validUntil - confirmedAt : null;
  const gained = validUntil !== null && before.validUntil !== null ? validUntil - before.validUntil : 0;
  const due = horizon === null ? validUntil !== before.validUntil : gained >= horizon * flushShare;
  if (!due) return;
  entry.change({ published: publishedOf(record) });
  confirmations.push({ ref: entry.ref, observedAt, confirmedAt, validUntil });
}

/** From the verdict that was published before, null for none, to that of the record. */
function transitionOf(ref: ObjectRef, record: CurrentObject, before: Published | null, now: number): Transition {
  return {
    ref,
    uid: record.uid,
    at: record.onset.time,
    bound: record.onset.bound,
    noticedAt: now,
    from: before?.verdict ?? null,
    to: record.verdict,
    reason: record.reason,
    message: record.message,
    commit: record.commit,
    attempted: record.revision.attempted,
    rootCause: record.rootCause,
  };
}

function removal({ ref, state: { track } }: Entry, published: Published, at: number): Transition {
  return {
    ref,
    uid: track.latest.uid,
    at,
    bound: 'exact',
    noticedAt: at,
    from: published.verdict,
    to: null,
    reason: 'Deleted',
    message: '',
    commit: published.commit,
    attempted: published.attempted,
    rootCause: null,
  };
}

/** Starts an empty journal. */
export function createJournal() {
  let waiting = nothing();
  const ended: Ended = new Map();
  return {
    /** Takes the present record of an entry: a change, a mere confirmation, or no news at all. `now` in ms. */
    publish(entry: Entry, judgement: Judgement, record: CurrentObject, now: number): void {
      const shape = shapeOf(record, judgement.evidence);
      const before = entry.state.published;
      if (before && entry.state.shape === shape) return confirm(waiting, entry, before, record);
      entry.change({ shape });
      entry.change({ published: publishedOf(record) });
      arrive(waiting, entry, record, now);
      correct(waiting, entry);
      if (before === null) waiting.earlier.push(...earlierSpans(entry));
      waiting.objects.push({ object: record, detail: detailOf(entry, judgement) });
      if (before?.verdict !== record.verdict) waiting.transitions.push(transitionOf(entry.ref, record, before, now));
    },
    /** Takes the end of an object, at `at` (ms). */
    remove(entry: Entry, at: number): void {
      const {
        ref,
        state: { published },
      } = entry;
      if (!published) return;
      // A batch is written removals first: what it holds of the object is of before its end.
      ended.set(entry.key, { objects: waiting.objects.length, confirmations: waiting.confirmations.length });
      correct(waiting, entry);
      waiting.removed.push({ ref, at });
      waiting.transitions.push(removal(entry, published, at));
    },
    /** Takes something that was changed. */
    note: (change: NotedChange): void => void waiting.changes.push(change),
    /** Everything since the last call as one batch; null where there is nothing to say. */
    batch(
      now: number,
      {
        cluster,
        coverage,
        resume,
        setBackTo = null,
      }: {
        cluster: CurrentCluster | null;
        coverage: readonly CoverageChange[];
        resume: readonly StoredResume[];
        /** The clock was set back to this since the last batch; null where it was not. */
        setBackTo?: number | null;
      },
    ): WriteBatch | null {
      waiting = withoutEnded(waiting, ended);
      ended.clear();
      const { objects, removed, transitions, changes, confirmations } = waiting;
      const news = [objects, removed, transitions, changes, confirmations, coverage];
      if (cluster === null && news.every(({ length }) => length === 0)) return null;
      const batch = { at: now, ...(setBackTo === null ? {} : { setBackTo }), cluster, ...waiting, coverage, resume };
      waiting = nothing();
      return batch;
    },
  };
}
