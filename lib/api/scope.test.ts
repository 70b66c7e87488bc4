import { expect, it } from 'vitest';
import { keepsCluster, scopeLabel, scopeNames, scopeOf, scopeParams, scopeWords, wholeFleet } from './scope.ts';

const all = Object.fromEntries(scopeNames.map((name) => [name, `the ${name}`]));

it('a scope is of the parts that a filter sets, and nothing else', () => {
  expect(scopeOf({ cluster: '', q: '' })).toEqual(wholeFleet);
  expect(scopeOf({ cluster: '', q: '', ...all })).toEqual(all);
  expect(scopeNames.map((name) => scopeOf({ cluster: '', q: '', [name]: 'x' })[name])).toEqual(
    scopeNames.map(() => 'x'),
  );
  expect(new Set(Object.values(wholeFleet))).toEqual(new Set(['']));
  expect(scopeParams({ ...wholeFleet, kind: 'Bucket', q: 'x' })).toEqual({ kind: 'Bucket', q: 'x' });
  expect(scopeParams(wholeFleet)).toEqual({});
});

it.each([
  ['', '', true],
  ['c1', '', true],
  ['c2', '', false],
  ['c2,c1', '', true],
  [',', '', true],
  ['', 'env=prod', true],
  ['', 'env=prod,tier=one', false],
  ['', 'env=prod,region=eu', true],
  ['c1', 'env=test', false],
  ['c2', 'env=prod', false],
])('cluster "%s" and label "%s" keep it: %s', (cluster, label, kept) => {
  expect(keepsCluster({ cluster, label }, { name: 'c1', labels: { env: 'prod', region: 'eu' } })).toBe(kept);
});

it.each([
  ['q', 'web', '"web"'],
  ['label', 'env=prod,tier=one', 'env=prod and tier=one'],
  ['group', '-', 'the core group'],
  ['group', 'apps', 'group apps'],
  ['namespace', '-', 'cluster-scoped'],
  ['namespace', 'apps', 'namespace apps'],
  ['cluster', 'c1', 'cluster c1'],
  ['cluster', 'c1,c2', 'clusters c1, c2'],
  ['reconciler', 'flux', 'reconciler flux'],
  ['kind', 'Bucket', 'kind Bucket'],
  ['name', 'web', 'name web'],
] as const)('%s=%s reads %s', (name, value, words) => {
  expect(scopeLabel(name, value)).toBe(words);
  expect(scopeWords({ ...wholeFleet, [name]: value })).toBe(words);
});

it('several parts are told one after the other', () => {
  expect(scopeWords({ ...wholeFleet, kind: 'Bucket', label: 'env=prod' })).toBe('env=prod, kind Bucket');
  expect(scopeWords(wholeFleet)).toBe('');
});
