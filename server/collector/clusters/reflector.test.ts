import { describe, expect, it } from 'vitest';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterEvent, WatchedKind } from './cluster-event.ts';
import { startReflector } from './reflector.ts';
import { type FakeTransport, fakeTransport, type PendingGet, type PendingWatch } from './testing/fake-transport.ts';
import { settled } from './testing/until.ts';
import { defaultTuning } from './tuning.ts';

const kind: WatchedKind = {
  group: 'example.org',
  kind: 'Thing',
  version: 'v1',
  resource: 'things',
  namespaced: true,
  categories: [],
};
const minute = 60_000;

interface Setup {
  readonly clock: FakeClock;
  readonly transport: FakeTransport;
  readonly watchList: { supported: boolean };
  /** What was told since the last call, in short. */
  told(): string[];
  missing(): number;
  watch(): PendingWatch;
  get(): PendingGet;
  stop(): Promise<void>;
}

async function start({
  resume = null,
  watchList = true,
}: { resume?: string | null; watchList?: boolean } = {}): Promise<Setup> {
  const clock = fakeClock();
  const transport = fakeTransport();
  const support = { supported: watchList };
  const events: ClusterEvent[] = [];
  let missing = 0;
  const reflector = startReflector({
    ...{ kind, resume, transport, watchList: support, clock, tuning: defaultTuning },
    random: () => 0,
    on: (event) => void events.push(event),
    onMissing: () => void missing++,
  });
  await settled();
  return {
    ...{ clock, transport, watchList: support, stop: reflector.stop },
    told: () => events.splice(0).map(short),
    missing: () => missing,
    watch: () => last(transport.watches),
    get: () => last(transport.gets),
  };
}

function last<T>(items: readonly T[]): T {
  const item = items.at(-1);
  if (item === undefined) throw new Error('nothing was asked');
  return item;
}

function short(event: ClusterEvent): string {
  switch (event.type) {
    case 'feed':
      return 'fault' in event.feed ? `${event.feed.state}: ${event.feed.fault.type}` : event.feed.state;
    case 'applied':
      return `${event.initial ? 'initial' : 'applied'} ${JSON.stringify(event.object['metadata'])}`.replace(
        /\{"name":"(\w+)".*/,
        '$1',
      );
    case 'deleted':
      return `deleted ${JSON.stringify(event.object['metadata'])}`.replace(/\{"name":"(\w+)".*/, '$1');
    case 'sync-end':
    case 'bookmark':
      return `${event.type} ${event.resourceVersion}`;
    default:
      return event.type;
  }
}

const thing = (name: string, resourceVersion: string): object => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name, resourceVersion },
});
const added = (name: string, version: string): object => ({ type: 'ADDED', object: thing(name, version) });
const modified = (name: string, version: string): object => ({ type: 'MODIFIED', object: thing(name, version) });
const bookmark = (version: string, end = false): object => ({
  type: 'BOOKMARK',
  object: {
    kind: 'Thing',
    apiVersion: 'example.org/v1',
    metadata: { resourceVersion: version, ...(end ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}) },
  },
});
const error = (code: number, message = 'no'): object => ({ type: 'ERROR', object: { kind: 'Status', code, message } });
const page = (resourceVersion: string, names: readonly string[], next = ''): { [key: string]: unknown } => ({
  kind: 'ThingList',
  apiVersion: 'example.org/v1',
  metadata: { resourceVersion, ...(next === '' ? {} : { continue: next }) },
  items: names.map((name) => thing(name, '1')),
});

/** A reflector that is live from a streamed first list, at version 10. */
async function live(): Promise<Setup> {
  const setup = await start();
  setup.watch().open();
  setup.watch().say(added('a', '3'), bookmark('10', true));
  setup.told();
  return setup;
}

