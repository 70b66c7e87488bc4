import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { ClusterEvent, WatchedKind } from '../cluster-event.ts';
import { startReflector } from '../watch/reflector.ts';
import { defaultTuning } from '../tuning.ts';
import { type FakeTransport, fakeTransport, type PendingGet, type PendingWatch } from './fake-transport.ts';
import { settled } from './until.ts';
import { createBoundary } from '../boundary.ts';
import { silentLog } from '#server/runtime/log.ts';

const kind: WatchedKind = {
  group: 'example.org',
  kind: 'Thing',
  version: 'v1',
  resource: 'things',
  namespaced: true,
  categories: [],
};

/** A reflector on a fake clock and a fake transport. */
export interface Setup {
  readonly clock: FakeClock;
  readonly transport: FakeTransport;
  readonly watchList: { supported: boolean };
  /** Events told since the last call, in short. */
  sent(): string[];
  missing(): number;
  watch(): PendingWatch;
  get(): PendingGet;
  stop(): Promise<void>;
  /** From now on there is no room, for this reason; null for room again. */
  fill(why: string | null): void;
}

export async function start({
  resume = null,
  watchList = true,
}: { resume?: string | null; watchList?: boolean } = {}): Promise<Setup> {
  const clock = fakeClock();
  const transport = fakeTransport();
  const support = { supported: watchList };
  const events: ClusterEvent[] = [];
  let missing = 0;
  let full: string | null = null;
  const reflector = startReflector({
    kind,
    resume,
    transport,
    watchList: support,
    clock,
    tuning: defaultTuning,
    boundary: createBoundary(silentLog),
    random: () => 0,
    on: (event) => void events.push(event),
    onMissing: () => void missing++,
    full: () => full,
  });
  await settled();
  return {
    clock,
    transport,
    watchList: support,
    stop: reflector.stop,
    fill: (why) => void (full = why),
    sent: () => events.splice(0).map(short),
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

export const thing = (name: string, resourceVersion: string): object => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name, resourceVersion },
});
export const added = (name: string, version: string): object => ({ type: 'ADDED', object: thing(name, version) });
export const modified = (name: string, version: string): object => ({ type: 'MODIFIED', object: thing(name, version) });
export const bookmark = (version: string, end = false): object => ({
  type: 'BOOKMARK',
  object: {
    kind: 'Thing',
    apiVersion: 'example.org/v1',
    metadata: { resourceVersion: version, ...(end ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}) },
  },
});
export const error = (code: number, message = 'no'): object => ({
  type: 'ERROR',
  object: { kind: 'Status', code, message },
});
export const page = (resourceVersion: string, names: readonly string[], next = ''): { [key: string]: unknown } => ({
  kind: 'ThingList',
  apiVersion: 'example.org/v1',
  metadata: { resourceVersion, ...(next === '' ? {} : { continue: next }) },
  items: names.map((name) => thing(name, '1')),
});

/** A reflector that is live from a streamed first list, at version 10. */
export async function live(): Promise<Setup> {
  const setup = await start();
  setup.watch().open();
  setup.watch().say(added('a', '3'), bookmark('10', true));
  setup.sent();
  return setup;
}
