import { expect, it } from 'vitest';
import { wholeFleet } from '#lib/api/scope.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleCluster, sampleNow, sampleObject } from '../testing/sample.ts';
import { clusterPage } from './cluster-page.ts';

it('a cluster of which a filter keeps nothing is told with nothing of it', () => {
  const known = knownCluster('eu-west-3', [sampleObject({ name: 'checkout' })]);
  const context = { policy: defaultPolicy, now: sampleNow, links: () => null };
  const page = clusterPage({ known, kept: null, scope: wholeFleet, record: sampleCluster('eu-west-3') }, context);
  const nothing = { sentence: 'Nothing matches this filter.', truth: 'empty' };
  expect(page).toMatchObject({ ...nothing, declared: 0, objects: [], total: 0, edges: [] });
});
