import type { KnownObject } from '#lib/domain/alarm/known-object.ts';
import { expect, it } from 'vitest';
import { countInto, emptyTally } from '#lib/domain/guarantee/tally.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleObject } from '../testing/sample.ts';
import { factsOf, outsideText } from './summary-facts.ts';

/** A cluster with objects of these verdicts. */
function of(name: string, verdicts: readonly Verdict[], state: KnownCluster['known']['state'] = 'live'): KnownCluster {
  const objects = verdicts.map((verdict, at): KnownObject =>
    sampleObject({ cluster: name, name: `o${at}` }, { verdict }),
  );
  const known = knownCluster(name, objects);
  return { ...known, known: { ...known.known, state } };
}

const good = of('good', ['converged']);
const bad = of('bad', ['diverged', 'diverged', 'unhealthy']);
const worse = of('worse', ['diverged']);
const stale = of('stale', ['stale']);
const lost = of('lost', [], 'unreachable');
const gone = of('gone', [], 'unobserved');
const only = of('only', [], 'declared');

it.each<[string, readonly KnownCluster[], readonly KnownCluster[], string]>([
  ['nothing', [good], [good], 'Outside this filter nothing is worse.'],
  ['what is good', [good, of('fine', ['converged'])], [good], 'Outside this filter nothing is worse.'],
  ['what is only declared', [good, only], [good], 'Outside this filter nothing is worse.'],
  ['each verdict', [good, bad], [good], 'Outside this filter: 2 diverged, 1 unhealthy on 1 cluster.'],
  [
    'clusters',
    [good, bad, worse, stale],
    [good],
    'Outside this filter: 3 diverged, 1 unhealthy, 1 stale on 3 clusters.',
  ],
  ['what is as bad as the worst inside', [bad, worse], [worse], 'Outside this filter: 2 diverged on 1 cluster.'],
  ['nothing that is better than the worst inside', [worse, stale], [worse], 'Outside this filter nothing is worse.'],
  ['not even what is a little better', [worse, of('x', ['drifted'])], [worse], 'Outside this filter nothing is worse.'],
  ['what is worse than the worst inside', [worse, stale], [stale], 'Outside this filter: 1 diverged on 1 cluster.'],
  ['a cluster that is not seen', [good, lost], [good], 'Outside this filter: 1 cluster is not seen.'],
  ['two', [good, lost, gone], [good], 'Outside this filter: 2 clusters are not seen.'],
  ['one that is inside', [good, lost], [lost], 'Outside this filter nothing is worse.'],
  ['both', [good, worse, lost], [good], 'Outside this filter: 1 diverged on 1 cluster; 1 cluster is not seen.'],
  ['part of the one cluster', [bad], [of('bad', [])], 'Outside this filter: 2 diverged, 1 unhealthy.'],
  [
    'part of one of two',
    [bad, worse],
    [of('bad', ['diverged']), worse],
    'Outside this filter: 1 diverged on 1 cluster.',
  ],
])('outside a filter: %s', (_what, whole, inside, text) => {
  expect(outsideText(whole, inside)).toBe(text);
});

it.each<[string, KnownCluster, object]>([
  ['live', good, { total: 1 }],
  ['only declared', only, {}],
  ['not seen', lost, { total: 1, unseen: 1 }],
  ['being connected', of('new', [], 'connecting'), { total: 1, unseen: 1, syncing: 1 }],
  ['being read', feedsAre(good, 'syncing'), { total: 1, unseen: 1, syncing: 1 }],
  ['being read when it was lost', feedsAre(lost, 'syncing'), { total: 1, unseen: 1 }],
  ['unreadable in part', feedsAre(good, 'forbidden'), { total: 1, blind: 1 }],
  ['unreadable in one part', { ...good, feeds: feedsAre(good, 'forbidden').feeds.slice(0, 1) }, { total: 1, blind: 1 }],
  ['away with nobody called', of('x', ['diverged']), { total: 1, silent: 1 }],
])('a cluster that is %s is counted so', (_what, cluster, counts) => {
  const none = { total: 0, unseen: 0, blind: 0, syncing: 0, silent: 0, away: 0, planned: 0 };
  const { facts, ...rest } = factsOf([cluster]);
  expect(facts.clusters).toEqual({ ...none, ...counts });
  const alarmsReceived = cluster.name === 'x';
  expect(rest).toEqual({ alarmsReceived, alarmsUnknown: new Set(), exempt: 0, exemptions: 0, conflicts: 0 });
});

it('what clusters have is added up', () => {
  const exemptions: KnownCluster['exemptions'] = new Map([
    ['suspended', 2],
    ['drift-ignored', 3],
  ] as const);
  const one = {
    ...good,
    notMeasurable: 2,
    exempt: good.objects,
    exemptions,
    conflicts: 4,
    alarmsReceived: true,
    alarmsUnknown: new Set(['cut'] as const),
  };
  const { facts, ...rest } = factsOf([one, of('next', ['converged']), { ...one, name: 'other' }]);
  expect([facts.notMeasurable, facts.clusters.total]).toEqual([4, 3]);
  const alarmsUnknown = new Set(['cut']);
  expect(rest).toEqual({ alarmsReceived: true, alarmsUnknown, exempt: 2, exemptions: 10, conflicts: 8 });
});

it('clusters with planned work are counted', () => {
  const { facts } = factsOf(['a', 'b'].map((name) => planned(name)));
  expect(facts.clusters).toMatchObject({ total: 2, planned: 2, silent: 0, away: 0 });
});

function planned(name: string): KnownCluster {
  const tally = emptyTally();
  countInto(tally, 'diverged', 'planned');
  return { ...of(name, []), tally };
}

function feedsAre(cluster: KnownCluster, state: KnownCluster['feeds'][number]['state']): KnownCluster {
  return { ...cluster, feeds: cluster.feeds.map((feed) => ({ ...feed, state })) };
}
