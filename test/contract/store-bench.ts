import { afterEach, beforeEach, expect } from 'vitest';
import { factKey, type AlarmFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import {
  clusterSource,
  type Change,
  type Cursor,
  type Lease,
  type StoreReader,
  type StoreWriter,
  type WriteBatch,
} from '#server/store/port/port.ts';
import { batchOf, noon, objectOf, refOf } from './store-records.ts';

/** One empty store that both sides of an engine are opened on. */
export interface StoreUnderTest {
  openWriter(): Promise<StoreWriter>;
  openReader(): Promise<StoreReader>;
  destroy(): Promise<void>;
}

/** One alarm source in the picture of a follower. */
interface AlarmPicture {
  source: AlarmSource | null;
  /** By `factKey`. */
  readonly facts: Map<string, AlarmFact>;
}

/** Picture that a follower has made of the changes it was told. */
export interface Picture {
  cursor: Cursor | null;
  readonly objects: Map<string, CurrentObject>;
  readonly clusters: Map<string, string>;
  /** By the source's name. */
  readonly alarms: Map<string, AlarmPicture>;
  readonly received: Change[];
}

/** A follower that has been told nothing yet. */
export function newPicture(): Picture {
  return { cursor: null, objects: new Map(), clusters: new Map(), alarms: new Map(), received: [] };
}

function alarmsOf({ alarms }: Picture, source: string): AlarmPicture {
  const known = alarms.get(source) ?? { source: null, facts: new Map<string, AlarmFact>() };
  alarms.set(source, known);
  return known;
}

function apply(picture: Picture, change: Change): void {
  picture.received.push(change);
  switch (change.type) {
    case 'cluster':
      picture.clusters.set(change.cluster.name, change.cluster.state);
      break;
    case 'cluster-removed':
      picture.clusters.delete(change.cluster);
      break;
    case 'object':
      picture.objects.set(refKey(change.object.ref), change.object);
      break;
    case 'removed':
      picture.objects.delete(refKey(change.ref));
      break;
    case 'confirmed': {
      const object = picture.objects.get(refKey(change.ref));
      const { confirmedAt, observedAt, validUntil } = change;
      if (object !== undefined)
        picture.objects.set(refKey(change.ref), { ...object, confirmedAt, observedAt, validUntil });
      break;
    }
    case 'alarm-source':
      alarmsOf(picture, change.source.name).source = change.source;
      break;
    case 'alarm-fact':
      alarmsOf(picture, change.source).facts.set(factKey(change.fact), change.fact);
      break;
    case 'alarm-fact-removed':
      alarmsOf(picture, change.source).facts.delete(change.key);
      break;
    case 'alarm-source-removed':
      picture.alarms.delete(change.source);
      break;
  }
}

/** Asks once; gives whether there is more. */
export async function step(reader: StoreReader, picture: Picture, limit: number): Promise<boolean> {
  const answer = await reader.follow(picture.cursor, limit);
  if (answer.reset) {
    picture.objects.clear();
    picture.clusters.clear();
    picture.alarms.clear();
  }
  for (const change of answer.changes) apply(picture, change);
  picture.cursor = answer.cursor;
  return answer.more;
}

/** Asks until there is no more; `received` holds only what this brought. */
export async function catchUp(reader: StoreReader, picture: Picture, limit = 100): Promise<Picture> {
  picture.received.length = 0;
  for (let turns = 0; await step(reader, picture, limit); turns++) expect(turns).toBeLessThan(10_000);
  return picture;
}

/** The types of what was told, in order. */
export function receivedTypes(picture: Picture): string[] {
  return picture.received.map((change) => change.type);
}

/** An open store of the running test. */
export interface Bench {
  readonly store: StoreUnderTest;
  readonly writer: StoreWriter;
  readonly reader: StoreReader;
  /** Takes the lease of a cluster; it must be free. */
  lease(cluster: string, holder?: string, from?: StoreWriter): Promise<Lease<'cluster'>>;
  /** Writes what must be taken. */
  write(to: Lease<'cluster'>, change: Partial<WriteBatch>): Promise<void>;
}

/** Opens a store before each test of the running suite and destroys it after. */
export function useStore(open: () => Promise<StoreUnderTest>, run: (bench: Bench) => void): void {
  let current: Pick<Bench, 'store' | 'writer' | 'reader'> | null = null;
  function opened(): Pick<Bench, 'store' | 'writer' | 'reader'> {
    if (current === null) throw new Error('no store is open');
    return current;
  }

  beforeEach(async () => {
    const store = await open();
    current = { store, writer: await store.openWriter(), reader: await store.openReader() };
  });

  afterEach(async () => {
    const { store, writer, reader } = opened();
    await reader.close();
    await writer.close();
    await store.destroy();
    current = null;
  });

  run({
    get store() {
      return opened().store;
    },
    get writer() {
      return opened().writer;
    },
    get reader() {
      return opened().reader;
    },
    async lease(cluster, holder = 'one', from = opened().writer) {
      const taken = await from.acquire(clusterSource(cluster), holder, noon, 15_000);
      if (taken === null) throw new Error(`no lease of ${cluster}`);
      return taken;
    },
    async write(to, change) {
      expect(await opened().writer.write(to, batchOf(change))).toEqual({ type: 'written' });
    },
  });
}

/** `count` converged objects of a cluster, numbered from `from`. */
export function some(cluster: string, count: number, from = 0): CurrentObject[] {
  return Array.from({ length: count }, (_, index) => objectOf(refOf(cluster, from + index)));
}
