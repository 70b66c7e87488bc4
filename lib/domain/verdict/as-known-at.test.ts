import { describe, expect, it } from 'vitest';
import { asKnownAt, clusterAsKnownAt, controllerAlive, expiryOf, feedOf } from './as-known-at.ts';
import type { CurrentFeed } from '../record/current.ts';
import { noon, recorded, seenCluster } from '../testing/observed.ts';
import { verdicts } from './verdict.ts';
import { hour, minute } from '../time/length.ts';

function withFeed(state: CurrentFeed['state']) {
  const cluster = seenCluster();
  return {
    ...cluster,
    feeds: cluster.feeds.map((feed) => ({ ...feed, state, since: noon - 5 * minute, reason: 'why' })),
  };
}

describe('what may be said now', () => {
  it('leaves a seen and proven record as it is', () => {
    const object = recorded();
    expect(asKnownAt(object, seenCluster(), noon)).toBe(object);
  });

  it.each(verdicts)('nothing that was %s stays so once the collector has stopped vouching', (verdict) => {
    const later = noon + 46_000;
    const known = asKnownAt(recorded({ verdict }), seenCluster(), later);
    expect(known).toMatchObject({ verdict: 'unobserved', rootCause: { type: 'cluster', cluster: 'c1' } });
    expect(known.onset.time).toBe(verdict === 'unobserved' ? recorded().onset.time : noon + 45_000);
  });

  it.each(['unreachable', 'unauthorized', 'misconfigured', 'connecting'] as const)(
    'a cluster that is %s shows nothing',
    (state) => {
      expect(asKnownAt(recorded(), seenCluster({ state, since: noon - minute, reason: 'gone' }), noon)).toMatchObject({
        verdict: 'unobserved',
        was: 'converged',
      });
    },
  );

  it.each(['forbidden', 'absent', 'failed', 'silent', 'syncing'] as const)(
    'a feed that is %s shows nothing, and is the cause',
    (state) => {
      const known = asKnownAt(recorded(), withFeed(state), noon);
      expect(known).toMatchObject({
        verdict: 'unobserved',
        was: 'converged',
        rootCause: { type: 'feed', kind: 'Kustomization' },
      });
      expect(known.onset.time).toBe(noon - 5 * minute);
    },
  );

  it('a kind that is not read and a cluster that is not configured show nothing', () => {
    expect(asKnownAt(recorded(), seenCluster({ feeds: [] }), noon).verdict).toBe('unobserved');
    expect(asKnownAt(recorded(), null, noon).verdict).toBe('unobserved');
  });

  it('green does not outlive its proof', () => {
    const object = recorded({ validUntil: noon });
    expect(asKnownAt(object, seenCluster(), noon - 1).verdict).toBe('converged');
    expect(asKnownAt(object, seenCluster(), noon)).toMatchObject({
      verdict: 'stale',
      was: 'converged',
      onset: { time: noon },
    });
  });

  it.each(['stale', 'unobserved', 'converged'] as const)(
    'is not seen since its cluster was lost, though it was called %s by the clock alone since',
    (verdict) => {
      const since = noon - minute;
      const later = { time: since + 6_600, bound: 'exact', noticedAt: since + 6_600 } as const;
      const object = recorded({ verdict, onset: later, awaySince: verdict === 'converged' ? null : later });
      const known = asKnownAt(object, seenCluster({ state: 'unreachable', since }), noon);
      expect([known.onset, known.awaySince?.time]).toEqual([{ time: since, bound: 'exact', noticedAt: since }, since]);
    },
  );

  it('is not seen since its kind was not, though it was called stale by the clock alone since', () => {
    const later = { time: noon - minute, bound: 'exact', noticedAt: noon - minute } as const;
    const object = recorded({ verdict: 'stale', onset: later, awaySince: later });
    expect(asKnownAt(object, withFeed('forbidden'), noon).onset.time).toBe(noon - 5 * minute);
  });

  it('of a cluster that is not configured any more it is not seen since its last verdict', () => {
    const later = { time: noon + minute, bound: 'exact', noticedAt: noon + minute } as const;
    expect(asKnownAt(recorded({ onset: later }), null, noon + 2 * minute).onset.time).toBe(noon + minute);
  });

  it('keeps since when it has been away', () => {
    const awaySince = { time: noon - 60 * minute, bound: 'exact', noticedAt: noon - 60 * minute } as const;
    expect(asKnownAt(recorded({ verdict: 'diverged', awaySince }), null, noon).awaySince).toBe(awaySince);
  });

  it('says of a cluster that nobody vouches for it', () => {
    expect(clusterAsKnownAt(seenCluster(), noon).state).toBe('live');
    expect(clusterAsKnownAt(seenCluster(), noon + 45_000)).toMatchObject({ state: 'unobserved', since: noon + 45_000 });
  });

  it('knows only the least of how long a cluster is not seen of which nothing was ever heard', () => {
    const lost = seenCluster({ state: 'unreachable' });
    expect(clusterAsKnownAt(lost, noon).bound).toBe('exact');
    expect(clusterAsKnownAt({ ...lost, lastWordAt: null }, noon).bound).toBe('at-least');
  });
});