describe('first sync', () => {
  it('streams it (WatchList), and goes on on the same stream', async () => {
    const s = await start();
    expect(s.watch().query.get('sendInitialEvents')).toBe('true');
    expect(s.watch().query.get('resourceVersionMatch')).toBe('NotOlderThan');
    expect(s.watch().query.get('allowWatchBookmarks')).toBe('true');
    s.watch().open();
    s.watch().say(added('a', '7'), added('b', '3'), bookmark('10', true), modified('a', '11'), {
      type: 'DELETED',
      object: thing('b', '12'),
    });
    expect(s.told()).toEqual([
      'syncing',
      'sync-start',
      'initial a',
      'initial b',
      'sync-end 10',
      'live',
      'applied a',
      'deleted b',
    ]);
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it.each([400, 422])(
    'falls back to lists where WatchList is unsupported (HTTP %i), and remembers it for the cluster',
    async (code) => {
      const s = await start();
      s.watch().status(code, 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled');
      await settled();
      expect(s.watchList.supported).toBe(false);
      expect(s.get().path).toBe('/apis/example.org/v1/things?limit=500&resourceVersion=0');
      s.get().ok(page('20', ['a', 'b']));
      await settled();
      expect(s.told()).toEqual(['syncing', 'sync-start', 'initial a', 'initial b', 'sync-end 20']);
      expect(s.watch().query.get('resourceVersion')).toBe('20');
      s.watch().open();
      expect(s.told()).toEqual(['live']);
      await s.stop();
    },
  );

  it('falls back where an old server ignores sendInitialEvents (a bookmark without its annotation)', async () => {
    const s = await start();
    s.watch().open();
    s.watch().say(added('a', '7'), bookmark('8'));
    await settled();
    expect(s.watchList.supported).toBe(false);
    expect(s.transport.gets).toHaveLength(1);
    await s.stop();
  });

  it('reads in pages what is too large for one answer, and smaller pages what is still too large', async () => {
    const s = await start({ watchList: false });
    s.get().answer({ type: 'too-large' });
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=500');
    s.get().answer({ type: 'too-large' });
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=62');
    s.get().ok(page('20', ['a'], 'next/1'));
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=62&continue=next%2F1');
    s.get().ok(page('20', ['b']));
    await settled();
    expect(s.told()).toEqual(['syncing', 'sync-start', 'initial a', 'initial b', 'sync-end 20']);
    await s.stop();
  });

  it('starts the list again when its continue token has expired', async () => {
    const s = await start({ watchList: false });
    s.get().ok(page('20', ['a'], 'next'));
    await settled();
    s.get().status(410, 'The provided continue parameter is too old');
    await settled();
    expect(s.get().path).toBe('/apis/example.org/v1/things?limit=500');
    s.get().ok(page('30', ['a']));
    await settled();
    expect(s.told()).toEqual(['syncing', 'sync-start', 'initial a', 'sync-start', 'initial a', 'sync-end 30']);
    await s.stop();
  });

  it('an empty kind is synced and live, not absent', async () => {
    const s = await start();
    s.watch().open();
    s.watch().say(bookmark('10', true));
    expect(s.told()).toEqual(['syncing', 'sync-start', 'sync-end 10', 'live']);
    await s.stop();
  });

  it('syncs again when the stream breaks before its end', async () => {
    const s = await start();
    s.watch().open();
    s.watch().say(added('a', '7'));
    s.watch().lose();
    await settled();
    s.clock.advance(2_000);
    await settled();
    expect(s.watch().query.get('sendInitialEvents')).toBe('true');
    s.watch().open();
    s.watch().say(added('a', '7'), bookmark('10', true));
    expect(s.told()).toEqual(['syncing', 'sync-start', 'initial a', 'sync-start', 'initial a', 'sync-end 10', 'live']);
    await s.stop();
  });

  it.each([
    ['a Table', { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '1' }, rows: [] }],
    [
      'a list of another kind',
      { kind: 'OtherList', apiVersion: 'example.org/v1', metadata: { resourceVersion: '1' }, items: [] },
    ],
    ['a list without a resourceVersion', { kind: 'ThingList', apiVersion: 'example.org/v1', metadata: {}, items: [] }],
  ])('rejects %s', async (_, body) => {
    const s = await start({ watchList: false });
    s.get().ok(body);
    await settled();
    expect(s.told().at(-1)).toBe('failed: protocol');
    await s.stop();
  });
});

describe('resuming', () => {
  it('goes on from a stored resourceVersion without a list', async () => {
    const s = await start({ resume: '77' });
    expect(s.watch().query.get('resourceVersion')).toBe('77');
    expect(s.watch().query.has('sendInitialEvents')).toBe(false);
    s.watch().open();
    s.watch().say(modified('a', '78'));
    expect(s.told()).toEqual(['live', 'applied a']);
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it('goes on from the last version after a clean end, at once and without a list', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().say(modified('a', '15'));
    s.watch().end();
    await settled();
    expect(s.transport.watches).toHaveLength(2);
    expect(s.watch().query.get('resourceVersion')).toBe('15');
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it('goes on from the last bookmark', async () => {
    const s = await live();
    s.watch().say(bookmark('40'));
    expect(s.told()).toEqual(['bookmark 40']);
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('40');
    await s.stop();
  });

  it('an object without metadata does not reset the version', async () => {
    const s = await live();
    s.watch().say({ type: 'MODIFIED', object: { apiVersion: 'example.org/v1', kind: 'Thing' } });
    s.watch().end();
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    await s.stop();
  });

  it('a lost connection (GOAWAY, reset) that heals at once is not told', async () => {
    const s = await live();
    s.watch().lose();
    await settled();
    s.clock.advance(1_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    s.watch().open();
    s.clock.advance(minute);
    expect(s.told()).toEqual([]);
    await s.stop();
  });

  it('a lost connection that does not heal is told as failed', async () => {
    const s = await live();
    s.watch().lose();
    await settled();
    s.clock.advance(6_000);
    await settled();
    expect(s.told()).toEqual(['failed: unreachable']);
    s.watch().open();
    expect(s.told()).toEqual(['live']);
    await s.stop();
  });

  it.each([
    ['HTTP 500', 500, 'failed: server'],
    ['HTTP 429', 429, 'failed: throttled'],
    ['HTTP 401', 401, 'failed: unauthorized'],
  ])('%s on a re-watch does not end it: it goes on without a list', async (_, code, feed) => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    s.watch().status(code);
    await settled();
    expect(s.told()).toEqual([feed]);
    s.clock.advance(2_000);
    await settled();
    expect(s.transport.watches).toHaveLength(3);
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    s.watch().open();
    expect(s.told()).toEqual(['live']);
    expect(s.transport.gets).toEqual([]);
    await s.stop();
  });

  it('waits as long as Retry-After says', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    s.watch().status(429, 'slow down', '20');
    await settled();
    s.clock.advance(19_000);
    await settled();
    expect(s.transport.watches).toHaveLength(2);
    s.clock.advance(1_001);
    await settled();
    expect(s.transport.watches).toHaveLength(3);
    await s.stop();
  });

  it('an ERROR event other than 410 goes on without a list', async () => {
    const s = await live();
    s.watch().say(error(500, 'etcd leader changed'));
    await settled();
    expect(s.told()).toEqual(['failed: server']);
    s.clock.advance(2_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    await s.stop();
  });

  it.each<[string, (watch: PendingWatch) => void]>([
    ['an ERROR event', (watch) => watch.say(error(410, 'too old resource version'))],
    ['an HTTP status', (watch) => watch.status(410)],
    [
      'an ERROR event of a version from the future',
      (watch) => watch.say(error(504, 'Too large resource version: 10, current: 5')),
    ],
  ])('410 as %s: lists anew', async (_, happen) => {
    const s = await live();
    s.clock.advance(minute);
    happen(s.watch());
    await settled();
    s.clock.advance(3_000);
    await settled();
    expect(s.watch().query.get('sendInitialEvents')).toBe('true');
    s.watch().open();
    s.watch().say(added('a', '90'), bookmark('99', true));
    expect(s.told().filter((each) => !each.startsWith('failed'))).toEqual([
      'syncing',
      'sync-start',
      'initial a',
      'sync-end 99',
      'live',
    ]);
    await s.stop();
  });

  it('a server that fails for longer than a minute is listed anew, as client-go does', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    let tries = 0;
    while (s.watch().query.get('sendInitialEvents') !== 'true' && tries++ < 20) {
      s.watch().status(500);
      await settled();
      s.clock.advance(60_000);
      await settled();
    }
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(5);
    await s.stop();
  });

  it('a very short watch is an error and waits ever longer', async () => {
    const s = await live();
    s.clock.advance(minute);
    s.watch().end();
    await settled();
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      const before = s.transport.watches.length;
      s.watch().open();
      s.watch().end();
      await settled();
      let waited = 0;
      while (s.transport.watches.length === before && waited < 100_000) {
        s.clock.advance(100);
        waited += 100;
        await settled(6);
      }
      waits.push(waited);
    }
    expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]);
    await s.stop();
  });

  it('asks for a random time of 5 to 10 minutes, and ends a stream that the server keeps longer', async () => {
    const s = await live();
    expect(s.watch().query.get('timeoutSeconds')).toBe('300');
    for (let passed = 0; passed < 6; passed++) {
      s.clock.advance(minute);
      s.watch().say(bookmark(String(20 + passed)));
    }
    await settled();
    expect(s.transport.watches).toHaveLength(2);
    await s.stop();
  });
});

describe('what is not fresh is not called so', () => {
  it('a stream silent past its bookmarks is told and reopened; only a word makes it live again', async () => {
    const s = await live();
    s.clock.advance(129_000);
    await settled();
    expect(s.told()).toEqual([]);
    s.clock.advance(1_500);
    await settled();
    expect(s.told()).toEqual(['silent']);
    expect(s.transport.watches).toHaveLength(2);
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    s.watch().open();
    expect(s.told()).toEqual([]);
    s.watch().say(bookmark('50'));
    expect(s.told()).toEqual(['live', 'bookmark 50']);
    await s.stop();
  });

  it('forbidden is its own state, asked again slowly', async () => {
    const s = await start();
    s.watch().status(403, 'things.example.org is forbidden');
    await settled();
    expect(s.told()).toEqual(['syncing', 'forbidden: forbidden']);
    s.clock.advance(40_000);
    await settled();
    expect(s.transport.watches).toHaveLength(1);
    s.clock.advance(30_000);
    await settled();
    expect(s.transport.watches).toHaveLength(2);
    await s.stop();
  });

  it('404 is absent, and asks for discovery', async () => {
    const s = await start();
    s.watch().status(404);
    await settled();
    expect(s.told()).toEqual(['syncing', 'absent']);
    expect(s.missing()).toBe(1);
    await s.stop();
  });

  it.each([
    ['no JSON', '{"type":"ADDED","obj'],
    ['an object of another kind', { type: 'ADDED', object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1' } }],
    ['an unknown type', { type: 'WHAT', object: thing('a', '1') }],
  ])('a line with %s is a protocol fault, and the watch is opened anew', async (_, line) => {
    const s = await live();
    s.watch().say(line, modified('a', '99'));
    await settled();
    expect(s.told()).toEqual(['failed: protocol']);
    s.clock.advance(2_000);
    await settled();
    expect(s.watch().query.get('resourceVersion')).toBe('10');
    await s.stop();
  });

  it('says nothing any more once stopped', async () => {
    const s = await live();
    await s.stop();
    s.watch().say(modified('a', '11'));
    expect(s.told()).toEqual([]);
    expect(s.watch().aborted()).toBe(true);
    expect(s.clock.pending()).toBe(0);
  });
});
