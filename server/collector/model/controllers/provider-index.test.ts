import { expect, it } from 'vitest';
import { observed } from '#lib/domain/testing/observed.ts';
import { createProviderIndex } from './provider-index.ts';

const revision = (...provides: string[]) => observed({ role: 'package', provides });
const ref = { cluster: 'c1', group: 's3.org', kind: 'Bucket', namespace: '', name: 'b' };
const bucket = observed({ role: 'managed', ref });

it('names the revision that runs a kind, by the plural that discovery tells', () => {
  const index = createProviderIndex();
  expect(index.note('p1', revision('buckets.s3.org', 'acls.s3.org'))).toBe(true);
  expect(index.providerOf(bucket)).toBeNull();
  index.nameResource({ group: 's3.org', kind: 'Bucket' }, 'buckets');
  index.nameResource({ group: 's3.org', kind: 'Acl' }, 'acls');
  expect(index.providerOf(bucket)).toBe('p1');
  expect(index.providerOf(observed({ role: 'managed', ref: { ...ref, kind: 'Acl' } }))).toBe('p1');
  expect(index.providerOf(observed({ role: 'claim', ref }))).toBeNull();
  expect(index.providerOf(observed({ role: 'managed', ref: { ...ref, kind: 'Other' } }))).toBeNull();
});

it('tells whether what a revision provides has changed, in whatever order it is named', () => {
  const index = createProviderIndex();
  index.nameResource({ group: 's3.org', kind: 'Bucket' }, 'buckets');
  const told = [
    revision(),
    observed({ role: 'managed', provides: ['buckets.s3.org'] }),
    revision('acls.s3.org', 'buckets.s3.org'),
    revision('buckets.s3.org', 'acls.s3.org'),
    revision('acls.s3.org'),
    revision(),
  ].map((observation) => [index.note('p1', observation), index.providerOf(bucket)]);
  expect(told).toEqual([
    [false, null],
    [false, null],
    [true, 'p1'],
    [false, 'p1'],
    [true, null],
    [true, null],
  ]);
  expect(index.forget('p1')).toBe(false);
  index.note('p2', revision('buckets.s3.org'));
  expect([index.forget('p2'), index.providerOf(bucket)]).toEqual([true, null]);
});
