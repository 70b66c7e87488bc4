import { beforeEach, describe, expect, it } from 'vitest';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { noon } from '#lib/domain/testing/observed.ts';
import { hour } from '#lib/domain/time/length.ts';
import type { ClusterEvent, ClusterFault, FeedState, WatchedKind } from '../../clusters/cluster-event.ts';
import { lossGrace, vouchFor } from './cluster-visibility.ts';
import { createFeedTracker, type FeedTracker } from './feed-tracker.ts';

const others = { controllers: [], conflicts: [], conflictsTotal: 0, alarming: null, clockAhead: null, cautions: [] };

const kind: WatchedKind = {
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  version: 'v1',
  resource: 'kustomizations',
  namespaced: true,
  categories: [],
};
const other: WatchedKind = {
  ...kind,
  group: 'source.toolkit.fluxcd.io',
  kind: 'GitRepository',
  resource: 'gitrepositories',
};
const lost: ClusterFault = { type: 'unreachable', message: 'no route' };
const refused: ClusterFault = { type: 'forbidden', message: 'RBAC' };
const broken: ClusterFault = { type: 'server', status: 500, message: 'etcd' };

let book: FeedTracker;

beforeEach(() => {
  book = createFeedTracker('c1', {}, noon, null);
});

function feed(state: FeedState, at = noon, of = kind): boolean {
  return book.take({ type: 'feed', at, kind: of, feed: state });
}

function connected(at = noon): ClusterEvent {
  return { type: 'connected', at, protocol: 'h2', version: 'v1.34.3' };
}

function live(): void {
  book.take(connected());
  book.take({ type: 'kinds', at: noon, kinds: [kind, other], absent: [] });
  feed({ state: 'live' });
  feed({ state: 'live' }, noon, other);
  book.coverage();
}

function stateOf(of = kind, now = noon): string | undefined {
  return book.current(now, others).feeds.find((one) => one.kind === of.kind)?.state;
}

it('a kind is seen since the same moment when it is found to have objects, and to have none', () => {
  live();
  const since = (at: number) => book.current(at, others).feeds.find((one) => one.kind === kind.kind)?.since;
  for (const [state, later] of [
    ['idle', 1],
    ['live', 2],
    ['idle', 3],
  ] as const) {
    feed({ state }, noon + later * hour);
    expect([state, since(noon + later * hour)]).toEqual([state, noon]);
  }
});

describe('four different things', () => {
  it.each<[string, FeedState, 'yes' | 'no', boolean]>([
    ['a forbidden kind is not seen', { state: 'forbidden', fault: refused }, 'no', false],
    ['an absent kind is known not to be there', { state: 'absent' }, 'yes', false],
    ['an empty kind is seen', { state: 'idle' }, 'yes', true],
    ['a live kind is seen', { state: 'live' }, 'yes', true],
    ['a silent kind is not seen', { state: 'silent' }, 'no', false],
    ['a kind that never worked and fails is not seen', { state: 'failed', fault: broken }, 'no', false],
    ['a kind that is being listed is not seen yet', { state: 'syncing' }, 'no', false],
  ])('%s', (_name, state, sees, observed) => {
    book.take(connected());
    book.take({ type: 'kinds', at: noon, kinds: [kind], absent: [] });
    book.coverage();
    feed(state);
    expect([book.sees(kind), stateOf()]).toEqual([sees, state.state]);
    expect(book.coverage().some((change) => change.observed)).toBe(observed);
  });

  it.each([
    ['apps', 'Deployment'],
    ['coordination.k8s.io', 'Lease'],
    ['', 'Event'],
  ])('of %s/%s only signs of life are seen: what is in an inventory is not looked for among them', (group, name) => {
    book.take(connected());
    book.take({ type: 'kinds', at: noon, kinds: [kind], absent: [] });
    book.take({ type: 'feed', at: noon, kind: { group, kind: name }, feed: { state: 'live' } });
    expect([book.sees({ group, kind: name }), book.knows({ group, kind: name })]).toEqual(['unwatched', false]);
    expect(book.current(noon, others).feeds).toContainEqual(expect.objectContaining({ kind: name, state: 'live' }));
  });

  it('a kind that this cluster was never asked for is unwatched, and nothing is known before discovery', () => {
    expect(book.sees(kind)).toBe('no');
    live();
    expect(book.sees({ group: 'argoproj.io', kind: 'Application' })).toBe('unwatched');
  });

  it('an unreachable cluster is another thing than its feeds: they keep their state', () => {
    live();
    book.take({ type: 'disconnected', at: noon + 1_000, fault: lost });
    book.settle(noon + 1_000 + lossGrace);
    expect([book.current(noon + 20_000, others).state, stateOf()]).toEqual(['unreachable', 'live']);
  });

  it.each<[ClusterFault, string]>([
    [lost, 'unreachable'],
    [{ type: 'throttled', message: '' }, 'unreachable'],
    [{ type: 'protocol', message: '' }, 'unreachable'],
    [broken, 'unreachable'],
    [{ type: 'unauthorized', message: '' }, 'unauthorized'],
    [refused, 'unauthorized'],
    [{ type: 'credentials', message: '' }, 'misconfigured'],
  ])('a first fault %j makes the cluster %s at once', (fault, state) => {
    book.take({ type: 'disconnected', at: noon, fault });
    expect(book.current(noon, others).state).toBe(state);
  });
});

