import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentCluster, CurrentObject, Transition } from '#lib/domain/record/current.ts';
import type { Judgement } from '#lib/domain/verdict/judgement.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CoverageChange, StoredResume, WriteBatch } from '#server/store/port/port.ts';
import { rowOf } from '#server/store/codec/record-row.ts';
import { earlierSpans } from '../judging/earlier.ts';
import { arrivedOf, publishedOf, type Entry, type Published } from '../objects/entry.ts';
import { detailOf } from '../judging/record.ts';
import { shapeOf } from '../objects/shape.ts';

/** A confirmation is written when this share of its bound has passed since the last one was. */
const flushShare = 0.25;

/** What has changed since the last batch, on its way to the record. */
export interface Journal {
  /** Takes the present record of an entry: a change, a mere confirmation, or no news at all. `now` in ms. */
  publish(entry: Entry, judgement: Judgement, record: CurrentObject, now: number): void;
  /** Takes the end of an object, at `at` (ms). */
  remove(entry: Entry, at: number): void;
  /** Takes something that was changed. */
  note(change: NotedChange): void;
  /** Everything since the last call as one batch; null where there is nothing to say. */
  batch(
    now: number,
    rest: {
      cluster: CurrentCluster | null;
      coverage: readonly CoverageChange[];
      resume: readonly StoredResume[];
      /** The clock was set back to this since the last batch; null where it was not. */
      setBackTo?: number | null;
    },
  ): WriteBatch | null;
}

type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : never;

/** Starts an empty journal. */
export function createJournal(): Journal {
  let objects: Mutable<WriteBatch['objects']> = [];
  let removed: Mutable<WriteBatch['removed']> = [];
  let transitions: Transition[] = [];
  let noted: NotedChange[] = [];
  let corrections: Mutable<WriteBatch['corrections']> = [];
  let earlier: Mutable<WriteBatch['earlier']> = [];
  let arrivals: Mutable<WriteBatch['arrivals']> = [];
  let confirmations: Mutable<WriteBatch['confirmations']> = [];

  function correct(entry: Entry): void {
    for (const correction of entry.untold) corrections.push({ ref: entry.ref, correction });
    if (entry.untold.length > 0) entry.untold = [];
  }

  function arrive(entry: Entry, record: CurrentObject, now: number): void {
    const commit = arrivedOf(record);
    if (commit === null || commit === entry.arrived) return;
    // Where it was before is not known when it is seen for the first time.
    if (entry.arrived !== null) arrivals.push({ ref: entry.ref, commit, at: now });
    entry.arrived = commit;
  }

  function confirm(entry: Entry, before: Published, record: CurrentObject): void {
    const horizon =
      record.validUntil !== null && record.confirmedAt !== null ? record.validUntil - record.confirmedAt : null;
    const gained = record.validUntil !== null && before.validUntil !== null ? record.validUntil - before.validUntil : 0;
    const due = horizon === null ? record.validUntil !== before.validUntil : gained >= horizon * flushShare;
    if (!due) return;
    const { observedAt, confirmedAt, validUntil } = record;
    entry.published = publishedOf(record);
    confirmations.push({ ref: entry.ref, observedAt, confirmedAt, validUntil });
  }

  return {
    publish(entry, judgement, record, now) {
      const row = rowOf(record);
      const shape = shapeOf(row, judgement.evidence);
      const before = entry.published;
      if (before && entry.shape === shape) return confirm(entry, before, record);
      entry.shape = shape;
      entry.published = publishedOf(record);
      arrive(entry, record, now);
      correct(entry);
      if (before === null) earlier.push(...earlierSpans(entry));
      objects.push({ object: record, row, detail: detailOf(entry, judgement) });
      if (before?.verdict === record.verdict) return;
      transitions.push({
        ref: entry.ref,
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
      });
    },
    remove(entry, at) {
      const { published, ref } = entry;
      if (!published) return;
      // A batch is written removals first: what it holds of the object is of before its end.
      objects = objects.filter(({ object }) => refKey(object.ref) !== entry.key);
      confirmations = confirmations.filter((one) => refKey(one.ref) !== entry.key);
      correct(entry);
      removed.push({ ref, at });
      transitions.push({
        ref,
        uid: entry.track.latest.uid,
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
      });
    },
    note: (change) => void noted.push(change),
    batch(now, { cluster, coverage, resume, setBackTo = null }) {
      const records = objects.length + removed.length + transitions.length + noted.length;
      if (cluster === null && records + confirmations.length + coverage.length === 0) return null;
      const batch: WriteBatch = {
        at: now,
        ...(setBackTo === null ? {} : { setBackTo }),
        cluster,
        objects,
        removed,
        transitions,
        changes: noted,
        corrections,
        earlier,
        arrivals,
        confirmations,
        coverage,
        resume,
      };
      objects = [];
      removed = [];
      transitions = [];
      noted = [];
      corrections = [];
      earlier = [];
      arrivals = [];
      confirmations = [];
      return batch;
    },
  };
}
