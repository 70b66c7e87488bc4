import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { IncidentNews } from '#lib/domain/incident/incident.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { readRecord } from '#server/store/record/record.ts';
import { createFleetCache, type LiveFleetCache } from '../cache/fleet-cache.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { sampleMoment } from '../testing/moment.ts';
import { sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { sampleNews } from '../testing/sample-incident.ts';
import { incidentNews } from './incident-news.ts';

/** A store with the news that a test writes, and each question for them. */
interface NewsStore {
  readonly reader: StoreReader;
  readonly news: IncidentNews[];
  readonly asked: (number | null)[];
  upTo: number | null;
  reset: boolean;
  failure: string | null;
}

async function newsStore(): Promise<NewsStore> {
  const reader = await memoryStore().source.open();
  const news: IncidentNews[] = [];
  const store: NewsStore = {
    reader: {
      ...reader,
      record: {
        ...readRecord({}),
        incidentsUpTo: async () => store.upTo,
        async incidentNews(after, limit) {
          store.asked.push(after);
          if (store.failure !== null) throw new Error(store.failure);
          const found = after === null || store.reset ? [] : news.slice(after, after + limit);
          const position = after === null || store.reset ? news.length : after + found.length;
          return { news: found, position, reset: store.reset };
        },
      },
    },
    news,
    asked: [],
    upTo: null,
    reset: false,
    failure: null,
  };
  return store;
}

let cache: LiveFleetCache;
let clock: FakeClock;
let store: NewsStore;
let open: StoreReader | null;
let changes: ReturnType<typeof incidentNews>;

/** The frames of one pass of the stream, once what was asked for has been answered. */
async function pass(): Promise<string[]> {
  const frames = changes();
  await turn();
  return frames.map((frame) => {
    if (frame.type !== 'incidents') return frame.type;
    return frame.news.map(({ position, type, incident }) => `${position} ${incident} ${type}`).join(', ');
  });
}

/** The frames up to the pass that finds nothing more to ask for. */
async function settled(): Promise<string[]> {
  const asked = store.asked.length;
  const frames = await pass();
  return store.asked.length === asked ? frames : [...frames, ...(await settled())];
}

function tell(...types: readonly IncidentNews['type'][]): void {
  for (const type of types) store.news.push(sampleNews({ type, incident: 'a', position: store.news.length + 1 }));
}

function change(message: string): void {
  cache.apply([{ type: 'object', object: sampleDiverged({ name: 'checkout' }, { message }) }]);
}

beforeEach(async () => {
  cache = createFleetCache();
  cache.apply([{ type: 'object', object: sampleObject({ name: 'checkout' }) }]);
  clock = fakeClock(sampleNow);
  store = await newsStore();
  open = store.reader;
  changes = incidentNews({ ...sampleMoment(cache), now: () => clock.now(), reader: () => open });
  await turn();
});

describe('news of incidents', () => {
  it('begin with a reset, and nothing of what came before', async () => {
    expect(await settled()).toEqual(['reset']);
    tell('opened');
    changes = incidentNews({ ...sampleMoment(cache), now: () => clock.now(), reader: () => open });
    await turn();
    tell('closed');
    change('broken');
    expect(await settled()).toEqual(['reset', '2 a closed']);
  });

  it('come in their order, each once, with the pass after the fleet has moved', async () => {
    await settled();
    tell('opened', 'recognised', 'grown', 'shrunk', 'changed', 'closed', 'reopened', 'merged');
    change('broken');
    expect(await pass()).toEqual([]);
    const all = store.news.map(({ position, type }) => `${position} a ${type}`);
    expect(await pass()).toEqual([all.join(', ')]);
    expect(await settled()).toEqual([]);
  });

  it('are not asked for where nothing has moved, for 2 s', async () => {
    await settled();
    const before = store.asked.length;
    tell('opened');
    clock.advance(1_999);
    expect(await settled()).toEqual([]);
    expect(store.asked.length).toBe(before);
    clock.advance(1);
    expect(await settled()).toEqual(['1 a opened']);
    expect(store.asked.slice(before)).toEqual([0]);
  });

  it('are asked for once at a time', async () => {
    await settled();
    const before = store.asked.length;
    for (const message of ['one', 'two', 'three']) {
      change(message);
      changes();
    }
    await turn();
    expect(store.asked.length).toBe(before + 1);
  });

  it('of a burst come a hundred a pass, without a gap', async () => {
    await settled();
    tell(...Array.from({ length: 250 }, () => 'grown' as const));
    change('broken');
    const frames = await settled();
    expect(frames.map((frame) => frame.split(', ').length)).toEqual([100, 100, 50]);
    expect(frames.join(', ')).toBe(store.news.map(({ position }) => `${position} a grown`).join(', '));
  });

  it('that are not kept any more are told by a reset, and go on from there', async () => {
    await settled();
    tell('opened', 'closed');
    store.reset = true;
    change('broken');
    expect(await settled()).toEqual(['reset']);
    store.reset = false;
    tell('reopened');
    change('broken again');
    expect(await settled()).toEqual(['3 a reopened']);
  });

  it('of another store begin anew', async () => {
    await settled();
    const other = await newsStore();
    store = other;
    open = other.reader;
    tell('opened');
    expect(await pass()).toEqual([]);
    expect(await pass()).toEqual(['reset']);
    tell('closed');
    change('broken');
    expect(await settled()).toEqual(['2 a closed']);
  });

  it('that cannot be read now come once they can, and none is lost', async () => {
    await settled();
    tell('opened');
    store.failure = 'torn';
    change('broken');
    expect([...(await pass()), ...(await pass())]).toEqual([]);
    store.failure = null;
    clock.advance(2_000);
    expect(await settled()).toEqual(['1 a opened']);
    open = null;
    tell('closed');
    clock.advance(2_000);
    expect(await pass()).toEqual([]);
    open = store.reader;
    expect(await settled()).toEqual(['2 a closed']);
  });
});

it('stored history that is being made into incidents is no news; that it has been is told by a reset', async () => {
  await settled();
  store.upTo = sampleNow - 1;
  tell('opened', 'closed');
  change('one');
  expect(await settled()).toEqual([]);
  tell('opened');
  change('two');
  expect(await settled()).toEqual([]);
  store.upTo = null;
  change('three');
  expect(await settled()).toEqual(['reset']);
  tell('closed');
  change('four');
  expect(await settled()).toEqual(['4 a closed']);
});
