import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { watchedByName } from '../../reconcilers/registry.ts';
import type { ClusterEvent, ResumePoint } from '../cluster-event.ts';
import { fakeTransport } from '../testing/fake-transport.ts';
import { settled } from '../testing/until.ts';
import { type ClusterTuning, defaultTuning } from '../tuning.ts';
import { startWatches } from './watches.ts';
import { createBoundary } from '../boundary.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const verbs = ['list', 'watch'];
const group = (name: string, kind: string, resource: string, categories: readonly string[] = []): object => ({
  metadata: { name },
  versions: [
    {
      version: 'v1',
      freshness: 'Current',
      resources: [{ resource, responseKind: { kind }, scope: 'Namespaced', verbs, categories }],
    },
  ],
});
const kustomize = group('kustomize.toolkit.fluxcd.io', 'Kustomization', 'kustomizations');
const bucket = group('s3.aws.upbound.io', 'Bucket', 'buckets', ['managed']);
const queue = group('sqs.aws.upbound.io', 'Queue', 'queues', ['managed']);
const topic = group('sns.aws.upbound.io', 'Topic', 'topics', ['managed']);
const composite = group('example.org', 'XApp', 'xapps', ['composite']);
const definition = group('apiextensions.crossplane.io', 'CompositeResourceDefinition', 'compositeresourcedefinitions');
const queueKind = { group: 'sqs.aws.upbound.io', kind: 'Queue' };
const empty = { kind: 'PartialObjectMetadataList', metadata: { resourceVersion: '7' }, items: [] };

interface Options {
  readonly resume?: readonly ResumePoint[];
  readonly tuning?: Partial<ClusterTuning>;
  readonly isEmpty?: boolean;
}

/** All that is watched of a cluster, over a transport that answers what the test says. */
async function start({ resume = [], tuning = {}, isEmpty = false }: Options = {}) {
  const clock = fakeClock();
  const transport = fakeTransport();
  const stopper = new AbortController();
  const told: ClusterEvent[] = [];
  const served: string[][] = [];
  let inStep = 0;
  const watches = startWatches({
    transport,
    clock,
    random: () => 0,
    tuning: { ...defaultTuning, emptyWatchesAtMost: 0, namedWatchesAtMost: 0, ...tuning },
    log: silentLog,
    boundary: createBoundary(silentLog),
    resume,
    signal: stopper.signal,
    on: (event) => void told.push(event),
    isEmpty: () => isEmpty,
    full: () => null,
    onInStep: () => void inStep++,
    onServed: (kinds) => void served.push(kinds.map(({ kind }) => kind)),
  });
  stops.push(watches.stop);
  await settled();
  const discoveries = () => transport.gets.filter(({ path }) => path === '/apis');
  return {
    clock,
    transport,
    watches,
    told,
    served,
    stopper,
    inStep: () => inStep,
    discoveries: () => discoveries().length,
    get: (path: string) => transport.gets.findLast((get) => get.path.includes(path)),
    watched: () => transport.watches.map((watch) => watch.path.replace(/.*\/(\w+)\?.*/, '$1')),
    watch: (plural: string) => transport.watches.findLast(({ path }) => path.includes(`/${plural}?`)),
    async answer(body: { readonly [key: string]: unknown }, path: string): Promise<void> {
      transport.gets.findLast((get) => get.path.includes(path))?.ok(body);
      await settled();
    },
    async discover(...items: readonly object[]): Promise<void> {
      discoveries().at(-1)?.ok({ kind: 'APIGroupDiscoveryList', items });
      await settled();
    },
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      await settled();
    },
    /** The feeds told of a kind. */
    feeds: (kind: string) =>
      told.flatMap((event) => (event.type === 'feed' && event.kind.kind === kind ? [event.feed.state] : [])),
    probes: () =>
      told.flatMap((event) => (event.type === 'probes' ? [{ kinds: event.kinds, at: event.at - clock.now() }] : [])),
  };
}

const end = (kind: string, apiVersion: string): object => ({
  type: 'BOOKMARK',
  object: {
    kind,
    apiVersion,
    metadata: { resourceVersion: '10', annotations: { 'k8s.io/initial-events-end': 'true' } },
  },
});

