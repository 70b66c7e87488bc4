import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import type { StoreReader } from '#server/store/port/port.ts';
import { startRecordFacts } from './record-facts.ts';
import { memoryStore } from './testing/memory-reader.ts';

const retention = { spans: 400, messages: 30 };

async function turns(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

it('are looked at once a minute, and stay what they were while the store cannot be read', async () => {
  const store = memoryStore();
  store.covered({ cluster: 'a', kind: null, at: 7, observed: true, state: 'live', reason: null });
  const clock = fakeClock();
  const inner = await store.source.open();
  let reader: StoreReader | null = null;
  let bytes = 100;
  const measured: StoreReader = { ...inner, stats: async () => ({ ...(await inner.stats()), bytes }) };
  const facts = startRecordFacts({ reader: () => reader, retention, clock, log: silentLog });
  clock.advance(0);
  await turns();
  expect(facts.now()).toBeNull();
  reader = measured;
  clock.advance(1_000);
  await turns();
  expect(facts.now()).toEqual({ bytes: 100, since: 7, ...retention });
  bytes = 200;
  clock.advance(59_000);
  await turns();
  expect(facts.now()?.bytes).toBe(100);
  clock.advance(1_000);
  await turns();
  expect(facts.now()?.bytes).toBe(200);
  store.fail('disk I/O error');
  clock.advance(60_000);
  await turns();
  expect(facts.now()?.bytes).toBe(200);
  facts.stop();
  expect(clock.pending()).toBe(0);
});
