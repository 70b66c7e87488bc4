import { expect, it } from 'vitest';
import { scopeText } from './lead.ts';

const all = { clusters: null, cluster: '', label: '', group: '', kind: '' };
const named = (many: number) => Array.from({ length: many }, (_, at) => `c${at}`);

it.each([
  [{}, 'all clusters'],
  [{ clusters: named(2) }, '2 clusters: c0, c1'],
  [{ clusters: named(6) }, '6 clusters: c0, c1, c2, c3, c4, c5'],
  [{ clusters: named(7) }, '7 clusters'],
  [{ clusters: named(1), label: 'environment=production' }, '1 cluster with environment=production'],
  [{ clusters: named(3), label: 'tier=1,region=eu' }, '3 clusters with tier=1 and region=eu'],
  [{ kind: 'HelmRelease' }, 'all clusters, HelmRelease only'],
])('a report of %j is about %s', (scope, text) => {
  expect(scopeText({ scope: { ...all, ...scope } })).toBe(text);
});
