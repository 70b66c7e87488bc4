// A kind that cannot be read on a cluster may be there: no filter, list, page or embed of that kind leaves the cluster out.
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import { describe, expect, it } from 'vitest';
import { wholeFleet } from '#lib/api/scope.ts';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { EmbedContent } from '#lib/draw/embed/embed-content.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { columnParts } from '../embeds/column-parts.ts';
import { scopeContent, type PresentScope } from '../embeds/scope-content.ts';
import { cluster } from '../endpoints/cluster.ts';
import { fleet } from '../endpoints/fleet.ts';
import { objects } from '../endpoints/objects.ts';
import { knownFleet } from './known-fleet.ts';
import { feedsIn, hiddenKinds, isHiding, mayHide } from './hidden-kinds.ts';
import { createFleetCache, type FleetCache } from './fleet-cache.ts';
import { answerOf, sampleMoment } from '../testing/moment.ts';
import { helmGroup, sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';

function contentOf(fleetCache: FleetCache, scope: PresentScope): EmbedContent {
  const known = knownFleet(fleetCache, defaultPolicy);
  return scopeContent(
    scope,
    {
      fleetCache,
      fleet: known,
      columns: columnParts(fleetCache),
      alarms: unknownAlarms('none'),
      policy: defaultPolicy,
    },
    sampleNow,
  );
}

const helm = { kind: 'HelmRelease', group: helmGroup };

/** Kustomizations on a and b, a HelmRelease on a, and a cluster b as given. */
function fleetWith(b: CurrentCluster): FleetCache {
  const fleetCache = createFleetCache();
  for (const cluster of [sampleCluster('a'), b]) fleetCache.apply([{ type: 'cluster', cluster }]);
  const objects = [
    sampleObject({ cluster: 'a', name: 'web', ...helm }, { reconciler: 'helm' }),
    sampleObject({ cluster: 'a', name: 'apps' }),
    ...(b.state === 'live' ? [sampleObject({ cluster: 'b', name: 'apps' })] : []),
  ];
  for (const object of objects) fleetCache.apply([{ type: 'object', object }]);
  return fleetCache;
}

/** HelmReleases are forbidden on b, and none was ever seen there. */
function blindFleet(): FleetCache {
  const b = sampleCluster('b');
  const feeds = b.feeds.map((feed) =>
    feed.kind === 'HelmRelease' ? { ...feed, state: 'forbidden' as const, objects: 0 } : feed,
  );
  return fleetWith({ ...b, feeds });
}

const [anyFeed] = sampleCluster('b').feeds;

describe('a feed', () => {
  it.each([
    ['forbidden', true, ['Kustomization']],
    ['failed', true, ['Kustomization']],
    ['silent', true, ['Kustomization']],
    ['syncing', true, []],
    ['live', false, []],
    ['absent', false, []],
    ['idle', false, []],
  ] as const)('that is %s hides what may be there: %s', (state, hides, kinds) => {
    const feeds = anyFeed ? [{ ...anyFeed, state }] : [];
    expect(feeds.map(isHiding)).toEqual([hides]);
    expect(hiddenKinds({ feeds })).toEqual(kinds);
    expect(mayHide('live', 0, feeds)).toBe(hides);
    expect(mayHide('declared', 0, feeds)).toBe(false);
  });

  it.each([
    ['live', 0, false],
    ['unreachable', 0, true],
    ['unreachable', 1, false],
    ['declared', 0, false],
  ] as const)('of a cluster that is %s with %i objects may hide some: %s', (state, objects, hides) => {
    expect(mayHide(state, objects, [])).toBe(hides);
  });

  it.each([
    [{ group: '-' }, ['Namespace']],
    [{ group: 'apps' }, ['Deployment']],
    [{ group: helmGroup }, ['HelmRelease']],
    [{ kind: 'Namespace' }, ['Namespace']],
    [{ reconciler: 'helm' }, ['Namespace', 'Deployment', 'HelmRelease']],
    [{ reconciler: 'argocd' }, ['Namespace', 'Deployment']],
    [{}, ['Namespace', 'Deployment', 'HelmRelease']],
  ])('is kept by the scope %j: %j', (scope, kinds) => {
    const feeds = [
      ['', 'Namespace'],
      ['apps', 'Deployment'],
      [helmGroup, 'HelmRelease'],
    ].flatMap(([group = '', kind = '']) => (anyFeed ? { ...anyFeed, group, kind } : []));
    expect(feedsIn({ ...wholeFleet, ...scope }, feeds).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('a kind that is forbidden on a cluster of which none was ever seen', () => {
  it.each([{ reconciler: 'helm' }, { kind: 'HelmRelease' }, { name: 'web' }, { q: 'web' }])(
    'is said of a fleet filtered by %j',
    (filter) => {
      const summary = sampleMoment(blindFleet()).summary('first', { ...wholeFleet, ...filter });
      expect(summary.guarantee).toMatchObject({
        truth: 'unknown',
        lead: 'On 1 of 2 clusters not every kind can be read.',
      });
      expect(summary.partial).toEqual(['HelmRelease forbidden on b']);
    },
  );

  it('keeps its row in the matrix', async () => {
    const { rows } = await answerOf(fleet, sampleMoment(blindFleet()), { reconciler: 'helm' });
    expect(rows.map(({ cluster }) => cluster)).toEqual(['a', 'b']);
  });

  it.each([{ kind: 'HelmRelease' }, { cluster: 'b', kind: 'HelmRelease' }, { group: helmGroup }])(
    'is named beside the list of %j',
    async (filter) => {
      const list = await answerOf(objects, sampleMoment(blindFleet()), filter);
      expect(list).toMatchObject({ truth: 'unknown', partial: ['HelmRelease forbidden on b'] });
    },
  );

  it('is named on its cluster, filtered by it', async () => {
    const page = await answerOf(cluster, sampleMoment(blindFleet()), { name: 'b', kind: 'HelmRelease' });
    expect(page).toMatchObject({
      truth: 'unknown',
      sentence: 'That cannot be said: HelmRelease cannot be read here.',
      total: 0,
    });
  });

  it.each([{ reconciler: 'flux' }, { kind: 'Kustomization' }])('turns no sentence of %j', (filter) => {
    const summary = sampleMoment(blindFleet()).summary('first', { ...wholeFleet, ...filter });
    expect(summary.guarantee).toMatchObject({ truth: 'holds', body: 'So it is, on all 2 clusters: 2 objects.' });
    expect(summary.partial).toEqual([]);
  });

  it('turns no sentence of its cluster, filtered by another', async () => {
    const page = await answerOf(cluster, sampleMoment(blindFleet()), { name: 'b', kind: 'Kustomization' });
    expect(page).toMatchObject({ truth: 'holds', sentence: 'So it is: 1 object.' });
  });

  it('is not left out of the embed and badge of its column', () => {
    const content = contentOf(blindFleet(), { type: 'column', column: 'HelmRelease/web' });
    expect(content).toMatchObject({
      sign: { truth: 'unknown' },
      lead: 'On 1 of 2 clusters not every kind can be read.',
      badge: { sign: { type: 'truth', truth: 'unknown' }, words: '1 of 2 partly seen' },
    });
    const other = contentOf(blindFleet(), { type: 'column', column: 'Kustomization/apps' });
    expect(other).toMatchObject({ sign: { truth: 'holds' }, badge: { words: 'as in git' } });
  });
});

describe('a cluster of which nothing was ever seen', () => {
  it.each(['connecting', 'unreachable'] as const)('stays in each filter while it is %s', (state) => {
    const fleetCache = fleetWith(sampleCluster('b', { state, feeds: [] }));
    const summary = sampleMoment(fleetCache).summary('first', { ...wholeFleet, kind: 'HelmRelease' });
    expect(summary.guarantee).toMatchObject({ truth: 'unknown', lead: '1 of 2 clusters is not seen.' });
    const content = contentOf(fleetCache, { type: 'column', column: 'HelmRelease/web' });
    expect(content).toMatchObject({ sign: { truth: 'unknown' }, lead: '1 of 2 clusters is not seen.' });
  });
});
