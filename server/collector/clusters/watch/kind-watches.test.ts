import { afterEach, expect, it } from 'vitest';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { createBoundary } from '../boundary.ts';
import type { WatchedKind } from '../cluster-event.ts';
import { fakeTransport } from '../testing/fake-transport.ts';
import { defaultTuning } from '../tuning.ts';
import { createKindWatches, type KindWatches } from './kind-watches.ts';

const bucket: WatchedKind = {
  group: 's3.aws.upbound.io',
  kind: 'Bucket',
  version: 'v1',
  resource: 'buckets',
  namespaced: false,
  categories: ['managed'],
};
const queue: WatchedKind = { ...bucket, kind: 'Queue', resource: 'queues' };

let watches: KindWatches;
afterEach(() => watches.stop());

it('watches kinds without objects as long as there is room, from the version at which they were empty', () => {
  const transport = fakeTransport();
  const ended: string[] = [];
  const clock = fakeClock();
  const tuning = { ...defaultTuning, emptyWatchesAtMost: 1, namedWatchesAtMost: 0, emptyFor: 1_000 };
  watches = createKindWatches({
    transport,
    clock,
    tuning,
    boundary: createBoundary(silentLog),
    resume: [],
    random: () => 0,
    on: () => undefined,
    onBegin: () => undefined,
    onEnd: (key) => void ended.push(key),
    onMissing: () => undefined,
    onGone: () => undefined,
    full: () => null,
  });
  expect(watches.watchEmpty(bucket, 'empty', '70')).toBe(true);
  expect(transport.watches.map(({ query }) => query.get('resourceVersion'))).toEqual(['70']);
  expect(watches.watchEmpty(queue, 'empty', '71')).toBe(false);
  expect(watches.has(kindKey(queue))).toBe(false);
  watches.watch(queue);
  clock.advance(2_000);
  watches.dropIdle(() => true);
  expect(ended).toEqual([kindKey(bucket)]);
});
