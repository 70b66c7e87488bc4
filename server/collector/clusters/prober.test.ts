import { describe, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { WatchedKind } from './cluster-event.ts';
import { type Prober, startProber } from './prober.ts';
import { type FakeTransport, fakeTransport, type PendingGet } from './testing/fake-transport.ts';
import { settled } from './testing/until.ts';
import { defaultTuning } from './tuning.ts';

function kind(name: string, category = 'managed'): WatchedKind {
  return {
    group: 'aws.example.org',
    kind: name,
    version: 'v1',
    resource: name.toLowerCase(),
    namespaced: false,
    categories: [category],
  };
}

const names = (...items: readonly string[]): { [key: string]: unknown } => ({
  kind: 'PartialObjectMetadataList',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: '5' },
  items: items.map((name) => ({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name } })),
});

interface Setup {
  readonly clock: FakeClock;
  readonly transport: FakeTransport;
  readonly prober: Prober;
  readonly told: string[];
  get(): PendingGet;
}

function start(): Setup {
  const clock = fakeClock();
  const transport = fakeTransport();
  const told: string[] = [];
  const prober = startProber({
    ...{ transport, clock, random: () => 0.5, tuning: defaultTuning },
    onFeed: (about, feed) => void told.push(`${about.kind} ${feed.state}`),
    onFound: (found) => void told.push(`${found.kind} found`),
    onMissing: (missing) => void told.push(`${missing.kind} missing`),
  });
  return {
    ...{ clock, transport, prober, told },
    get() {
      const get = transport.gets.at(-1);
      if (!get) throw new Error('nothing was asked');
      return get;
    },
  };
}

describe('prober', () => {
  it('looks at one kind every half second, names only, composites first', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket'), kind('Queue'), kind('XApp', 'composite')]);
    await settled();
    expect(s.get().path).toBe('/apis/aws.example.org/v1/xapp?limit=1');
    expect(s.get().options.accept).toContain('as=PartialObjectMetadataList');
    s.get().ok(names());
    await settled();
    expect(s.transport.gets).toHaveLength(1);
    s.clock.advance(500);
    await settled();
    expect(s.get().path).toContain('/bucket?');
    s.get().ok(names('b'));
    await settled();
    s.clock.advance(500);
    await settled();
    s.get().status(403);
    await settled();
    expect(s.told).toEqual(['XApp idle', 'Bucket found', 'Queue forbidden']);
    await s.prober.stop();
  });

  it('looks again after some minutes, and tells what has changed only', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().ok(names());
    await settled();
    s.clock.advance(500);
    await settled();
    s.clock.advance(299_000);
    await settled();
    expect(s.transport.gets).toHaveLength(1);
    s.clock.advance(1_000);
    await settled();
    s.get().ok(names());
    await settled();
    s.clock.advance(500);
    await settled();
    s.clock.advance(300_000);
    await settled();
    s.get().ok(names('x'));
    await settled();
    expect(s.told).toEqual(['Bucket idle', 'Bucket found']);
    await s.prober.stop();
  });

  it('a kind that is gone asks for discovery, one that is taken away is not told any more', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().status(404);
    await settled();
    expect(s.told).toEqual(['Bucket absent', 'Bucket missing']);
    s.prober.setKinds([kind('Queue')]);
    s.clock.advance(500);
    await settled();
    s.prober.setKinds([]);
    s.get().ok(names('q'));
    await settled();
    expect(s.told).toHaveLength(2);
    await s.prober.stop();
  });

  it('what could not be looked at is looked at again soon, not in some minutes', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().status(500);
    await settled();
    expect(s.told).toEqual(['Bucket failed']);
    s.clock.advance(500);
    await settled();
    s.clock.advance(5_000);
    await settled();
    s.get().ok(names());
    await settled();
    expect(s.told).toEqual(['Bucket failed', 'Bucket idle']);
    await s.prober.stop();
  });

  it('waits as long as a throttled server asks', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket'), kind('Queue')]);
    await settled();
    s.get().status(429, 'slow down', '30');
    await settled();
    s.clock.advance(29_000);
    await settled();
    expect(s.transport.gets).toHaveLength(1);
    s.clock.advance(1_000);
    await settled();
    expect(s.transport.gets).toHaveLength(2);
    await s.prober.stop();
  });
});