describe('a cluster none of whose kinds can be read', () => {
  const wrong: ClusterFault = {
    type: 'server',
    status: 400,
    message: 'HTTP 400: Client sent an HTTP request to HTTPS',
  };

  function all(state: FeedState, at = noon): void {
    feed(state, at);
    feed(state, at, other);
  }

  it.each<[ClusterFault, string]>([
    [wrong, 'unreachable'],
    [{ type: 'unauthorized', message: 'HTTP 401' }, 'unauthorized'],
  ])('is not live, though its session stands: %j', (fault, state) => {
    book.take(connected());
    all({ state: 'failed', fault });
    expect(book.current(noon, others)).toMatchObject({
      state,
      reason: `None of its kinds can be read: ${fault.message}`,
      validUntil: noon,
    });
    expect(book.liveSince(noon)).toBeNull();
    expect(book.coverage().at(-1)).toMatchObject({ kind: null, observed: false, state });
  });

  it('is refused where every kind is, and failed where one of them is', () => {
    live();
    all({ state: 'forbidden', fault: refused });
    expect(book.current(noon, others).state).toBe('unauthorized');
    feed({ state: 'silent' });
    expect(book.current(noon, others).state).toBe('unreachable');
  });

  it('is live again with the first kind that can be read, or is being read', () => {
    book.take(connected());
    all({ state: 'failed', fault: wrong });
    feed({ state: 'syncing' }, noon + 5_000);
    expect([book.current(noon + 5_000, others).state, book.liveSince(noon + 5_000)]).toEqual(['live', noon + 5_000]);
  });

  it('is lost after the grace of its feeds, since they failed', () => {
    live();
    all({ state: 'failed', fault: broken }, noon + 1_000);
    expect(book.current(noon + 5_000, others).state).toBe('live');
    book.settle(noon + 1_000 + lossGrace);
    expect(book.current(noon + 20_000, others)).toMatchObject({ state: 'unreachable', since: noon + 1_000 });
  });

  it('is live where one kind can be read, or where it serves none', () => {
    live();
    feed({ state: 'forbidden', fault: refused });
    expect(book.current(noon, others).state).toBe('live');
    all({ state: 'absent' });
    expect(book.current(noon, others).state).toBe('live');
  });

  it('that was cut off is live as soon as its session stands: its kinds are being opened again', () => {
    live();
    book.take({ type: 'disconnected', at: noon, fault: lost });
    all({ state: 'failed', fault: lost });
    book.settle(noon + lossGrace);
    expect(book.current(noon + lossGrace, others).state).toBe('unreachable');
    book.take(connected(noon + 60_000));
    expect(book.current(noon + 60_000, others).state).toBe('live');
  });

  it('is not seen by its leases and events alone', () => {
    live();
    book.take({
      type: 'feed',
      at: noon,
      kind: { group: 'coordination.k8s.io', kind: 'Lease' },
      feed: { state: 'live' },
    });
    all({ state: 'forbidden', fault: refused });
    expect(book.current(noon, others).state).toBe('unauthorized');
  });
});

