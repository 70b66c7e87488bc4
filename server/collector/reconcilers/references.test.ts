import { expect, it } from 'vitest';
import { controllerOf } from './references.ts';

const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', controller: true };
const found = { cluster: 'eu', group: 'apps', kind: 'ReplicaSet', namespace: 'shop', name: 'web' };

it.each([
  ['the one that says so', [owner], found],
  ['not one that only owns', [{ ...owner, controller: false }], null],
  ['not one without a kind', [{ ...owner, kind: undefined }], null],
  ['not one without a name', [{ ...owner, name: undefined }], null],
  ['the first that can be it', [{ ...owner, name: undefined }, { ...owner, controller: undefined }, owner], found],
])('the controller among the owners: %s', (_name, owners, expected) => {
  expect(controllerOf(owners, 'eu', 'shop')).toEqual(expected);
});