describe('what may be said of a controller', () => {
  const controller = {
    namespace: 'flux-system',
    name: 'kustomize-controller',
    lease: 'kustomize-controller-leader-election',
    holder: 'pod',
    transitions: 1,
    version: 'v1.9.4',
    objects: 3,
    durationSeconds: 35,
  };
  it.each([
    ['a lease that moved in its term', 'alive', noon - 49_000, 'unknown', true],
    ['a lease that has not', 'alive', noon - 50_000, 'unknown', false],
    ['a pod that is available, whatever became of an old lease', 'alive', noon - hour, 'available', true],
    ['a pod that is available, without any lease', 'alive', null, 'available', true],
    ['neither', 'alive', null, 'unknown', false],
    ['a word that it is dead', 'dead', noon, 'available', false],
  ] as const)('%s', (_name, state, lastMovedAt, deployment, alive) => {
    expect(controllerAlive({ ...controller, state, lastMovedAt, deployment }, noon)).toBe(alive);
  });
});

describe('a record that nobody sees is told whole', () => {
  const feed = { type: 'feed', cluster: 'c1', group: recorded().ref.group, kind: 'Kustomization' } as const;
  const lost = { type: 'cluster', cluster: 'c1' } as const;
  it.each([
    [
      seenCluster(),
      noon + 45_000,
      'Cluster c1 is not observed: the collector has not vouched for this cluster since.',
      lost,
    ],
    [seenCluster({ state: 'unreachable', reason: null }), noon, 'Cluster c1 is not observed.', lost],
    [seenCluster({ state: 'unreachable', reason: 'No route. ' }), noon, 'Cluster c1 is not observed: no route.', lost],
    [null, noon, 'Its cluster is not configured any more.', lost],
    [seenCluster({ feeds: [] }), noon, 'Kustomization is not read on c1.', feed],
    [withFeed('forbidden'), noon, 'Kustomization on c1 is forbidden: why.', feed],
  ])('of %j at %d: %s', (cluster, now, sentence, rootCause) => {
    const object = recorded({
      verdict: 'diverged',
      names: [recorded().ref],
      reconciling: true,
      rolling: true,
    });
    const known = asKnownAt(object, cluster, now);
    expect(known).toEqual({
      ...object,
      verdict: 'unobserved',
      was: 'diverged',
      reconciling: false,
      rolling: false,
      reason: 'NotObserved',
      sentence,
      names: [],
      onset: { time: known.onset.time, bound: 'exact', noticedAt: known.onset.time },
      awaySince: known.onset,
      rootCause,
    });
  });

  it.each([
    ['unobserved', 'drifted', 'drifted'],
    ['stale', 'drifted', 'drifted'],
    ['diverged', 'drifted', 'diverged'],
    ['stale', null, 'stale'],
  ] as const)('what was %s over %s was %s beneath', (verdict, was, beneath) => {
    expect(asKnownAt(recorded({ verdict, was }), null, noon).was).toBe(beneath);
  });

  it('a kind of which there is none is seen, and its feed is found by group and kind', () => {
    expect(asKnownAt(recorded(), withFeed('idle'), noon)).toEqual(recorded());
    const feeds = withFeed('live').feeds.map((one) => ({ ...one, group: 'other' }));
    expect(feedOf({ ...seenCluster(), feeds }, recorded().ref)).toBeNull();
    expect(feedOf({ ...seenCluster(), feeds: [...feeds, ...seenCluster().feeds] }, recorded().ref)).toEqual(
      seenCluster().feeds[0],
    );
  });

  it('a cluster is known as it stands, until nobody has vouched for it', () => {
    const { since, validUntil } = seenCluster();
    expect(clusterAsKnownAt(seenCluster(), validUntil - 1)).toEqual({
      state: 'live',
      since,
      bound: 'exact',
      reason: null,
      cautions: [],
    });
    expect(clusterAsKnownAt(seenCluster(), validUntil)).toEqual({
      state: 'unobserved',
      since: validUntil,
      bound: 'exact',
      reason: 'The collector has not vouched for this cluster since.',
      cautions: [],
    });
    const never = seenCluster({ state: 'unreachable', lastWordAt: null, reason: 'gone' });
    expect(clusterAsKnownAt(never, noon)).toEqual({
      state: 'unreachable',
      since,
      bound: 'at-least',
      reason: 'gone',
      cautions: [],
    });
  });
});

describe('a record whose proof has run out is told whole', () => {
  const object = recorded({ names: [recorded().ref], validUntil: noon, reconciling: true, rolling: true });
  const onset = { time: noon, bound: 'exact', noticedAt: noon };

  it('is stale from then on', () => {
    expect(asKnownAt(object, seenCluster(), noon)).toEqual({
      ...object,
      verdict: 'stale',
      was: 'converged',
      reconciling: false,
      rolling: false,
      reason: 'NoSignOfLife',
      sentence: 'No sign of life of its loop has come within its bound, so its last word proves nothing.',
      names: [],
      onset,
      awaySince: onset,
    });
    const awaySince = { time: noon - minute, bound: 'exact', noticedAt: noon } as const;
    expect(asKnownAt({ ...object, awaySince }, seenCluster(), noon).awaySince).toEqual(awaySince);
  });

  it.each(['stale', 'suspended'] as const)('what is %s stays so', (verdict) => {
    const of = { ...object, verdict };
    expect(asKnownAt(of, seenCluster(), noon)).toBe(of);
  });

  it('a record runs out once', () => {
    expect([
      expiryOf(object, noon - 1),
      expiryOf(object, noon),
      expiryOf({ ...object, validUntil: null }, noon),
    ]).toEqual([noon, null, null]);
  });
});