describe('a silence', () => {
  it('too long to vouch for is not being seen, and begins anew with the next word', () => {
    live();
    expect([book.liveSince(noon + vouchFor - 1), book.liveSince(noon + vouchFor)]).toEqual([noon, null]);
    book.take({ type: 'alive', at: noon + hour });
    expect(book.liveSince(noon + hour)).toBe(noon + hour);
  });
});

describe('a loss has a grace', () => {
  it('a session that is back within it was never lost', () => {
    live();
    expect(book.take({ type: 'disconnected', at: noon + 1_000, fault: lost })).toBe(false);
    expect(book.next()).toBe(noon + 1_000 + lossGrace);
    expect(book.settle(noon + lossGrace)).toBe(false);
    book.take(connected(noon + 1_000 + lossGrace - 1));
    expect([book.settle(noon + 60_000), book.liveSince(noon + 30_000), book.next(), book.coverage()]).toEqual([
      false,
      noon,
      null,
      [],
    ]);
  });

  it('after it the session is lost since the loss itself, and several faults count from the first', () => {
    live();
    book.take({ type: 'disconnected', at: noon + 1_000, fault: lost });
    book.take({ type: 'disconnected', at: noon + 5_000, fault: broken });
    expect(book.settle(noon + 1_000 + lossGrace)).toBe(true);
    expect(book.current(noon + 20_000, others)).toMatchObject({
      state: 'unreachable',
      since: noon + 1_000,
      reason: 'no route',
    });
    expect(book.coverage()).toMatchObject([{ kind: null, at: noon + 1_000, observed: false }]);
  });

  it('a feed that failed is told after it, one that is refused at once', () => {
    live();
    expect(feed({ state: 'failed', fault: broken }, noon + 1_000)).toBe(false);
    expect(feed({ state: 'forbidden', fault: refused }, noon + 1_000, other)).toBe(true);
    expect([stateOf(), stateOf(other)]).toEqual(['live', 'forbidden']);
    expect(book.settle(noon + 1_000 + lossGrace)).toBe(true);
    expect([stateOf(), book.sees(kind)]).toEqual(['failed', 'no']);
  });

  it('silence has had its grace already', () => {
    live();
    expect([feed({ state: 'silent' }, noon + 130_000), book.sees(kind)]).toEqual([true, 'no']);
  });
});

describe('a relist is no blindness', () => {
  it('of a feed that was in step', () => {
    live();
    expect([feed({ state: 'syncing' }, noon + 1_000), stateOf(), book.sees(kind), book.coverage()]).toEqual([
      false,
      'live',
      'yes',
      [],
    ]);
  });

  it('but one that was not seen stays so until the list has come', () => {
    live();
    feed({ state: 'silent' }, noon + 1_000);
    feed({ state: 'syncing' }, noon + 2_000);
    expect(book.sees(kind)).toBe('no');
    feed({ state: 'live' }, noon + 3_000);
    expect(book.sees(kind)).toBe('yes');
  });

  it('and one whose relist fails is lost after its grace', () => {
    live();
    feed({ state: 'syncing' }, noon + 1_000);
    feed({ state: 'failed', fault: broken }, noon + 2_000);
    feed({ state: 'syncing' }, noon + 3_000);
    book.settle(noon + 2_000 + lossGrace);
    expect(book.sees(kind)).toBe('no');
  });
});

