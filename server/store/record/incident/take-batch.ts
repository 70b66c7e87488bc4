import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { FaultLog, FaultNote, IncidentBook, NotedSubject, Pending } from './book.ts';
import { takeNote } from './fault-log.ts';
import { inOrder } from './notes.ts';
import { plannedUntil, type PlannedWindow } from './planned.ts';

/** Planned work as an engine knows it while it takes a batch. */
export interface Plans {
  /** Planned work on a cluster that may last, or may have lasted when something that is still away was noticed. */
  windows(cluster: number): readonly PlannedWindow[];
  /** Clusters on which something is away by plan, with the time (ms) at which the first of it was noticed. */
  clusters(): readonly { readonly cluster: number; readonly at: number }[];
  /** All that is away by plan on a cluster, by the id of its subject. */
  pending(cluster: number): readonly { readonly pending: Pending; readonly subject: NotedSubject }[];
}

/** Where a batch is taken to. */
export interface Taking {
  readonly book: IncidentBook;
  readonly log: FaultLog;
  readonly plans: Plans;
  readonly policy: IncidentPolicy;
}

/**
 * Takes the notes of one batch, written at `now` (ms), into the incidents. What was away by plan, on whatever cluster, is so no longer
 * once its planned work has ended: that is noted at its end, before anything that was noticed later.
 */
export function takeBatch(taking: Taking, notes: readonly FaultNote[], now: number): void {
  const { book, log, plans, policy } = taking;
  let next = firstEnd(plans);
  for (const note of inOrder(notes)) {
    if (note.at >= next) next = endPlans(taking, note.at);
    const end = note.type === 'away' ? plannedUntil(plans.windows(note.subject.cluster), note.at) : null;
    if (end !== null) next = Math.min(next, end);
    takeNote(book, log, note.type === 'over' ? note : { ...note, planned: end !== null }, policy);
  }
  if (now >= next) endPlans(taking, now);
}

function firstEnd(plans: Plans): number {
  const ends = plans.clusters().map(({ cluster, at }) => plannedUntil(plans.windows(cluster), at) ?? at);
  return Math.min(Infinity, ...ends);
}

/** Ends what was planned up to `upTo` (ms); gives when the next ends. */
function endPlans(taking: Taking, upTo: number): number {
  const { book, log, plans, policy } = taking;
  const ended: FaultNote[] = [];
  for (const { cluster } of plans.clusters()) {
    const windows = plans.windows(cluster);
    for (const { pending, subject } of plans.pending(cluster)) {
      const at = plannedUntil(windows, pending.at) ?? pending.at;
      const { fault, since } = pending;
      if (at <= upTo) ended.push({ type: 'away', at, since, subject, fault, planned: false });
    }
  }
  for (const note of inOrder(ended)) takeNote(book, log, note, policy);
  return firstEnd(plans);
}