describe('the watches of a cluster', () => {
  it('tell each expected kind as not seen while discovery is refused, once for each fault, and what is absent then', async () => {
    const s = await start();
    s.get('/apis')?.status(403, 'no');
    await settled();
    const fault = { type: 'forbidden', message: 'no' } as const;
    expect(s.told).toEqual(
      watchedByName.map((kind) => ({ type: 'feed', at: s.clock.now(), kind, feed: { state: 'forbidden', fault } })),
    );
    await s.pass(4_000);
    s.get('/apis')?.status(403, 'no');
    await settled();
    expect(s.told).toHaveLength(watchedByName.length);
    await s.pass(4_000);
    s.get('/apis')?.status(500, 'broken');
    await settled();
    expect(s.told.slice(watchedByName.length)).toEqual(
      watchedByName.map((kind) => ({
        type: 'feed',
        at: s.clock.now(),
        kind,
        feed: { state: 'failed', fault: { type: 'server', status: 500, message: 'broken' } },
      })),
    );
    await s.pass(4_000);
    await s.discover(kustomize);
    expect(s.feeds('HelmRelease')).toEqual(['forbidden', 'failed', 'absent']);
    expect(s.feeds('Kustomization')).toEqual(['forbidden', 'failed', 'syncing']);
    await s.pass(12_000);
    s.get('/apis')?.status(403, 'no');
    await settled();
    expect(s.feeds('HelmRelease')).toHaveLength(3);
  });

  it('tell of no kind where the cluster cannot be reached, nor of absent ones where none was told before', async () => {
    const s = await start();
    s.get('/apis')?.answer({ type: 'fault', fault: { type: 'unreachable', message: 'gone' }, retryAfter: null });
    await settled();
    await s.pass(4_000);
    expect(s.told).toEqual([]);
    await s.discover(kustomize);
    expect(s.told).toEqual([
      {
        type: 'kinds',
        at: s.clock.now(),
        kinds: [expect.objectContaining({ kind: 'Kustomization', version: 'v1', resource: 'kustomizations' })],
        absent: watchedByName
          .filter(({ kind }) => kind !== 'Kustomization')
          .map(({ group: name, kind }) => ({ group: name, kind })),
        unread: [],
      },
      expect.objectContaining({ type: 'feed', feed: { state: 'syncing' } }),
    ]);
    expect(s.served).toEqual([['Kustomization']]);
  });

  it('are in step once the first sync of every kind is over, which is said once', async () => {
    const s = await start();
    s.watches.connected('h2');
    for (const { ok } of s.transport.gets.filter(({ path }) => path.includes('/events?')))
      ok({ kind: 'EventList', apiVersion: 'v1', metadata: { resourceVersion: '5' }, items: [] });
    await settled();
    for (const { open } of s.transport.watches) open();
    expect(s.feeds('Event')).toEqual(['syncing', 'live']);
    expect(s.inStep()).toBe(0);
    await s.discover(kustomize, definition);
    expect(s.inStep()).toBe(0);
    for (const [plural, kind, apiVersion] of [
      ['kustomizations', 'Kustomization', 'kustomize.toolkit.fluxcd.io/v1'],
      ['compositeresourcedefinitions', 'CompositeResourceDefinition', 'apiextensions.crossplane.io/v1'],
    ] as const) {
      expect(s.inStep()).toBe(0);
      s.watch(plural)?.open();
      s.watch(plural)?.say(end(kind, apiVersion));
    }
    expect(s.inStep()).toBe(1);
    await s.pass(12_000);
    await s.discover(kustomize);
    await s.pass(4_000);
    await s.discover(kustomize);
    expect(s.feeds('CompositeResourceDefinition')).toEqual(['syncing', 'live', 'absent']);
    expect(s.inStep()).toBe(1);
  });

  it('are in step at once where a cluster serves nothing that is watched, or where it is served no longer', async () => {
    const nothing = await start();
    await nothing.discover();
    expect(nothing.inStep()).toBe(1);
    const s = await start();
    await s.discover(kustomize);
    expect(s.inStep()).toBe(0);
    await s.pass(12_000);
    await s.discover();
    expect(s.inStep()).toBe(0);
    await s.pass(4_000);
    await s.discover();
    expect(s.inStep()).toBe(1);
    expect(s.feeds('Kustomization')).toEqual(['syncing', 'absent']);
  });

  it('say nothing more once they are to stop', async () => {
    const s = await start();
    s.stopper.abort();
    await s.discover(kustomize);
    expect(s.told).toEqual([]);
  });

  it('discover at once when a definition is written, not for the present ones', async () => {
    const s = await start();
    await s.discover(definition, kustomize);
    const written = (kind: string, apiVersion: string): object => ({
      type: 'ADDED',
      object: { kind, apiVersion, metadata: { name: 'a', resourceVersion: '11' } },
    });
    const definitions = ['CompositeResourceDefinition', 'apiextensions.crossplane.io/v1'] as const;
    const kustomizations = ['Kustomization', 'kustomize.toolkit.fluxcd.io/v1'] as const;
    s.watch('compositeresourcedefinitions')?.open();
    s.watch('compositeresourcedefinitions')?.say(written(...definitions), end(...definitions));
    s.watch('kustomizations')?.open();
    s.watch('kustomizations')?.say(end(...kustomizations), written(...kustomizations));
    await settled();
    expect(s.discoveries()).toBe(1);
    s.watch('compositeresourcedefinitions')?.say(written(...definitions));
    await settled();
    expect(s.discoveries()).toBe(2);
  });

  it.each([
    ['h2', ['queues'], '7', []],
    ['http/1.1', [], undefined, [{ kinds: 1, at: 0 }]],
  ] as const)('over %s watch %j without an object', async (protocol, watched, version, probes) => {
    const s = await start({ tuning: { emptyWatchesAtMost: 1 } });
    s.watches.connected(protocol);
    await s.discover(queue);
    await s.answer(empty, '/queues?');
    expect(s.watched().filter((plural) => plural !== 'events')).toEqual(watched);
    expect(s.watch('queues')?.query.get('resourceVersion')).toBe(version);
    await s.pass(60_000);
    await s.answer(empty, '/queues?');
    expect(s.probes()).toEqual(probes);
  });

  it('watch nothing without objects before the cluster is connected', async () => {
    const s = await start({ tuning: { emptyWatchesAtMost: 1, namedWatchesAtMost: 1 } });
    await s.discover(queue);
    await s.answer(empty, '/queues?');
    s.watches.named([queueKind]);
    expect(s.watched()).toEqual([]);
  });

  it.each(['h2', 'http/1.1'] as const)(
    'what is named and new is watched, or over HTTP/1.1 looked at, at once: %s',
    async (protocol) => {
      const s = await start({ tuning: { namedWatchesAtMost: 2 } });
      s.watches.connected(protocol);
      await s.discover(queue, bucket);
      await s.answer(empty, '/queues?');
      await s.pass(25);
      await s.answer(empty, '/buckets?');
      await s.pass(10_000);
      const asked = s.transport.gets.length;
      s.watches.named([queueKind, { group: 'never.example.org', kind: 'Served' }]);
      await settled();
      const isH2 = protocol === 'h2';
      expect(s.watched().filter((plural) => plural !== 'events')).toEqual(isH2 ? ['queues'] : []);
      expect(s.watch('queues')?.query.get('sendInitialEvents')).toBe(isH2 ? 'true' : undefined);
      const paths = (from: number) => s.transport.gets.slice(from).map(({ path }) => path);
      expect(paths(asked).toSorted()).toEqual(
        isH2 ? ['/apis'] : ['/apis', '/apis/sqs.aws.upbound.io/v1/queues?limit=1&resourceVersion=0'],
      );
      s.watches.named([queueKind]);
      await settled();
      expect(s.transport.watches.filter(({ path }) => path.includes('/queues?'))).toHaveLength(isH2 ? 1 : 0);
      await s.discover(queue, bucket, topic, composite);
      // Composites first; what is not new and has no object is only looked at.
      expect(s.watched().filter((plural) => plural !== 'events')).toEqual(isH2 ? ['queues', 'xapps'] : []);
    },
  );

  it('those that are taken from the ones that are looked at are counted out', async () => {
    const s = await start({ tuning: { namedWatchesAtMost: 2, probeEvery: 1_000 } });
    s.watches.connected('h2');
    await s.discover(queue, bucket);
    s.clock.advance(1_000);
    s.watches.named([queueKind]);
    expect(s.probes()).toEqual([{ kinds: 1, at: 0 }]);
    s.clock.advance(1_000);
    s.watches.named([queueKind]);
    expect(s.probes()).toHaveLength(1);
  });

  it('ask once for each kind that is named and not served, and for a thousand of them', async () => {
    const s = await start();
    await s.discover(kustomize);
    const named = async (kind: string): Promise<number> => {
      const before = s.discoveries();
      s.watches.named([{ group: 'never.example.org', kind }]);
      await settled();
      const asked = s.discoveries() - before;
      if (asked > 0) await s.discover(kustomize);
      return asked;
    };
    expect(await named('A')).toBe(1);
    await s.pass(25_000);
    await s.discover(kustomize);
    expect(await named('A')).toBe(0);
    s.watches.named([{ group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' }]);
    await settled();
    expect(await named('B')).toBe(1);
    s.watches.named(Array.from({ length: 997 }, (_, index) => ({ group: 'never.example.org', kind: `C${index}` })));
    await s.pass(25_000);
    await s.discover(kustomize);
    expect(await named('D')).toBe(1);
    await s.pass(25_000);
    await s.discover(kustomize);
    expect(await named('E')).toBe(0);
  });

  it('look each minute for kinds that are empty, and end their watches where they are too many', async () => {
    const tuning = { emptyFor: 0, discoveryEvery: 10_000_000, probeEvery: 10_000_000 };
    const resume = [{ ...queueKind, version: 'v1', resourceVersion: '70' }];
    const s = await start({ isEmpty: true, resume, tuning });
    await s.discover(queue);
    expect(s.watch('queues')?.query.get('resourceVersion')).toBe('70');
    await s.pass(59_999);
    expect(s.watch('queues')?.aborted()).toBe(false);
    await s.pass(1);
    expect(s.watch('queues')?.aborted()).toBe(true);
    // It is looked at from then on.
    expect(s.get('/queues?')?.path).toBe('/apis/sqs.aws.upbound.io/v1/queues?limit=1');
    await s.answer({ ...empty, items: [{}] }, '/queues?');
    expect(s.watched().filter((plural) => plural === 'queues')).toHaveLength(2);
    await s.pass(60_000);
    expect(s.watch('queues')?.aborted()).toBe(true);
  });

  it.each([
    [[], null],
    [
      [
        { group: '', kind: 'Event', version: 'v1', resourceVersion: '71' },
        { group: '', kind: 'Event', version: 'v1', resourceVersion: '72' },
        { ...queueKind, version: 'v1', resourceVersion: '73' },
      ],
      '72',
    ],
  ])('follow Events once, from the last version that was stored: %j', async (resume, version) => {
    const s = await start({ resume });
    expect(s.transport.watches).toEqual([]);
    s.watches.connected('h2');
    s.watches.connected('h2');
    const events = s.transport.watches.filter(({ path }) => path.includes('/events?'));
    expect(events.map(({ query }) => query.get('resourceVersion'))).toEqual(
      version === null ? [] : [version, version, version, version],
    );
    expect(s.transport.gets.filter(({ path }) => path.includes('/events?'))).toHaveLength(version === null ? 4 : 0);
  });

  it('ask for discovery a second after a server does not know a kind that is watched or looked at', async () => {
    const s = await start();
    await s.discover(kustomize);
    s.watch('kustomizations')?.status(404);
    await settled();
    await s.pass(999);
    expect(s.discoveries()).toBe(1);
    await s.pass(1);
    expect(s.discoveries()).toBe(2);
    await s.discover(kustomize, queue);
    s.get('/queues?')?.status(404);
    await settled();
    await s.pass(1_000);
    expect(s.discoveries()).toBe(3);
  });
});
