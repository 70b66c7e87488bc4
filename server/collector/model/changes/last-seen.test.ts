import { describe, expect, it } from 'vitest';
import type { CurrentCluster, CurrentFeed } from '#lib/domain/record/current.ts';
import type { ClusterEvent, FeedState } from '../../clusters/cluster-event.ts';
import { createLastSeen, type LastSeen } from './last-seen.ts';
import { kinds } from '../testing/objects.ts';

const kind = kinds.kustomization;
const other = kinds.helmRelease;

function feed(at: number, state: FeedState): ClusterEvent {
  return { type: 'feed', at, kind, feed: state };
}
const connected = (at: number): ClusterEvent => ({ type: 'connected', at, protocol: 'h2', version: 'v1.34.3' });
const lost = (at: number): ClusterEvent => ({ type: 'disconnected', at, fault: { type: 'unreachable', message: '' } });
const begins = (at: number): ClusterEvent => ({ type: 'sync-start', at, kind });
const bookmark = (at: number): ClusterEvent => ({ type: 'bookmark', at, kind, resourceVersion: '1' });
const alive = (at: number): ClusterEvent => ({ type: 'alive', at });
const failed = (at: number): ClusterEvent =>
  feed(at, { state: 'failed', fault: { type: 'server', status: 500, message: '' } });

function after(...events: readonly ClusterEvent[]): LastSeen {
  const lastSeen = createLastSeen(null);
  for (const event of events) lastSeen.take(event);
  return lastSeen;
}

/** A cluster as the store remembers it: its last word at 900, and one feed. */
function remembered(part: Partial<CurrentFeed>): CurrentCluster {
  return {
    name: 'c1',
    labels: {},
    state: 'live',
    since: 0,
    reason: null,
    protocol: 'h2',
    version: 'v1.34.3',
    lastWordAt: 900,
    validUntil: 45_900,
    feeds: [
      {
        group: kind.group,
        kind: kind.kind,
        version: 'v1',
        namespaced: true,
        state: 'live',
        since: 100,
        reason: null,
        lastWordAt: 800,
        objects: 1,
        ...part,
      },
    ],
    probes: null,
    unread: [],
    controllers: [],
    conflicts: [],
    conflictsTotal: 0,
    alarming: null,
    clockAhead: null,
    cautions: [],
  };
}

describe('up to when a kind was followed', () => {
  it.each<readonly [string, readonly ClusterEvent[], number | null]>([
    ['never, while it is listed for the first time', [connected(1), begins(2), bookmark(3)], null],
    ['until the word before another list', [begins(2), bookmark(30), begins(40), bookmark(50)], 30],
    ['until its stream failed', [begins(2), bookmark(30), failed(70), feed(80, { state: 'live' }), bookmark(90)], 30],
    ['until the connection was lost', [begins(2), bookmark(30), lost(60), connected(90), bookmark(95)], 30],
    ['a kind without objects, until it was last seen to be empty', [feed(5, { state: 'idle' }), begins(40)], 5],
    ...(['syncing', 'silent', 'absent'] as const).map(
      (state) => [`until it was ${state}`, [begins(2), bookmark(30), feed(70, { state }), bookmark(90)], 30] as const,
    ),
    [
      'until it was refused',
      [
        begins(2),
        bookmark(30),
        feed(70, { state: 'forbidden', fault: { type: 'forbidden', message: '' } }),
        bookmark(90),
      ],
      30,
    ],
    ['words of other kinds say nothing of it', [begins(2), bookmark(30), alive(60), begins(70)], 30],
  ])('%s', (_name, events, expected) => {
    expect(after(...events).lost(kind)).toBe(expected);
  });

  it('a kind that was never heard of was never followed', () => {
    expect(after(connected(1), begins(2), bookmark(3), begins(4)).lost(other)).toBeNull();
  });

  it.each<readonly [string, Partial<CurrentFeed>, number]>([
    ['by its own last word', {}, 800],
    ['one that failed, by its last word', { state: 'failed', lastWordAt: 500 }, 500],
    ['one without objects, by the last word of its cluster', { state: 'idle', lastWordAt: null }, 900],
  ])('goes on where an earlier collector ended: %s', (_name, part, expected) => {
    const lastSeen = createLastSeen(remembered(part));
    for (const event of [connected(2_000), begins(2_100), bookmark(2_200)]) lastSeen.take(event);
    expect(lastSeen.lost(kind)).toBe(expected);
    expect(lastSeen.clusterLost()).toBe(900);
  });
});

describe('the cluster', () => {
  it('was followed until the last word before it was connected to again', () => {
    const probes: ClusterEvent = { type: 'probes', at: 70, kinds: 1, longest: 1 };
    const lastSeen = after(
      connected(1),
      alive(50),
      lost(60),
      probes,
      feed(80, { state: 'idle' }),
      connected(90),
      alive(95),
    );
    expect(lastSeen.clusterLost()).toBe(50);
  });
});

describe('what a stream makes up for', () => {
  it.each<readonly [string, readonly ClusterEvent[], number, boolean]>([
    ['right after the connection', [begins(2), bookmark(30), connected(90)], 500, true],
    ['nearly a second later', [begins(2), bookmark(30), connected(90)], 1_089, true],
    ['a second later it tells what happens', [begins(2), bookmark(30), connected(90)], 1_090, false],
    ['a kind never heard of, at first', [], 999, true],
    ['and not a second later', [], 1_000, false],
    ['one heard of only since', [bookmark(30)], 1_000, false],
    ['while its stream fails', [begins(2), bookmark(30), failed(70)], 99_000, true],
    [
      'right after it was opened again',
      [begins(2), bookmark(30), failed(70), feed(5_000, { state: 'live' })],
      5_900,
      true,
    ],
    ['a second after that', [begins(2), bookmark(30), failed(70), feed(5_000, { state: 'live' })], 6_000, false],
  ])('%s', (_name, events, at, expected) => {
    expect(after(...events).catchesUp(kind, at)).toBe(expected);
  });
});

it('forgets kinds that are served no longer where there are too many, those that came first', () => {
  const named = (name: string) => ({ ...kind, group: 'other.example.org', kind: name });
  const lastSeen = createLastSeen(null);
  const receive = (of: typeof kind, at: number): void => {
    lastSeen.take({ type: 'sync-start', at, kind: of });
    lastSeen.take({ type: 'bookmark', at, kind: of, resourceVersion: '1' });
  };
  receive({ ...kind, group: '', kind: 'Event' }, 1);
  receive(kind, 1);
  for (let number = 0; number < 1_500; number += 1) receive(named(`K${number}`), 1);
  lastSeen.take({ type: 'kinds', at: 2, kinds: [kind], absent: [] });
  lastSeen.take(connected(3));
  const lost = [{ group: '', kind: 'Event' }, kind, named('K499'), named('K500')].map((of) => lastSeen.lost(of));
  expect(lost).toEqual([1, 1, null, 1]);
});
