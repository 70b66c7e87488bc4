import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterEvent } from '../cluster-event.ts';
import { fakeTransport, type PendingGet } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { createSignReader } from './sign-reader.ts';
import { createBoundary } from '../boundary.ts';
import { silentLog } from '#server/runtime/log.ts';

const kind = { group: 'apps', kind: 'Deployment' };

function reading() {
  const transport = fakeTransport();
  const emitted: ClusterEvent[] = [];
  const stopper = new AbortController();
  const clock = fakeClock();
  const on = (event: ClusterEvent): void => void emitted.push(event);
  const reader = createSignReader(
    { transport, clock, random: () => 0, tuning: defaultTuning, boundary: createBoundary(silentLog), on },
    stopper.signal,
  );
  const read = async (answer: (get: PendingGet) => void) => {
    const found = reader.read('/x');
    await settled();
    transport.gets.slice(-1).forEach(answer);
    return found;
  };
  return { transport, emitted, stopper, clock, reader, read };
}

const unreadable = { type: 'protocol', message: 'the answer to /x cannot be read' };
const server = { type: 'server', status: 500, message: 'HTTP 500' };

it.each<readonly [string, (get: PendingGet) => void, object]>([
  ['a body', (get) => get.ok({ a: 1 }), { feed: { state: 'live' }, body: { a: 1 } }],
  ['HTTP 500', (get) => get.status(500), { feed: { state: 'failed', fault: server }, body: null }],
  [
    'HTTP 403',
    (get) => get.status(403),
    { feed: { state: 'forbidden', fault: { type: 'forbidden', message: 'HTTP 403' } }, body: null },
  ],
  [
    'HTTP 304',
    (get) => get.answer({ type: 'not-modified' }),
    { feed: { state: 'failed', fault: unreadable }, body: null },
  ],
  [
    'too much',
    (get) => get.answer({ type: 'too-large' }),
    { feed: { state: 'failed', fault: unreadable }, body: null },
  ],
  [
    'more objects than are read',
    (get) => get.ok({ items: Array.from({ length: 2_001 }, () => ({})) }),
    {
      feed: {
        state: 'failed',
        fault: { type: 'protocol', message: 'it lists 2,001 objects; at most 2,000 are read: /x' },
      },
      body: null,
    },
  ],
])('reads %s', async (_what, answer, found) => expect(await reading().read(answer)).toEqual(found));

it('tells a state once, and nothing more once it is stopped', async () => {
  const { emitted, clock, reader, read, stopper } = reading();
  const told = { type: 'feed', at: clock.now(), kind, feed: { state: 'live' } };
  reader.emit(kind, { state: 'live' });
  reader.emit(kind, { state: 'live' });
  expect(emitted).toEqual([told]);
  reader.emit(kind, { state: 'silent' });
  reader.emit(kind, { state: 'live' });
  expect(emitted).toEqual([told, { ...told, feed: { state: 'silent' } }, told]);
  stopper.abort();
  reader.emit(kind, { state: 'silent' });
  expect(emitted).toHaveLength(3);
  expect(await read((get) => get.status(500))).toEqual({ feed: { state: 'live' }, body: null });
});
