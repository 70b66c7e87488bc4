import { sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { encodeFault } from '../../codec/fault-text.ts';
import type {
  FaultLog,
  FaultNote,
  IncidentBook,
  IncidentState,
  IncidentStep,
  LastWord,
  MemberBook,
  MemberState,
  Pending,
  PendingBook,
} from './book.ts';
import { isOneStep } from './incident-steps.ts';

/** Rows of incidents in memory, each list in the order of its rows. */
export interface IncidentRows {
  readonly states: readonly IncidentState[];
  readonly members: readonly MemberState[];
  readonly steps: readonly IncidentStep[];
  /** Every note that was folded. */
  readonly faults: readonly FaultNote[];
  /** Objects and clusters that members are, by the id of their subject. */
  readonly subjects: ReadonlyMap<number, { readonly ref: ObjectRef | null; readonly cluster: string }>;
}

/** No incident. */
export const noIncidents: IncidentRows = { states: [], members: [], steps: [], faults: [], subjects: new Map() };

/** Rows of incidents that a book grows. */
export interface GrowingIncidents extends IncidentRows {
  readonly states: IncidentState[];
  readonly members: MemberState[];
  readonly steps: IncidentStep[];
  readonly faults: FaultNote[];
  readonly subjects: Map<number, { readonly ref: ObjectRef | null; readonly cluster: string }>;
}

/** Begins without incidents. */
export function growingIncidents(): GrowingIncidents {
  return { states: [], members: [], steps: [], faults: [], subjects: new Map() };
}

/** A book in memory with its log. */
export interface MemoryBook extends IncidentBook {
  readonly log: FaultLog;
  /** All that is pending, by the id of its subject. */
  readonly pending: ReadonlyMap<number, Pending>;
  /** A batch ends: its steps stand. */
  seal(): void;
  /** The machine's clock was set back to `at` (ms): nothing that is pending on a cluster was noticed later. */
  setBack(cluster: number, at: number): void;
}

/** A book over lists: rows are places in them, from 1 on. */
export function memoryBook(rows: GrowingIncidents): MemoryBook {
  const { states, steps } = rows;
  const keys = memoryKeys();
  const members = memoryMembers(rows);
  const pending = memoryPending();
  let sealed = 0;

  function incident(row: number): IncidentState {
    const found = states[row - 1];
    if (found === undefined) throw new Error(`there is no incident ${row}`);
    return found;
  }

  return {
    incident,
    hasId: (id) => states.some((state) => state.id === id),
    addIncident(state) {
      const added = { ...state, row: states.length + 1 };
      states.push(added);
      return added;
    },
    putIncident: (state) => void (states[state.row - 1] = state),
    holders: (key) => keys.holders(key).map(incident),
    holds: keys.holds,
    hold: (row, key) => keys.add(row, key, 1),
    release: (row, key) => keys.add(row, key, -1),
    ...members,
    handOver(from, into, at) {
      keys.handOver(from, into);
      return members.handOver(from, into, at);
    },
    addStep(step) {
      const place = steps.findLastIndex(({ incident: of }) => of === step.incident);
      const before = steps[place];
      if (place >= sealed && before !== undefined && isOneStep(before, step)) steps[place] = step;
      else steps.push(step);
    },
    ...pending,
    log: memoryLog(rows),
    seal: () => void (sealed = steps.length),
  };
}

function memoryLog({ faults }: GrowingIncidents): FaultLog {
  const last = new Map<number, LastWord>();
  return {
    last: (subject) => last.get(subject) ?? null,
    add(note) {
      faults.push(note);
      const isOver = note.type === 'over';
      last.set(note.subject.id, isOver ? 'over' : { fault: encodeFault(note.fault), planned: note.planned });
    },
  };
}

function memoryMembers({ members, subjects }: GrowingIncidents): MemberBook & Pick<IncidentBook, 'handOver'> {
  /** By incident: how many of its members are on each cluster. */
  const onClusters = new Map<number, Map<number, number>>();

  function addMember(member: Omit<MemberState, 'row'>): void {
    members.push({ ...member, row: members.length + 1 });
  }

  function shift(row: number, cluster: number, by: number): number {
    const on = onClusters.get(row) ?? new Map<number, number>();
    onClusters.set(row, on);
    const count = (on.get(cluster) ?? 0) + by;
    on.set(cluster, count);
    return count;
  }

  return {
    timeOf(subject) {
      const its = members.filter(({ subject: { id } }) => id === subject);
      return its.toSorted((a, b) => (b.to ?? Infinity) - (a.to ?? Infinity) || b.row - a.row)[0] ?? null;
    },
    wasMember: (row, subject) => members.some((member) => member.incident === row && member.subject.id === subject),
    isMember: (row, ref) =>
      members.some(({ incident: of, to, subject }) => {
        return of === row && to === null && sameRef(subjects.get(subject.id)?.ref ?? null, ref);
      }),
    membersBeneath: (row, key) =>
      members
        .filter((member) => member.incident === row && member.to === null && member.fault.keys[0] === key)
        .toSorted((a, b) => a.subject.id - b.subject.id),
    lastEnd: (row) =>
      members
        .filter(({ incident, to, ended }) => incident === row && to !== null && ended !== 'moved')
        .toSorted((a, b) => (b.to ?? 0) - (a.to ?? 0) || b.row - a.row)[0]?.ended ?? null,
    addMember,
    putMember: (member) => void (members[member.row - 1] = member),
    shift,
    handOver(from, into, at) {
      const coming = members.filter(({ incident: of, ended }) => of === from && ended !== 'moved');
      for (const member of coming) {
        addMember({ ...member, incident: into, joinedAt: at });
        if (member.to !== null) continue;
        members[member.row - 1] = { ...member, to: Math.max(at, member.from), ended: 'moved' };
        shift(from, member.subject.cluster, -1);
        shift(into, member.subject.cluster, 1);
      }
      const counts = [...(onClusters.get(into)?.values() ?? [])];
      return { members: coming.length, clusters: counts.filter((count) => count > 0).length };
    },
  };
}

function memoryPending(): PendingBook & Pick<MemoryBook, 'pending' | 'setBack'> {
  const pending = new Map<number, Pending>();
  return {
    pending,
    putPending: (one) => void pending.set(one.subject.id, one),
    dropPending(subject) {
      const found = pending.get(subject) ?? null;
      pending.delete(subject);
      return found;
    },
    pendingBeneath: (key) =>
      [...pending.values()]
        .filter(({ fault, planned }) => !planned && fault.keys[0] === key)
        .toSorted((a, b) => a.subject.id - b.subject.id),
    setBack(cluster, at) {
      for (const [id, one] of pending) {
        if (one.subject.cluster !== cluster) continue;
        const times = { at: Math.min(one.at, at), since: Math.min(one.since, at), from: Math.min(one.from, at) };
        pending.set(id, { ...one, ...times });
      }
    },
  };
}

/** By incident: how many of its members have each key. */
function memoryKeys() {
  const counts = new Map<number, Map<string, number>>();

  function add(row: number, key: string, count: number): void {
    const held = counts.get(row) ?? new Map<string, number>();
    counts.set(row, held);
    const next = (held.get(key) ?? 0) + count;
    if (next > 0) held.set(key, next);
    else held.delete(key);
  }

  return {
    add,
    holds: (row: number, key: string): number => counts.get(row)?.get(key) ?? 0,
    /** Rows of incidents, the newest first, at most four. */
    holders: (key: string): readonly number[] =>
      [...counts.keys()]
        .filter((row) => counts.get(row)?.has(key))
        .toSorted((a, b) => b - a)
        .slice(0, 4),
    handOver(from: number, into: number): void {
      for (const [key, count] of counts.get(from) ?? []) add(into, key, count);
      counts.delete(from);
    },
  };
}
