import { describe, expect, it } from 'vitest';
import { knownCluster } from '../testing/moment.ts';
import { helmGroup, kustomizeGroup, sampleObject } from '../testing/sample.ts';
import { isNamed, scopesOf, type RecordFilter } from './record-scope.ts';

const any: RecordFilter = { cluster: '', group: '', kind: '', namespace: '', name: '' };
const release = sampleObject({ name: 'api', namespace: 'web', kind: 'HelmRelease', group: helmGroup });
const core = sampleObject({ name: 'web', namespace: '', kind: 'Namespace', group: '' });

describe('an object that a filter names', () => {
  it.each<[Partial<RecordFilter>, boolean]>([
    [{}, true],
    [{ kind: 'HelmRelease' }, true],
    [{ kind: 'Kustomization' }, false],
    [{ kind: 'HelmRelease', group: helmGroup }, true],
    [{ kind: 'HelmRelease', group: kustomizeGroup }, false],
    [{ kind: 'HelmRelease', group: '-' }, false],
    // A group says nothing without its kind.
    [{ group: kustomizeGroup }, true],
    [{ namespace: 'web' }, true],
    [{ namespace: 'other' }, false],
    [{ namespace: '-' }, false],
    [{ name: 'api' }, true],
    [{ name: 'other' }, false],
    [{ kind: 'HelmRelease', namespace: 'web', name: 'api' }, true],
    [{ kind: 'HelmRelease', namespace: 'web', name: 'other' }, false],
    [{ kind: 'HelmRelease', namespace: 'other', name: 'api' }, false],
    [{ kind: 'Kustomization', namespace: 'web', name: 'api' }, false],
  ])('%j: %s', (filter, named) => {
    expect(isNamed(release, { ...any, ...filter })).toBe(named);
  });

  it.each<[Partial<RecordFilter>, boolean]>([
    [{ kind: 'Namespace', group: '-' }, true],
    [{ kind: 'Namespace', group: helmGroup }, false],
    [{ namespace: '-' }, true],
    [{ namespace: 'web' }, false],
  ])('of the core group and no namespace, %j: %s', (filter, named) => {
    expect(isNamed(core, { ...any, ...filter })).toBe(named);
  });
});

describe('the scopes that a filter names', () => {
  const kind = 'HelmRelease';
  const other = 'helm.cattle.io';
  const fleet = [knownCluster('eu-west-3', [release, core])];
  const both = [knownCluster('us-east-1', [sampleObject({ name: 'b', kind, group: other })]), ...fleet];

  it.each<[string, Partial<RecordFilter>, Parameters<typeof scopesOf>[1], object[]]>([
    ['everything', {}, fleet, [{ clusters: null }]],
    ['some clusters', { cluster: 'a, b' }, fleet, [{ clusters: ['a', 'b'] }]],
    [
      'a name in a namespace',
      { namespace: 'web', name: 'api' },
      fleet,
      [{ clusters: null, namespace: 'web', name: 'api' }],
    ],
    ['no namespace', { namespace: '-' }, fleet, [{ clusters: null, namespace: '' }]],
    ['a kind of the one group that has it', { kind }, fleet, [{ clusters: null, kind: { group: helmGroup, kind } }]],
    [
      'a kind of each group that has it, in their order',
      { kind },
      both,
      [
        { clusters: null, kind: { group: other, kind } },
        { clusters: null, kind: { group: helmGroup, kind } },
      ],
    ],
    [
      'a kind of the group that it names',
      { kind, group: other },
      both,
      [{ clusters: null, kind: { group: other, kind } }],
    ],
    [
      'a kind of the core group',
      { kind: 'Namespace', group: '-' },
      fleet,
      [{ clusters: null, kind: { group: '', kind: 'Namespace' } }],
    ],
    ['a kind that is only recorded', { kind }, [], [{ clusters: null, kind: { group: 'recorded', kind } }]],
  ])('%s', (_what, filter, known, scopes) => {
    expect(scopesOf({ ...any, ...filter }, known, ['recorded'])).toEqual(scopes);
  });
});
