import { expect, it } from 'vitest';
import { wholeFleet } from '#lib/api/scope.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject } from '../testing/sample.ts';
import { clusterPage } from './cluster-page.ts';

it('a cluster of which a filter keeps nothing is told with nothing of it', () => {
  const known = knownCluster('eu-west-3', [sampleObject({ name: 'checkout' })]);
  const context = { policy: defaultPolicy, now: sampleNow, links: () => null };
  const page = clusterPage({ known, kept: null, scope: wholeFleet, record: sampleCluster('eu-west-3') }, context);
  const nothing = { sentence: 'Nothing matches this filter.', truth: 'empty' };
  expect(page.filter).toBeNull();
  expect(page).toMatchObject({ ...nothing, declared: 0, objects: [], total: 0, edges: [] });
});

it('a cluster is told with what a filter leaves out, and what else it could ask for', () => {
  const context = { policy: defaultPolicy, now: sampleNow, links: () => null };
  const [good, node] = [sampleObject({ name: 'web' }), sampleObject({ kind: 'Node', namespace: '', name: 'n' })];
  const known = knownCluster('eu-west-3', [good, sampleDiverged({ name: 'bad' }), node]);
  const scope = { ...wholeFleet, cluster: 'eu-west-3', kind: 'Node' };
  const pageOf = (kept: typeof known | null) => clusterPage({ known, kept, scope, record: null }, context);
  const offer = { kinds: ['Kustomization', 'Node'], namespaces: ['-', 'flux-system'] };
  const filter = { text: 'kind Node', outside: 'Outside this filter: 1 diverged.' };
  expect(pageOf(knownCluster('eu-west-3', [node]))).toMatchObject({ filter, offer, total: 1 });
  expect(pageOf(null).filter?.outside).toBe('Outside this filter: 1 diverged, 1 unobserved.');
  const all = pageOf(knownCluster('eu-west-3', [sampleDiverged({ name: 'bad' })]));
  expect(all.filter).toEqual({ ...filter, outside: 'Outside this filter nothing is worse.' });
});

it('a cluster shows 2,000 of its objects, and counts all', () => {
  const context = { policy: defaultPolicy, now: sampleNow, links: () => null };
  const known = knownCluster(
    'eu-west-3',
    Array.from({ length: 2_001 }, (_, n) => sampleObject({ name: `o${n}` })),
  );
  const page = clusterPage({ known, kept: known, scope: wholeFleet, record: null }, context);
  expect([page.objects.length, page.total]).toEqual([2_000, 2_001]);
});
