import { expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import { createProviderIndex } from './provider-index.ts';

const revision = (...provides: string[]) => observed({ role: 'package', provides });
const ref = { cluster: 'c1', group: 's3.org', kind: 'Bucket', namespace: '', name: 'b' };
const buckets = { group: 's3.org', kind: 'Bucket', resource: 'buckets' };
const acls = { group: 's3.org', kind: 'Acl', resource: 'acls' };
const bucket = observed({ role: 'managed', ref });

it('names the revision that runs a kind, by the plural that discovery tells', () => {
  const index = createProviderIndex();
  expect(index.note('p1', revision('buckets.s3.org', 'acls.s3.org'))).toEqual(['buckets.s3.org', 'acls.s3.org']);
  expect(index.providerOf(bucket)).toBeNull();
  index.nameResources([buckets, acls]);
  expect(index.providerOf(bucket)).toBe('p1');
  expect(index.providerOf(observed({ role: 'managed', ref: { ...ref, kind: 'Acl' } }))).toBe('p1');
  expect(index.providerOf(observed({ role: 'claim', ref }))).toBeNull();
  expect(index.providerOf(observed({ role: 'managed', ref: { ...ref, kind: 'Other' } }))).toBeNull();
});

it('tells what of that which a revision provides has changed, in whatever order it is named', () => {
  const index = createProviderIndex();
  index.nameResources([buckets]);
  const told = [
    revision(),
    observed({ role: 'managed', provides: ['buckets.s3.org'] }),
    revision('acls.s3.org', 'buckets.s3.org'),
    revision('buckets.s3.org', 'acls.s3.org'),
    revision('acls.s3.org'),
    revision(),
  ].map((observation) => [index.note('p1', observation), index.providerOf(bucket)]);
  expect(told).toEqual([
    [[], null],
    [[], null],
    [['acls.s3.org', 'buckets.s3.org'], 'p1'],
    [[], 'p1'],
    [['buckets.s3.org'], null],
    [['acls.s3.org'], null],
  ]);
  expect(index.forget('p1')).toEqual([]);
  index.note('p2', revision('buckets.s3.org'));
  expect([index.forget('p2'), index.providerOf(bucket)]).toEqual([['buckets.s3.org'], null]);
});

it('of several that provide a kind the last runs it, and the one before once that is gone', () => {
  const index = createProviderIndex();
  index.nameResources([buckets]);
  for (const key of ['p1', 'p2', 'p3']) index.note(key, revision('buckets.s3.org'));
  const left = ['p2', 'p3', 'p1'].map((key) => [index.providerOf(bucket), index.forget(key)]);
  expect(left.map(([key]) => key)).toEqual(['p3', 'p3', 'p1']);
  index.nameResources([acls]);
  expect(index.providerOf(bucket)).toBeNull();
});

it('is the last of those that are left, however they come and go', () => {
  const index = createProviderIndex();
  index.nameResources([buckets]);
  const here = new Set<string>();
  for (let turn = 0; turn < 2_000; turn += 1) {
    const key = `p${(turn * turn * 7 + turn) % 13}`;
    if (here.delete(key)) index.forget(key);
    else {
      here.add(key);
      index.note(key, revision('buckets.s3.org'));
    }
    expect(index.providerOf(bucket)).toBe([...here].at(-1) ?? null);
  }
});

it('as many as there may be leave, last first, in time that grows with their number', () => {
  const index = createProviderIndex();
  const keys = Array.from({ length: 50_000 }, (_, number) => `p${number}`);
  for (const key of keys) index.note(key, revision('buckets.s3.org', 'acls.s3.org'));
  const began = process.cpuUsage().user;
  for (const key of keys.toReversed()) index.forget(key);
  expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(1);
});
