import { describe, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { WatchedKind } from '../cluster-event.ts';
import { type ProbeStats, type Prober, startProber } from './prober.ts';
import { type FakeTransport, fakeTransport, type PendingGet } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { defaultTuning } from '../tuning.ts';
import { createBoundary } from '../boundary.ts';
import { silentLog } from '#server/runtime/log.ts';

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
  readonly emitted: string[];
  readonly stats: ProbeStats[];
  get(): PendingGet;
}

function start(takesEmpty = (_kind: WatchedKind): boolean => false): Setup {
  const clock = fakeClock();
  const transport = fakeTransport();
  const emitted: string[] = [];
  const stats: ProbeStats[] = [];
  const prober = startProber({
    transport,
    clock,
    random: () => 0.5,
    tuning: defaultTuning,
    boundary: createBoundary(silentLog),
    onFeed: (about, feed) => void emitted.push(`${about.kind} ${feed.state}`),
    onFound: (found) => void emitted.push(`${found.kind} found`),
    onEmpty(empty, resourceVersion) {
      const taken = takesEmpty(empty);
      if (taken) emitted.push(`${empty.kind} watched from ${resourceVersion}`);
      return taken;
    },
    onMissing: (missing) => void emitted.push(`${missing.kind} missing`),
    onProbeStats: (seen) => void stats.push(seen),
  });
  return {
    clock,
    transport,
    prober,
    emitted,
    stats,
    get() {
      const get = transport.gets.at(-1);
      if (!get) throw new Error('nothing was asked');
      return get;
    },
  };
}

const pause = defaultTuning.probePause;

async function pass(s: Setup, ms: number): Promise<void> {
  s.clock.advance(ms);
  await settled();
}