describe('since when a kind is not seen', () => {
  const sinceOf = (tracker = book, now = noon): number | undefined =>
    tracker.current(now, others).feeds.find((one) => one.kind === kind.kind)?.since;

  it('is since its cluster was lost, where nothing has come of it since', () => {
    live();
    book.take({ type: 'bookmark', at: noon + 500, kind, resourceVersion: '4' });
    book.take({ type: 'disconnected', at: noon + 1_000, fault: lost });
    book.settle(noon + 1_000 + lossGrace);
    book.take(connected(noon + 60_000));
    book.take({ type: 'kinds', at: noon + 60_000, kinds: [kind, other], absent: [] });
    feed({ state: 'silent' }, noon + 61_000);
    expect(sinceOf()).toBe(noon + 1_000);
  });

  it('is since it was lost itself, where something has come of it since its cluster was', () => {
    live();
    book.take({ type: 'disconnected', at: noon + 1_000, fault: lost });
    book.settle(noon + 1_000 + lossGrace);
    book.take(connected(noon + 60_000));
    book.take({ type: 'bookmark', at: noon + 62_000, kind, resourceVersion: '5' });
    feed({ state: 'silent' }, noon + 200_000);
    expect(sinceOf()).toBe(noon + 200_000);
  });

  it('is since an earlier collector lost its cluster, where that knew it', () => {
    live();
    book.take({ type: 'alive', at: noon + 500 });
    book.take({ type: 'disconnected', at: noon + 1_000, fault: lost });
    book.settle(noon + 1_000 + lossGrace);
    const again = createFeedTracker('c1', {}, noon + 60_000, book.current(noon + 20_000, others));
    again.take(connected(noon + 61_000));
    const added = { ...kind, group: 'example.com', kind: 'Added' };
    again.take({ type: 'kinds', at: noon + 61_000, kinds: [kind, added], absent: [] });
    expect(again.current(noon + 62_000, others).feeds.map((one) => [one.kind, one.state, one.since])).toEqual([
      ['Kustomization', 'syncing', noon + 1_000],
      ['Added', 'syncing', noon + 61_000],
    ]);
  });

  it('goes on where it is not seen for another reason, and ends when it is seen', () => {
    live();
    feed({ state: 'silent' }, noon + 1_000);
    feed({ state: 'forbidden', fault: refused }, noon + 2_000);
    expect(sinceOf()).toBe(noon + 1_000);
    feed({ state: 'live' }, noon + 3_000);
    expect(sinceOf()).toBe(noon + 3_000);
  });
});

describe('in step', () => {
  it('is a cluster of which every kind was listed or refused', () => {
    book.take(connected());
    expect(book.inStep()).toBe(false);
    book.take({ type: 'kinds', at: noon, kinds: [kind, other], absent: [] });
    feed({ state: 'live' });
    expect(book.inStep()).toBe(false);
    feed({ state: 'forbidden', fault: refused }, noon, other);
    expect(book.inStep()).toBe(true);
  });

  it('is not one whose feed was cut off and not opened again, but may be one whose feed the server fails', () => {
    live();
    feed({ state: 'failed', fault: lost }, noon + 1_000);
    expect(book.inStep()).toBe(false);
    feed({ state: 'live' }, noon + 2_000);
    feed({ state: 'failed', fault: broken }, noon + 3_000, other);
    expect(book.inStep()).toBe(true);
  });
});

describe('kinds come and go', () => {
  it('one that discovery names no longer is absent, and one that comes back is listed again', () => {
    live();
    expect(book.take({ type: 'kinds', at: noon + 1_000, kinds: [other], absent: [] })).toBe(true);
    expect(stateOf()).toBe('absent');
    book.take({ type: 'kinds', at: noon + 2_000, kinds: [kind, other], absent: [] });
    expect([stateOf(), book.sees(kind), book.inStep()]).toEqual(['syncing', 'no', false]);
  });

  it('the same kinds again are no news', () => {
    live();
    expect(book.take({ type: 'kinds', at: noon + 1_000, kinds: [kind, other], absent: [] })).toBe(false);
  });
});

