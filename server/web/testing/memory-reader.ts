import type { KnownAlarms } from '#lib/domain/alarm/chain.ts';
import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { toldAlarms } from './told-alarms.ts';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail, Transition } from '#lib/domain/record/current.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Change, CoverageChange, StoreReader } from '#server/store/port/port.ts';
import { readNoted } from '#server/store/record/noted.ts';
import type { LastKnownOrigin } from '#server/store/record/past-object.ts';
import { readRecord } from '#server/store/record/record.ts';
import { nothingRecorded, type Recorded } from '#server/store/record/recorded.ts';
import type { StoreSource } from '../cache/follower.ts';
import { recorded as withIncidents } from '../report/testing/recorded.ts';

/** A store in memory for tests: what is written is followed, in order; it can go away and come back as another one. */
export interface MemoryStore {
  readonly source: StoreSource;
  write(...changes: readonly Change[]): void;
  /** With the alarm that it has at first, where `alarms` is asked. */
  object(object: CurrentObject | KnownObject, detail?: ObjectDetail): void;
  readonly alarms: KnownAlarms;
  cluster(cluster: CurrentCluster): void;
  transition(transition: Transition): void;
  absence(absence: Absence): void;
  covered(change: CoverageChange): void;
  changed(change: NotedChange): void;
  /** Rows of the record that have no writer of their own here. */
  keep(rows: Partial<Kept>): void;
  /** Stored history has been made into incidents up to then (ms) only; null: all of it. */
  made(upTo: number | null): void;
  /** Every call fails with this message from now on; null mends it. */
  fail(message: string | null): void;
  /** The collector says that it cannot write, in these words; null that it can. */
  refuse(words: string | null): void;
  /** The file is gone. */
  vanish(): void;
  /** Another, empty store stands in its place. */
  replace(): void;
}

type Kept = Pick<Recorded, 'arrivals' | 'calls' | 'corrections'> & {
  readonly origins: Iterable<readonly [RefKey, LastKnownOrigin]>;
};

/** Contents of a store in memory. */
interface Held {
  log: readonly Change[];
  readonly details: Map<string, ObjectDetail>;
  readonly transitions: Transition[];
  readonly absences: Absence[];
  readonly coverage: CoverageChange[];
  readonly changes: NotedChange[];
  readonly arrivals: Kept['arrivals'][number][];
  readonly calls: Kept['calls'][number][];
  readonly corrections: Kept['corrections'][number][];
  readonly origins: Map<RefKey, LastKnownOrigin>;
  madeUpTo: number | null;
  /** Why no call succeeds; null where they do. */
  failure: string | null;
}

/** Makes a store that is there: empty, with the incidents that its absences make; or with the record that `written` has, which may grow. */
export function memoryStore(written: Recorded | null = null): MemoryStore {
  const held: Held = {
    log: [],
    transitions: [],
    absences: [],
    coverage: [],
    changes: [],
    arrivals: [],
    calls: [],
    corrections: [],
    origins: new Map(),
    madeUpTo: null,
    details: new Map(),
    failure: null,
  };
  const reader = readerOf(held, written);
  const alarms = toldAlarms([]);
  let identity: string | null = 'store-1';
  let generation = 1;
  let condition: string | null = null;

  const write = (...changes: readonly Change[]): void => void (held.log = [...held.log, ...changes]);
  return {
    source: { open: () => reader, identity: () => identity, condition: () => condition },
    write,
    alarms,
    object(object, detail) {
      if ('alarm' in object) alarms.tell(object);
      if (detail) held.details.set(refKey(object.ref), detail);
      write({ type: 'object', object });
    },
    cluster: (cluster) => write({ type: 'cluster', cluster }),
    transition: (transition) => void held.transitions.push(transition),
    absence: (absence) => void held.absences.push(absence),
    covered: (change) => void held.coverage.push(change),
    changed: (change) => void held.changes.push(change),
    keep({ arrivals = [], calls = [], corrections = [], origins = [] }) {
      held.arrivals.push(...arrivals);
      held.calls.push(...calls);
      held.corrections.push(...corrections);
      for (const [key, origin] of origins) held.origins.set(key, origin);
    },
    made: (upTo) => void (held.madeUpTo = upTo),
    fail: (message) => void (held.failure = message),
    refuse: (words) => void (condition = words),
    vanish: () => void (identity = null),
    replace() {
      generation += 1;
      identity = `store-${generation}`;
      held.log = [];
      held.details.clear();
    },
  };
}

function readerOf(held: Held, written: Recorded | null): StoreReader {
  const { details, transitions } = held;
  const recorded = written ?? { ...nothingRecorded, ...held };
  const noted = readNoted(recorded);

  /** Answers a call, unless calls fail. */
  async function answer<T>(give: () => T): Promise<Awaited<T>> {
    if (held.failure !== null) throw new Error(held.failure);
    return await give();
  }

  return {
    follow: (cursor, limit) =>
      answer(() => {
        const from = cursor === null ? 0 : Number(cursor);
        const changes = held.log.slice(from, from + limit);
        const end = from + changes.length;
        return { changes, cursor: String(end), more: end < held.log.length };
      }),
    detail: (ref) => answer(() => details.get(refKey(ref)) ?? null),
    transitions: (ref, range) => answer(() => noted.transitions(ref, range)),
    recent: (range) => answer(() => noted.recent(range)),
    changes: (range) => answer(() => noted.changes(range)),
    coverage: (cluster, range) => answer(() => noted.coverage(cluster, range)),
    get record() {
      const record = written === null ? withIncidents(recorded) : readRecord(written);
      return { ...record, incidentsUpTo: async () => held.madeUpTo };
    },
    clusters: async () => [],
    alarmSources: async () => [],
    stats: async () => ({ objects: 0, clusters: 0, transitions: transitions.length, bytes: 0 }),
    close: async () => undefined,
  };
}
