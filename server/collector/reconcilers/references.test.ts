import { expect, it } from 'vitest';
import { controllerOf, controllerUidOf, groupOf, ownersNamed } from './references.ts';

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', controller: true };
const found = { cluster: 'eu', group: 'apps', kind: 'ReplicaSet', namespace: 'shop', name: 'web' };

it.each([
  ['the one that says so', [owner], found],
  ['not one that only owns', [{ ...owner, controller: false }], null],
  ['not what is no object', [null, 1, 'x', { kind: 'X', name: 'x' }], null],
  ['not one without a kind', [{ ...owner, kind: undefined }], null],
  ['not one without a name', [{ ...owner, name: undefined }], null],
  ['the first that can be it', [{ ...owner, name: undefined }, { ...owner, controller: undefined }, owner], found],
])('the controller among the owners: %s', (_name, owners, expected) => {
  expect(controllerOf(owners, 'eu', 'shop')).toEqual(expected);
});

it.each([
  ['of the one that says so', [{ ...owner, uid: 'u1' }], 'u1'],
  ['not of one that only owns', [{ ...owner, uid: 'u0', controller: false }], null],
  [
    'not of one without a name',
    [
      { ...owner, uid: 'u0', name: undefined },
      { ...owner, uid: 'u1' },
    ],
    'u1',
  ],
  ['none where it has none', [owner], null],
  ['none where that is empty', [{ ...owner, uid: '' }], null],
  ['none where that is no text', [{ ...owner, uid: 7 }], null],
])('the uid of the controller among the owners: %s', (_name, owners, expected) => {
  expect(controllerUidOf(owners)).toBe(expected);
});

it.each([
  ['apps/v1', 'apps'],
  ['v1', ''],
  ['/v1', ''],
  [null, ''],
])('the group of %j is %j', (apiVersion, group) => expect(groupOf(apiVersion)).toBe(group));

const own = { cluster: 'eu', group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease', namespace: 'shop', name: 'web' };
const helm = 'helm.toolkit.fluxcd.io';
const kustomize = 'kustomize.toolkit.fluxcd.io';

it.each([
  ['nobody', {}, []],
  [
    'the Kustomization first, else the release',
    { [`${kustomize}/name`]: 'k', [`${kustomize}/namespace`]: 'n', [`${helm}/name`]: 'web' },
    [
      { ...own, group: kustomize, kind: 'Kustomization', namespace: 'n', name: 'k' },
      { ...own, namespace: '' },
    ],
  ],
  ['a release without a namespace', { [`${helm}/name`]: 'web' }, [{ ...own, namespace: '' }]],
  ['not itself', { [`${helm}/name`]: 'web', [`${helm}/namespace`]: 'shop' }, []],
  ['another by name', { [`${helm}/name`]: 'api', [`${helm}/namespace`]: 'shop' }, [{ ...own, name: 'api' }]],
  [
    'another by kind and group',
    { [`${kustomize}/name`]: 'web', [`${kustomize}/namespace`]: 'shop' },
    [{ ...own, group: kustomize, kind: 'Kustomization' }],
  ],
])('is delivered by %s', (_name, labels, expected) =>
  expect(ownersNamed({ metadata: { labels } }, own)).toEqual(expected),
);

it('is delivered by no release as a hook of it', () => {
  const labels = { [`${helm}/name`]: 'api', [`${helm}/namespace`]: 'shop' };
  expect(ownersNamed({ metadata: { labels, annotations: { 'helm.sh/hook': 'post-install' } } }, own)).toEqual([]);
});