describe('vouching', () => {
  it('runs from the last word while the session lives, and not at all after', () => {
    live();
    book.take({ type: 'alive', at: noon + 30_000 });
    expect(book.current(noon + 31_000, others).validUntil).toBe(noon + 30_000 + vouchFor);
    book.take({ type: 'disconnected', at: noon + 32_000, fault: lost });
    book.settle(noon + 32_000 + lossGrace);
    expect(book.current(noon + 41_000, others).validUntil).toBe(noon + 41_000);
  });

  it('counts what is restored before its kind is known to be served', () => {
    book.count(kind, 3);
    feed({ state: 'live' });
    expect(book.current(noon, others).feeds.map(({ objects }) => objects)).toEqual([3]);
  });

  it('remembers protocol, version and last word of an earlier run, but not that it was live', () => {
    live();
    const again = createFeedTracker('c1', {}, noon + 60_000, book.current(noon, others));
    expect(again.current(noon + 60_000, others)).toMatchObject({
      state: 'connecting',
      protocol: 'h2',
      version: 'v1.34.3',
      lastWordAt: noon,
    });
  });
});

describe('after a restart', () => {
  const before = (state: CurrentCluster['state'], lastWordAt: number | null) => ({
    ...book.current(noon, others),
    state,
    lastWordAt,
  });

  it.each([
    ['what was seen was not seen since the last word', 'live', noon - 60_000, [noon - 60_000]],
    ['also where the restart before had not seen it again', 'connecting', noon - 60_000, [noon - 60_000]],
    ['what was lost is recorded as lost already', 'unreachable', noon - 60_000, []],
    ['what was never heard was never seen', 'connecting', null, []],
    ['no word lies in the future', 'live', noon + 60_000, [noon]],
  ] as const)('%s', (_name, state, lastWordAt, gaps) => {
    const again = createFeedTracker('c1', {}, noon, before(state, lastWordAt));
    expect(again.coverage()).toEqual(
      gaps.map((at) => ({
        cluster: 'c1',
        kind: null,
        at,
        observed: false,
        state: 'unobserved',
        reason: 'The collector was not running',
      })),
    );
  });

  const received = noon - 600_000;
  const since = noon - 300_000;

  it.each([
    ['lost before, since then', 'unreachable', received, lost, since],
    ['refused before, and lost now: not seen since then', 'unauthorized', received, lost, since],
    ['seen before, since its last word', 'live', received, lost, received],
    ['not seen again by the restart before, since its last word', 'connecting', received, refused, received],
    ['never heard and refused before, since then', 'misconfigured', null, refused, since],
    ['never heard and only being connected before, since this start', 'connecting', null, lost, noon],
  ] as const)('a cluster that is not seen counts from what is recorded: %s', (_name, state, summary, fault, from) => {
    const again = createFeedTracker('c1', {}, noon, { ...before(state, summary), since });
    expect(again.current(noon, others)).toMatchObject({ state: 'connecting', since: noon });
    again.take({ type: 'disconnected', at: noon + 49_000, fault });
    expect(again.current(noon + 49_000, others).since).toBe(from);
  });

  it('one that was seen again since is lost from then on', () => {
    const again = createFeedTracker('c1', {}, noon, { ...before('unreachable', received), since });
    again.take(connected(noon + 1_000));
    again.take({ type: 'disconnected', at: noon + 20_000, fault: lost });
    again.settle(noon + 20_000 + lossGrace);
    expect(again.current(noon + 30_000, others)).toMatchObject({ state: 'unreachable', since: noon + 20_000 });
  });

  it('a silence is none that lasted while no collector ran', () => {
    const again = createFeedTracker('c1', {}, noon, before('live', received));
    again.take(connected(noon + 1_000));
    expect([again.wasLost(), again.liveSince(noon + 1_000)]).toEqual([false, noon + 1_000]);
  });
});

