import { describe, expect, it } from 'vitest';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { externalIdOf } from './managed.ts';

const bucket: ObjectRef = { cluster: 'a', group: 's3.aws.upbound.io', kind: 'Bucket', namespace: '', name: 'logs' };

interface Parts {
  readonly name?: string;
  readonly config?: string;
  readonly region?: string;
  readonly arn?: string;
  readonly id?: string;
  readonly policies?: readonly string[];
  readonly configKind?: string;
  readonly conditions?: readonly object[];
}

const ready = { type: 'Ready', status: 'True', reason: 'Available' };
const unready = { type: 'Ready', status: 'False', reason: 'Creating' };
const synced = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' };
const unsynced = { type: 'Synced', status: 'False', reason: 'ReconcileError' };

function idOf(parts: Parts, ref: Partial<ObjectRef> = {}, isPaused = false): number | null {
  const { name, config = 'aws', region, arn, id, policies, configKind: kind, conditions = [ready, synced] } = parts;
  const object = {
    metadata: { annotations: name === undefined ? {} : { 'crossplane.io/external-name': name } },
    spec: { providerConfigRef: { name: config, kind }, forProvider: { region }, managementPolicies: policies },
    status: { atProvider: { arn, id }, conditions },
  };
  return externalIdOf(object, { ...bucket, ...ref }, isPaused);
}

const arn = 'arn:aws:s3:::logs';

describe('two managed resources manage one external resource', () => {
  it.each<readonly [string, Parts, Partial<ObjectRef>, Parts, Partial<ObjectRef>, boolean]>([
    ['of one name by one configuration', { name: 'logs' }, {}, { name: 'logs' }, { name: 'other' }, true],
    ['of other names', { name: 'logs' }, {}, { name: 'media' }, {}, false],
    ['of other configurations', { name: 'logs' }, {}, { name: 'logs', config: 'audit' }, {}, false],
    ['of other regions', { name: 'logs', region: 'eu-west-3' }, {}, { name: 'logs', region: 'us-east-1' }, {}, false],
    ['of other kinds', { name: 'logs' }, {}, { name: 'logs' }, { kind: 'BucketPolicy' }, false],
    [
      'E.d: the cluster-wide and the namespaced kind of one service',
      { name: 'logs' },
      {},
      { name: 'logs' },
      { group: 's3.aws.m.upbound.io', namespace: 'team' },
      true,
    ],
    [
      'a configuration of a namespace may be of another account',
      { name: 'logs' },
      {},
      { name: 'logs', configKind: 'ProviderConfig' },
      { group: 's3.aws.m.upbound.io', namespace: 'team' },
      false,
    ],
    [
      'one that does not work just now is there all the same',
      { name: 'logs' },
      {},
      { name: 'logs', conditions: [ready, unsynced] },
      { name: 'other' },
      true,
    ],
    [
      'one name on another cluster may be another account',
      { name: 'logs' },
      {},
      { name: 'logs' },
      { cluster: 'b' },
      false,
    ],
    ['E.c: one ARN on another cluster', { name: 'logs', arn }, {}, { arn, config: 'x' }, { cluster: 'b' }, true],
    [
      'an id of Azure, however it is written',
      { id: '/subscriptions/1/resourceGroups/A' },
      {},
      { id: '/Subscriptions/1/resourcegroups/a' },
      { cluster: 'b' },
      true,
    ],
    ['an id that names nothing in the world', { name: 'x', id: '17' }, {}, { name: 'y', id: '17' }, {}, false],
  ])('%s', (_case, one, oneRef, other, otherRef, same) => {
    expect(idOf(one, oneRef)).not.toBeNull();
    expect(idOf(one, oneRef) === idOf(other, otherRef)).toBe(same);
  });

  it.each<readonly [string, Parts, boolean]>([
    ['observed only', { name: 'logs', policies: ['Observe'] }, false],
    ['paused', { name: 'logs' }, true],
    ['not made yet', {}, false],
    ['not looked at yet', { name: 'logs', conditions: [] }, false],
    ['not found by its provider', { name: 'logs', conditions: [unready, unsynced] }, false],
  ])('who is %s manages none', (_case, parts, isPaused) => expect(idOf(parts, {}, isPaused)).toBeNull());

  it('is a whole number that JSON keeps', () => {
    expect(Number.isSafeInteger(idOf({ name: 'logs' }))).toBe(true);
  });
});
