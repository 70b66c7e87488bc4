import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { type Log, silentLog } from '#server/runtime/log.ts';
import { createBoundary, type GuardedDeps, keepReading } from './boundary.ts';
import type { ClusterEvent, WatchedKind } from './cluster-event.ts';
import { startArgoSigns } from './signs/argo-liveness.ts';
import { startLivenessProbes } from './signs/liveness-probes.ts';
import { type FakeTransport, fakeTransport } from './testing/fake-transport.ts';
import { added, bookmark } from './testing/reflecting.ts';
import { settled } from './testing/until.ts';
import { defaultTuning } from './tuning.ts';
import { startDiscovery } from './watch/discovery/discovery.ts';
import { startEvents } from './watch/events.ts';
import { startProber } from './watch/prober.ts';
import { startReflector } from './watch/reflector.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const kind: WatchedKind = {
  group: 'example.org',
  kind: 'Thing',
  version: 'v1',
  resource: 'things',
  namespaced: true,
  categories: [],
};

function logging() {
  const logged: object[] = [];
  const log: Log = { ...silentLog, error: (data, message) => void logged.push({ ...data, message }) };
  return { logged, boundary: createBoundary(log) };
}

/** A cluster that is read over a fake transport, by something that throws while it `hears` an event that is not of a feed. */
function hearing() {
  const clock = fakeClock();
  const transport = fakeTransport();
  const { logged, boundary } = logging();
  const feeds: string[] = [];
  const spoilt = { isSpoilt: true };
  const hear = (): void => {
    if (spoilt.isSpoilt) throw new Error('planted');
  };
  const on = (event: ClusterEvent): void => {
    if (event.type === 'feed')
      feeds.push(`${event.feed.state}${'fault' in event.feed ? `: ${event.feed.fault.message}` : ''}`);
    else hear();
  };
  const deps: GuardedDeps = { transport, clock, boundary, random: () => 0, tuning: defaultTuning };
  return { clock, transport, logged, feeds, spoilt, hear, on, deps };
}

type Hearing = ReturnType<typeof hearing>;

const failed = 'failed: an error of Plumbline: planted';

/** Answers whatever is asked, and speaks on whatever is watched, for so many rounds. */
async function answerAll({ clock, transport }: Hearing, answer: (transport: FakeTransport) => void): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    answer(transport);
    await settled();
    clock.advance(2_000);
    await settled();
  }
}

function gets(body: (path: string) => { readonly [key: string]: unknown }): (transport: FakeTransport) => void {
  return (transport) => {
    for (const get of transport.gets.splice(0)) get.ok(body(get.path));
  };
}

const lease = { metadata: { namespace: 'flux-system', name: 'x' } };
const listOf = (path: string) => ({
  kind: 'List',
  metadata: { resourceVersion: '1' },
  items: path.includes('leases') ? [lease] : [],
});
const event = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { uid: 'u', resourceVersion: '2' },
  involvedObject: { kind: 'Kustomization', name: 'a' },
};
const eventsOf = () => ({ kind: 'EventList', metadata: { resourceVersion: '2' }, items: [event] });

function events(transport: FakeTransport): void {
  gets(eventsOf)(transport);
  for (const watch of transport.watches.splice(0)) watch.open();
}

function streams(transport: FakeTransport): void {
  for (const watch of transport.watches.splice(0)) {
    watch.open();
    watch.say(added('a', '3'), bookmark('10', true));
  }
}

describe('what is thrown in a loop is a fault of what it reads, and the loop goes on', () => {
  it.each<readonly [string, (heard: Hearing) => { stop(): Promise<void> }, (transport: FakeTransport) => void, string]>(
    [
      [
        'a feed that streams',
        ({ deps, on }) => startReflector({ ...deps, on, kind, resume: null, watchList: { supported: true } }),
        streams,
        'live',
      ],
      ['the Events', ({ deps, on }) => startEvents({ ...deps, on, resume: null }), events, 'live'],
      [
        'signs of life',
        ({ deps, on }) => startLivenessProbes({ ...deps, on, namespaces: ['flux-system'] }),
        gets(listOf),
        'live',
      ],
      ['signs of Argo CD', ({ deps, on }) => startArgoSigns({ ...deps, on }), gets(listOf), 'live'],
      [
        'discovery',
        ({ deps, hear, feeds }) =>
          startDiscovery({
            ...deps,
            log: silentLog,
            onKinds() {
              hear();
              feeds.push('live');
            },
            onFault: ({ message }) => void feeds.push(`failed: ${message}`),
          }),
        gets(() => ({ kind: 'APIGroupDiscoveryList', items: [] })),
        'live',
      ],
      [
        'looks at kinds without objects',
        ({ deps, on, hear, feeds }) => {
          const prober = startProber({
            ...deps,
            onFeed: (about, feed) => on({ type: 'feed', at: 0, kind: about, feed }),
            onFound() {
              hear();
              feeds.push('found');
            },
            onEmpty: () => false,
            onMissing: () => undefined,
            onProbeStats: () => undefined,
          });
          prober.setKinds([kind]);
          return prober;
        },
        gets(() => ({ kind: 'List', metadata: { resourceVersion: '1' }, items: [{}] })),
        'found',
      ],
    ],
  )('%s', async (_what, start, answer, good) => {
    const heard = hearing();
    stops.push(start(heard).stop);
    await settled();
    await answerAll(heard, answer);
    expect(heard.feeds).toContain(failed);
    expect(heard.feeds).not.toContain('found');
    expect(heard.logged.length).toBeGreaterThan(0);
    const told = heard.logged.length;
    expect(new Set(heard.logged.map((each) => JSON.stringify(each))).size, 'each is logged once').toBe(told);
    heard.spoilt.isSpoilt = false;
    for (let wait = 0; wait < 12; wait += 1) await answerAll(heard, answer);
    expect(heard.feeds.at(-1)).toBe(good);
    expect(heard.logged).toHaveLength(told);
  });
});

describe('the boundary of a cluster', () => {
  it('logs an error once, by what was read and without words of the cluster in its stack', () => {
    const { logged, boundary } = logging();
    const error = new TypeError('token: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl');
    expect(boundary.fault('a', error)).toMatchObject({ type: 'protocol' });
    boundary.fault('a', error);
    boundary.run('b', () => {
      throw error;
    });
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatchObject({ reading: 'a', message: 'an error of Plumbline while a cluster was read' });
    expect(JSON.stringify(logged)).not.toContain('c2lnbmF0dXJl');
  });

  it('logs so many errors and no more', () => {
    const { logged, boundary } = logging();
    for (let n = 0; n < 150; n += 1) boundary.fault('a', new Error(`no ${n}`));
    expect(logged).toHaveLength(100);
  });

  it('waits longer and longer between turns that throw, whatever else throws', async () => {
    const { clock, deps } = hearing();
    const stopper = new AbortController();
    const turns: number[] = [];
    const began = clock.now();
    const running = keepReading(deps, {
      what: 'x',
      signal: stopper.signal,
      turn() {
        turns.push(clock.now() - began);
        throw new Error('planted');
      },
      onFault() {
        throw new Error('and here');
      },
    });
    for (let step = 0; step < 20; step += 1) {
      await settled(3);
      clock.advance(400);
    }
    stopper.abort();
    await running;
    expect(turns).toEqual([0, 800, 2_400, 5_600]);
  });
});