it('says of a kind that is only probed that what is known of it may be a minute old, or as old as the probes are late', () => {
  live();
  expect(book.lag(kind)).toBe(0);
  feed({ state: 'idle' });
  expect(book.lag(kind)).toBe(60_000);
  book.take({ type: 'probes', at: noon, kinds: 1, longest: 82_000 });
  expect(book.lag(kind)).toBe(82_000);
});

describe('what is told', () => {
  const message = { at: noon + 5, kind, object: {}, initial: false, resourceVersion: '1' };
  const others: readonly ClusterEvent[] = [
    { type: 'alive', at: noon + 5 },
    { ...message, type: 'applied' },
    { ...message, type: 'deleted' },
    { ...message, type: 'sync-start' },
    { ...message, type: 'sync-end' },
    { ...message, type: 'bookmark', kind },
  ];

  it.each(others.map((event) => [event.type, event] as const))(
    '%s is a word of the cluster, and no news',
    (_type, event) => {
      live();
      expect(book.take(event)).toBe(false);
      const { lastWordAt, feeds } = book.current(noon, {
        controllers: [],
        conflicts: [],
        conflictsTotal: 0,
        alarming: null,
        clockAhead: null,
        cautions: [],
      });
      expect(lastWordAt).toBe(noon + 5);
      expect(feeds.find((one) => one.kind === kind.kind)?.lastWordAt).toBe(event.type === 'alive' ? null : noon + 5);
    },
  );

  it.each<readonly [ClusterEvent, boolean]>([
    [{ type: 'disconnected', at: noon + 5, fault: lost }, false],
    [{ type: 'feed', at: noon + 5, kind, feed: { state: 'live' } }, false],
    [{ type: 'probes', at: noon + 5, kinds: 2, longest: 1 }, true],
    [{ type: 'probes', at: noon + 5, kinds: 0, longest: 0 }, false],
    [{ type: 'no-cluster', at: noon + 5 }, true],
  ])('%j is no word of it; that it is news is %s', (event, news) => {
    live();
    expect(book.take(event)).toBe(news);
    expect(stateAndWord().lastWordAt).toBe(noon);
  });

  function stateAndWord() {
    return book.current(noon, {
      controllers: [],
      conflicts: [],
      conflictsTotal: 0,
      alarming: null,
      clockAhead: null,
      cautions: [],
    });
  }

  it('a cluster that is only declared', () => {
    book.take({ type: 'no-cluster', at: noon });
    expect(stateAndWord()).toMatchObject({
      state: 'declared',
      reason: 'It stands for what plumbline.yaml declares; there is no cluster to read.',
    });
  });

  it('what is served and not read, until it is told anew', () => {
    const unread = [{ group: 'a.org', kind: 'A', why: null }];
    book.take({ type: 'kinds', at: noon, kinds: [kind], absent: [], unread });
    book.take({ type: 'alive', at: noon });
    expect(stateAndWord().unread).toEqual(unread);
    book.take({ type: 'kinds', at: noon, kinds: [kind], absent: [] });
    expect(stateAndWord().unread).toEqual([]);
  });

  it('kinds: whether they have namespaces, objects, and are only looked at', () => {
    const wide = { ...other, namespaced: false };
    expect([book.isProbed(kind), book.isNamespaced(wide)]).toEqual([false, true]);
    book.take({ type: 'kinds', at: noon, kinds: [kind, wide], absent: [{ group: 'a.org', kind: 'Gone' }] });
    expect([kind, wide].map((one) => book.isNamespaced(one))).toEqual([true, false]);
    expect(stateOf({ ...kind, kind: 'Gone' })).toBe('absent');
    expect(book.isEmpty(kind)).toBe(true);
    book.count(kind, 2);
    expect([kind, wide].map((one) => book.isEmpty(one))).toEqual([false, true]);
    const probed = (['syncing', 'idle', 'live', 'absent'] as const).map((state) => {
      feed({ state }, noon, kind);
      return book.isProbed(kind);
    });
    expect(probed).toEqual([true, true, false, false]);
    expect(book.isProbed({ group: 'new.org', kind: 'New' })).toBe(true);
    expect(book.isProbed({ group: 'coordination.k8s.io', kind: 'Lease' })).toBe(false);
  });

  it('a version or scope of a kind that has changed is news', () => {
    const kinds = (part: object): boolean =>
      book.take({ type: 'kinds', at: noon, kinds: [{ ...kind, ...part }], absent: [] });
    live();
    expect([{}, {}, { version: 'v2' }, { version: 'v2' }, { namespaced: false }].map((part) => kinds(part))).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('when a loss is due: of the first feed that failed', () => {
    live();
    expect(book.next()).toBeNull();
    feed({ state: 'failed', fault: broken }, noon + 3);
    feed({ state: 'failed', fault: broken }, noon + 1, other);
    expect(book.next()).toBe(noon + 1 + lossGrace);
    expect(book.settle(noon + lossGrace)).toBe(false);
    expect(book.settle(noon + 1 + lossGrace)).toBe(true);
    expect([stateOf(other), stateOf(kind)]).toEqual(['failed', 'live']);
  });
});

it.each<ClusterEvent>([
  { type: 'alive', at: noon },
  { type: 'clock', at: noon, ahead: 5 },
  { type: 'leases', at: noon, namespace: 'a', leases: [] },
  { type: 'deployments', at: noon, namespace: 'a', deployments: [] },
  { type: 'sync-start', at: noon, kind },
  { type: 'bookmark', at: noon, kind, resourceVersion: '1' },
])('takes $type for no news of what is published but the last word', (event) => {
  live();
  const before = book.current(noon, others);
  expect(book.take({ ...event, at: noon + 3 })).toBe(false);
  expect(book.current(noon, others).state).toBe(before.state);
  expect(book.current(noon, others).lastWordAt).toBe(event.type === 'clock' ? before.lastWordAt : noon + 3);
});

it('counts no object of a kind of which none was counted', () => {
  live();
  book.count(kind, 3);
  expect(book.current(noon, others).feeds.map(({ objects }) => objects)).toEqual([3, 0]);
  expect([book.isEmpty(kind), book.isEmpty(other)]).toEqual([false, true]);
});

it('starts with a kind that is listed, and in a namespace as far as is known', () => {
  book.take({ type: 'feed', at: noon, kind, feed: { state: 'syncing' } });
  expect(book.current(noon, others).feeds).toEqual([
    {
      group: kind.group,
      kind: kind.kind,
      version: null,
      namespaced: true,
      state: 'syncing',
      since: noon,
      reason: null,
      lastWordAt: null,
      objects: 0,
    },
  ]);
  expect([book.isNamespaced(kind), book.isNamespaced(other)]).toEqual([true, true]);
});

it('of kinds that are served no longer those that went last are remembered, however often others are served', () => {
  const served = (round: number): readonly WatchedKind[] =>
    Array.from({ length: 500 }, (_, number) => ({ ...kind, group: 'other.example.org', kind: `K${round}x${number}` }));
  for (let round = 0; round < 20; round += 1) {
    book.take({ type: 'kinds', at: noon + round, kinds: [kind, ...served(round)], absent: [other] });
    book.take({ type: 'feed', at: noon + round, kind, feed: { state: 'live' } });
    // Its watch ends only then.
    book.take({
      type: 'feed',
      at: noon + round,
      kind: { group: 'other.example.org', kind: 'K0x0' },
      feed: { state: 'absent' },
    });
  }
  const { feeds } = book.current(noon + 20, others);
  expect(feeds).toHaveLength(2 + 500 + 1_000);
  const isAbsent = (name: string): boolean => feeds.find((feed) => feed.kind === name)?.state === 'absent';
  expect(['K17x0', 'K18x499', 'GitRepository', 'K16x499', 'K19x0', 'Kustomization'].map(isAbsent)).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ]);
});
