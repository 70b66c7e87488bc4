import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { createFleetCache } from '../cache/fleet-cache.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { sampleCluster, sampleNow } from '../testing/sample.ts';
import type { AskedMoment } from './kept-moments.ts';
import { pastMoments } from './past-moments.ts';

/** Past moments over a store in memory that began an hour ago, and what happens to what answers over it. */
async function past({ failsAt = null, opens = true }: { failsAt?: number | null; opens?: boolean } = {}) {
  const events: string[] = [];
  const asked: AskedMoment[] = [];
  const memory = memoryStore();
  memory.covered({ cluster: 'a', kind: null, at: sampleNow - 3_600_000, observed: true, state: 'live', reason: null });
  const fleetCache = createFleetCache();
  const vouched = { ...sampleCluster('a'), validUntil: sampleNow - 5_000 };
  const silent = { ...sampleCluster('b'), state: 'unreachable' as const };
  fleetCache.apply([vouched, silent].map((cluster) => ({ type: 'cluster', cluster })));
  const none = () => Promise.reject(new Error('This test asks nothing.'));
  let store: StoreReader | null = await memory.source.open();
  const moments = pastMoments({
    fleetCache,
    clock: fakeClock(sampleNow),
    log: silentLog,
    reader: () => store,
    open() {
      events.push('opened');
      if (!opens) return Promise.reject(new Error('no thread today'));
      return Promise.resolve({
        async moment(moment) {
          if (moment.at === failsAt) throw new Error('the disk is gone');
          asked.push(moment);
          return { ask: none, file: none, summary: none };
        },
        async close() {
          events.push('closed');
        },
      });
    },
  });
  return { moments, events, asked, read: (other: StoreReader | null) => (store = other), store };
}

const minutesAgo = (minutes: number): number => sampleNow - minutes * 60_000;

it('opens what answers where it was not prepared, and closes it at the end', async () => {
  const { moments, events, asked } = await past();
  expect(events).toEqual([]);
  expect((await moments.at(minutesAgo(1), null)).type).toBe('past');
  expect((await moments.at(minutesAgo(60), null)).type).toBe('past');
  expect(events).toEqual(['opened']);
  // Nobody vouches for a cluster that cannot be reached.
  const vouched = new Map([['a', sampleNow - 5_000]]);
  expect(asked).toEqual([minutesAgo(1), minutesAgo(60)].map((at) => ({ at, vouched, part: null })));
  await moments.stop();
  expect(events).toEqual(['opened', 'closed']);
});

it('asks nobody of the future, nor of what was before the record', async () => {
  const { moments, events } = await past();
  expect(await moments.at(sampleNow + 1, null)).toEqual({ type: 'future', now: sampleNow });
  expect(await moments.at(minutesAgo(61), null)).toEqual({ type: 'before-record', since: minutesAgo(60) });
  expect(events).toEqual([]);
  expect((await moments.at(sampleNow, null)).type).toBe('past');
});

it('answers over the store that is there now', async () => {
  const { moments, events, read, store } = await past();
  await moments.at(minutesAgo(1), null);
  read(null);
  expect(await moments.at(minutesAgo(1), null)).toEqual({ type: 'unreadable' });
  if (store !== null) read({ ...store });
  expect((await moments.at(minutesAgo(1), null)).type).toBe('past');
  expect(events.toSorted()).toEqual(['closed', 'opened', 'opened']);
});

it('opens it anew after a failure', async () => {
  const { moments, events } = await past({ failsAt: minutesAgo(2) });
  expect(await moments.at(minutesAgo(2), null)).toEqual({ type: 'unreadable' });
  expect(events).toEqual(['opened', 'closed']);
  expect((await moments.at(minutesAgo(1), null)).type).toBe('past');
  expect(events).toEqual(['opened', 'closed', 'opened']);
});

it('is prepared before it is asked, where the store can be read', async () => {
  const { moments, events, read, store } = await past();
  read(null);
  await moments.prepare();
  expect(events).toEqual([]);
  read(store);
  await moments.prepare();
  expect(events).toEqual(['opened']);
  await moments.at(minutesAgo(1), null);
  expect(events).toEqual(['opened']);
});

it('is opened by the first question where it could not be prepared', async () => {
  const { moments, events } = await past({ opens: false });
  await moments.prepare();
  expect(events).toEqual(['opened']);
  expect(await moments.at(minutesAgo(1), null)).toEqual({ type: 'unreadable' });
  expect(events).toEqual(['opened', 'opened']);
});
