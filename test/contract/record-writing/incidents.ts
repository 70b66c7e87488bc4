import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import { refKey, type ObjectRef, type RefKey } from '#lib/domain/observation/ref.ts';
import { defaultIncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { CoverageChange } from '#server/store/port/port.ts';
import type { FaultNote, NotedSubject } from '#server/store/record/incident/book.ts';
import { memoryBook, type GrowingIncidents } from '#server/store/record/incident/memory-book.ts';
import {
  noteOfCoverage,
  noteOfRecord,
  type FaultRecord,
  type KnownAbsence,
} from '#server/store/record/incident/notes.ts';
import { replanned, type PlannedWindow } from '#server/store/record/incident/planned.ts';
import { takeBatch, type Plans } from '#server/store/record/incident/take-batch.ts';

/** Takes what is written of absences and coverage into incidents, batch by batch. */
export interface IncidentWriter {
  /** A record of an object that is in this absence, the one at a place; `at`: when it was noticed (ms). */
  record(place: number, absence: Absence, record: FaultRecord, at: number): void;
  /** The absence at a place is over. */
  over(place: number, absence: Absence): void;
  /** A row of coverage at a place; `objects`: how many live on its cluster. */
  covered(place: number, change: CoverageChange, objects: number): void;
  /** Planned work on a cluster as it is configured at `at` (ms). */
  planned(cluster: string, work: readonly PlannedWork[], at: number): void;
  /** The batch, written at `at` (ms), ends: what it told is folded. */
  commit(at: number): void;
  /** The machine's clock was set back to `at` (ms). */
  setBack(cluster: string, at: number): void;
}

/** Begins without incidents. */
export function startIncidents(rows: GrowingIncidents): IncidentWriter {
  const book = memoryBook(rows);
  const clusterId = idsOf<string>();
  const objectId = idsOf<RefKey>();
  const losses = new Map<string, number>();
  const windows = new Map<number, PlannedWindow[]>();
  const subjects = new Map<number, NotedSubject>();
  let notes: FaultNote[] = [];

  function take(note: FaultNote | null, ref: ObjectRef | null, cluster: string): void {
    if (note === null) return;
    if (note.type === 'away') {
      rows.subjects.set(note.subject.id, { ref, cluster });
      subjects.set(note.subject.id, note.subject);
    }
    notes.push(note);
  }

  function known(place: number, absence: Absence): KnownAbsence {
    const { ref } = absence;
    return { id: place + 1, cluster: clusterId(ref.cluster), object: objectId(refKey(ref)), absence };
  }

  function byPlan(cluster: number) {
    const its = [...book.pending.values()].filter((one) => one.planned && one.subject.cluster === cluster);
    return its.toSorted((a, b) => a.subject.id - b.subject.id);
  }

  const plans: Plans = {
    windows: (cluster) => windows.get(cluster) ?? [],
    clusters: () =>
      [...windows.keys()].flatMap((cluster) => {
        const its = byPlan(cluster);
        return its.length === 0 ? [] : [{ cluster, at: Math.min(...its.map(({ at }) => at)) }];
      }),
    pending: (cluster) =>
      byPlan(cluster).flatMap((pending) => {
        const subject = subjects.get(pending.subject.id);
        return subject === undefined ? [] : [{ pending, subject }];
      }),
  };

  return {
    record(place, absence, record, at) {
      take(noteOfRecord(known(place, absence), record, at), absence.ref, absence.ref.cluster);
    },
    over(place, absence) {
      const { ref, ended, closedAt } = absence;
      if (ended === null || closedAt === null) return;
      const { id, cluster, object } = known(place, absence);
      take({ type: 'over', at: closedAt, subject: { id, cluster, object }, ended }, ref, ref.cluster);
    },
    covered(place, change, objects) {
      const { cluster } = change;
      const lost = losses.get(cluster) ?? null;
      const note = noteOfCoverage(change, { id: place + 1, cluster: clusterId(cluster), objects }, lost);
      if (note?.type === 'away') losses.set(cluster, note.subject.id);
      if (note?.type === 'over') losses.delete(cluster);
      take(note, null, cluster);
    },
    planned(cluster, work, at) {
      const id = clusterId(cluster);
      const before = windows.get(id) ?? [];
      const { withdrawn, begun } = replanned(before, work, at);
      const kept = before.map((window) => (withdrawn.includes(window) ? { ...window, until: at } : window));
      windows.set(id, [...kept, ...begun]);
    },
    commit(at) {
      takeBatch({ book, log: book.log, plans, policy: defaultIncidentPolicy }, notes, at);
      book.seal();
      notes = [];
    },
    setBack(cluster, at) {
      setClusterBack(rows, cluster, at);
      book.setBack(clusterId(cluster), at);
    },
  };
}

/** Numbers from 1 on, one for each key. */
function idsOf<T>(): (key: T) => number {
  const ids = new Map<T, number>();
  return (key) => {
    const id = ids.get(key) ?? ids.size + 1;
    ids.set(key, id);
    return id;
  };
}

/** Nothing of a cluster was noticed after `at` (ms). */
function setClusterBack(rows: GrowingIncidents, cluster: string, at: number): void {
  const isOf = (subject: number): boolean => rows.subjects.get(subject)?.cluster === cluster;
  const own = new Set(rows.members.filter(({ subject }) => isOf(subject.id)).map(({ incident }) => incident));
  for (const [place, note] of rows.faults.entries()) {
    if (!isOf(note.subject.id) || note.at <= at) continue;
    rows.faults[place] = note.type === 'over' ? { ...note, at } : { ...note, at, since: Math.min(note.since, at) };
  }
  for (const [place, member] of rows.members.entries()) {
    if (!isOf(member.subject.id)) continue;
    const { subject, to } = member;
    rows.members[place] = {
      ...member,
      subject: { ...subject, noticedAt: Math.min(subject.noticedAt, at) },
      from: Math.min(member.from, at),
      joinedAt: Math.min(member.joinedAt, at),
      faultAt: Math.min(member.faultAt, at),
      to: to === null ? null : Math.min(to, at),
    };
  }
  for (const row of own) setIncidentBack(rows, row, at);
}

function setIncidentBack({ states, steps }: GrowingIncidents, row: number, at: number): void {
  const state = states[row - 1];
  if (state === undefined) return;
  const { mergedAt, changedAt, grownAt, leftAt } = state;
  states[row - 1] = {
    ...state,
    ...timesBack(state, at),
    mergedAt: mergedAt === null ? null : Math.min(mergedAt, at),
    changedAt: Math.min(changedAt, at),
    grownAt: Math.min(grownAt, at),
    leftAt: Math.min(leftAt, at),
  };
  for (const [place, step] of steps.entries())
    if (step.incident === row && step.at > at) steps[place] = { ...step, ...timesBack(step, at), at };
}

function timesBack(
  { openedAt, noticedAt, closedAt }: { openedAt: number; noticedAt: number; closedAt: number | null },
  at: number,
) {
  return {
    openedAt: Math.min(openedAt, at),
    noticedAt: Math.min(noticedAt, at),
    closedAt: closedAt === null ? null : Math.min(closedAt, at),
  };
}

/** Number of objects that live on a cluster. */
export function countOn(living: ReadonlyMap<RefKey, { readonly ref: ObjectRef }>, cluster: string): number {
  return [...living.values()].filter(({ ref }) => ref.cluster === cluster).length;
}