describe('prober', () => {
  it('probes names only, composites first, one after a pause', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket'), kind('Queue'), kind('XApp', 'composite')]);
    await settled();
    expect(s.get().path).toBe('/apis/aws.example.org/v1/xapp?limit=1');
    expect(s.get().options.accept).toContain('as=PartialObjectMetadataList');
    s.get().ok(names());
    await settled();
    expect(s.transport.gets).toHaveLength(1);
    await pass(s, pause);
    expect(s.get().path).toContain('/bucket?');
    s.get().ok(names('b'));
    await settled();
    await pass(s, pause);
    s.get().status(403);
    await settled();
    expect(s.emitted).toEqual(['XApp idle', 'Bucket found', 'Queue forbidden']);
    await s.prober.stop();
  });

  it("probes again within a minute, from the server's cache, and tells what has changed only", async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().ok(names());
    await settled();
    await pass(s, pause);
    await pass(s, 52_474);
    expect(s.transport.gets).toHaveLength(1);
    await pass(s, 1);
    expect(s.get().path).toBe('/apis/aws.example.org/v1/bucket?limit=1&resourceVersion=0');
    s.get().ok(names());
    await settled();
    await pass(s, 60_000);
    s.get().ok(names('x', 'y'));
    await settled();
    expect(s.emitted).toEqual(['Bucket idle', 'Bucket found']);
    await s.prober.stop();
  });

  it('probes each of 2,065 kinds once a minute, eight at once at most, and tells how long the longest waited', async () => {
    const s = start();
    const kinds = Array.from({ length: 2_065 }, (_, index) => kind(`Kind${index}`));
    const lastAt = new Map(kinds.map(({ resource }) => [resource, s.clock.now()]));
    let [longest, requests] = [0, 0];
    s.prober.setKinds(kinds);
    for (let second = 0; second < 130; second += pause / 1_000) {
      await pass(s, pause);
      const gets = s.transport.gets.splice(0);
      expect(gets.length).toBeLessThanOrEqual(8);
      for (const get of gets) {
        const resource = /v1\/(\w+)\?/.exec(get.path)?.[1] ?? '';
        longest = Math.max(longest, s.clock.now() - (lastAt.get(resource) ?? 0));
        lastAt.set(resource, s.clock.now());
        requests += 1;
        get.ok(names());
      }
    }
    expect(longest).toBeLessThanOrEqual(60_000);
    expect(requests / 130).toBeLessThan(41);
    expect(s.stats.at(-1)).toMatchObject({ kinds: 2_065 });
    expect(s.stats.at(-1)?.longest).toBeGreaterThan(50_000);
    expect(s.stats.at(-1)?.longest).toBeLessThanOrEqual(60_000);
    await s.prober.stop();
  }, 30_000);

  it('probes at once what something has named, and not again and again at what is named often', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket'), kind('Queue')]);
    await settled();
    s.get().ok(names());
    await settled();
    await pass(s, pause);
    s.get().ok(names());
    await settled();
    await pass(s, 10_000);
    s.prober.probeSoon(kind('Queue'));
    s.prober.probeSoon(kind('Unknown'));
    await settled();
    expect(s.transport.gets.map(({ path }) => /v1\/(\w+)/.exec(path)?.[1])).toEqual(['bucket', 'queue', 'queue']);
    s.get().ok(names());
    await settled();
    await pass(s, pause);
    s.prober.probeSoon(kind('Queue'));
    await pass(s, 1_999 - pause);
    expect(s.transport.gets).toHaveLength(3);
    await pass(s, 1);
    expect(s.transport.gets).toHaveLength(4);
    await s.prober.stop();
  });

  it('leaves to the watch what is taken while it is empty, from where it was empty', async () => {
    const s = start(({ kind: name }) => name === 'Bucket');
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().ok(names());
    await settled();
    expect(s.emitted).toEqual(['Bucket idle', 'Bucket watched from 5']);
    await pass(s, 300_000);
    expect(s.transport.gets).toHaveLength(1);
    await s.prober.stop();
  });

  it('a kind that is gone asks for discovery, one that is taken away is not told any more', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().status(404);
    await settled();
    expect(s.emitted).toEqual(['Bucket absent', 'Bucket missing']);
    s.prober.setKinds([kind('Queue')]);
    await pass(s, pause);
    s.prober.setKinds([]);
    s.get().ok(names('q'));
    await settled();
    expect(s.emitted).toHaveLength(2);
    await s.prober.stop();
  });

  it('has eight requests under way at most, each of another kind', async () => {
    const s = start();
    s.prober.setKinds(Array.from({ length: 10 }, (_, index) => kind(`Kind${index}`)));
    for (let round = 0; round < 20; round += 1) await pass(s, pause);
    expect(new Set(s.transport.gets.map(({ path }) => path)).size).toBe(8);
    expect(s.transport.gets).toHaveLength(8);
    s.get().ok(names());
    await settled();
    await pass(s, pause);
    expect(s.transport.gets.map(({ path }) => path).at(-1)).toContain('/kind8?');
    await s.prober.stop();
  });

  it('a kind that is served at another version is looked at anew, and told only where it is another', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().ok(names());
    await settled();
    await pass(s, pause);
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    expect(s.transport.gets).toHaveLength(1);
    for (const other of [{ version: 'v2' }, { version: 'v2', resource: 'pails' }]) {
      s.prober.setKinds([{ ...kind('Bucket'), ...other }]);
      await settled();
      s.get().ok(names());
      await settled();
      await pass(s, pause);
    }
    expect(s.transport.gets.map(({ path }) => path.slice('/apis/aws.example.org'.length))).toEqual([
      '/v1/bucket?limit=1',
      '/v2/bucket?limit=1',
      '/v2/pails?limit=1',
    ]);
    expect(s.emitted).toEqual(['Bucket idle']);
    await s.prober.stop();
  });

  it('an answer that is no list of the kind is a failure', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().ok({ kind: 'Status' });
    await settled();
    expect(s.emitted).toEqual(['Bucket failed']);
    await s.prober.stop();
  });

  it('one object too large to be read is an object', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().answer({ type: 'too-large' });
    await settled();
    expect(s.emitted).toEqual(['Bucket found']);
    await s.prober.stop();
  });

  it('tells of its waits once a round is over, and once that there are none any more', async () => {
    const s = start();
    s.prober.setKinds([]);
    expect(s.stats).toEqual([]);
    s.prober.setKinds([kind('Bucket')]);
    await pass(s, 59_999);
    s.prober.setKinds([kind('Bucket')]);
    expect(s.stats).toEqual([]);
    await pass(s, 1);
    s.prober.setKinds([kind('Bucket')]);
    expect(s.stats).toEqual([{ kinds: 1, longest: 60_000 }]);
    s.prober.setKinds([kind('Bucket')]);
    s.prober.setKinds([]);
    s.prober.setKinds([]);
    expect(s.stats.slice(1)).toEqual([{ kinds: 0, longest: 0 }]);
    await s.prober.stop();
  });

  it('what could not be looked at is looked at again soon', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket')]);
    await settled();
    s.get().status(500);
    await settled();
    expect(s.emitted).toEqual(['Bucket failed']);
    await pass(s, pause);
    await pass(s, 4_999 - pause);
    expect(s.transport.gets).toHaveLength(1);
    await pass(s, 1);
    expect(s.transport.gets).toHaveLength(2);
    s.get().ok(names());
    await settled();
    expect(s.emitted).toEqual(['Bucket failed', 'Bucket idle']);
    await s.prober.stop();
  });

  it('waits as long as a throttled server asks', async () => {
    const s = start();
    s.prober.setKinds([kind('Bucket'), kind('Queue')]);
    await settled();
    s.get().status(429, 'slow down', '30');
    await settled();
    await pass(s, 29_000);
    expect(s.transport.gets).toHaveLength(1);
    await pass(s, 1_000);
    expect(s.transport.gets).toHaveLength(2);
    await s.prober.stop();
  });
});
