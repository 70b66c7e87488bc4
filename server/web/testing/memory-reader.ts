import type { NotedChange } from '#lib/domain/change.ts';
import type { CurrentCluster, CurrentObject, ObjectDetail, Transition } from '#lib/domain/current.ts';
import type { Incident } from '#lib/domain/incident.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { refKey, sameRef } from '#lib/domain/ref.ts';
import type { Change, CoverageChange, StoreReader } from '#server/store/port.ts';
import { plainRecord } from '#server/store/testing/plain-record.ts';
import type { StoreSource } from '../picture/follower.ts';

/** A store in memory for tests: what is written is followed, in order; it can go away and come back as another one. */
export interface MemoryStore {
  readonly source: StoreSource;
  write(...told: readonly Change[]): void;
  object(object: CurrentObject, detail?: ObjectDetail): void;
  cluster(cluster: CurrentCluster): void;
  transition(transition: Transition): void;
  incident(incident: Incident): void;
  covered(change: CoverageChange): void;
  changed(change: NotedChange): void;
  /** Every call fails with this message from now on; null mends it. */
  fail(message: string | null): void;
  /** The collector says that it cannot write, in these words; null that it can. */
  refuse(words: string | null): void;
  /** The file is gone. */
  vanish(): void;
  /** Another, empty store stands in its place. */
  replace(): void;
}

/** Makes an empty store that is there. */
export function memoryStore(): MemoryStore {
  let log: Change[] = [];
  let identity: string | null = 'store-1';
  let generation = 1;
  let failure: string | null = null;
  let condition: string | null = null;
  const details = new Map<string, ObjectDetail>();
  const transitions: Transition[] = [];
  const incidents: Incident[] = [];
  const coverage: CoverageChange[] = [];
  const changes: NotedChange[] = [];

  function check(): void {
    if (failure !== null) throw new Error(failure);
  }

  function between<T extends { readonly at: number }>(
    list: readonly T[],
    { from, to, limit }: { from: number; to: number; limit: number },
  ): T[] {
    return list
      .filter(({ at }) => at >= from && at < to)
      .toSorted((a, b) => b.at - a.at)
      .slice(0, limit);
  }

  const reader: StoreReader = {
    async follow(cursor, limit) {
      check();
      const from = cursor === null ? 0 : Number(cursor);
      const told = log.slice(from, from + limit);
      return { changes: told, cursor: String(from + told.length), more: from + told.length < log.length };
    },
    async detail(ref: ObjectRef) {
      check();
      return details.get(refKey(ref)) ?? null;
    },
    async transitions(ref, range) {
      check();
      return between(
        transitions.filter(({ ref: of, noticedAt }) => sameRef(of, ref) && noticedAt <= (range.noticedBy ?? Infinity)),
        range,
      );
    },
    async recent(range) {
      check();
      return between(
        transitions.filter(({ ref }) => range.cluster === undefined || ref.cluster === range.cluster),
        range,
      );
    },
    async changes({ from, to, limit, cluster, ref, noticedBy = Infinity }) {
      check();
      const name = ref?.cluster ?? cluster;
      return changes
        .filter((change) => change.at >= from && change.notBefore <= to && change.noticedAt <= noticedBy)
        .filter((change) => name === undefined || change.cluster === name)
        .filter((change) => ref === undefined || sameRef(change.ref, ref))
        .toSorted((a, b) => b.at - a.at)
        .slice(0, limit);
    },
    async coverage(cluster) {
      check();
      return coverage.filter((change) => change.cluster === cluster);
    },
    record: plainRecord({ transitions, incidents, coverage, changes }),
    clusters: async () => [],
    stats: async () => ({ objects: 0, clusters: 0, transitions: transitions.length, bytes: 0 }),
    close: async () => undefined,
  };

  const write = (...told: readonly Change[]): void => void log.push(...told);
  return {
    source: { open: () => reader, identity: () => identity, condition: () => condition },
    write,
    object(object, detail) {
      if (detail) details.set(refKey(object.ref), detail);
      write({ type: 'object', object });
    },
    cluster: (cluster) => write({ type: 'cluster', cluster }),
    transition: (transition) => void transitions.push(transition),
    incident: (incident) => void incidents.push(incident),
    covered: (change) => void coverage.push(change),
    changed: (change) => void changes.push(change),
    fail: (message) => void (failure = message),
    refuse: (words) => void (condition = words),
    vanish: () => void (identity = null),
    replace() {
      generation += 1;
      identity = `store-${generation}`;
      log = [];
      details.clear();
    },
  };
}
