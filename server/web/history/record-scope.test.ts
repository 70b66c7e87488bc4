import { describe, expect, it } from 'vitest';
import { readRecord } from '#server/store/record/record.ts';
import { noon, transitionOf } from '#test/contract/store-records.ts';
import { knownCluster } from '../testing/moment.ts';
import { helmGroup, kustomizeGroup, sampleObject, sampleRef } from '../testing/sample.ts';
import { clustersKept, groupsOf, isNamed, scopesOf, severalGroups, type RecordFilter } from './record-scope.ts';

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

describe('the groups of the kind that a filter names', () => {
  const kind = 'HelmRelease';
  const other = 'helm.cattle.io';
  const fleet = [knownCluster('eu-west-3', [release, core])];
  const both = [knownCluster('us-east-1', [sampleObject({ name: 'b', kind, group: other })]), ...fleet];
  const ref = sampleRef({ name: 'gone', kind, group: 'recorded' });
  const record = readRecord({
    coverage: [{ cluster: ref.cluster, kind: null, at: noon - 1, observed: true, state: 'live', reason: null }],
    transitions: [transitionOf(ref, noon, { from: null, to: 'converged' })],
  });
  const given = { group: '', kind: '' };

  it.each<[string, Partial<RecordFilter>, typeof fleet, string[]]>([
    ['no kind', {}, fleet, []],
    ['no kind, though a group', { group: other }, fleet, []],
    ['a kind of the one group that has it', { kind }, fleet, [helmGroup]],
    ['a kind of each group that has it, in their order', { kind }, both, [other, helmGroup]],
    ['a kind of the group that it names', { kind, group: other }, both, [other]],
    ['a kind of the core group', { kind: 'Namespace', group: '-' }, fleet, ['']],
    ['a kind that is only recorded', { kind }, [], ['recorded']],
    ['a kind that never was', { kind: 'Nothing' }, fleet, []],
  ])('%s', async (_what, filter, known, groups) => {
    expect(await groupsOf({ ...given, ...filter }, known, record, noon + 60_000)).toEqual(groups);
  });
});

describe('the scopes that a filter names', () => {
  const kind = 'HelmRelease';

  it.each<[string, Partial<RecordFilter>, string[], object[]]>([
    ['everything', {}, [], [{ clusters: null }]],
    [
      'a name in a namespace',
      { namespace: 'web', name: 'api' },
      [],
      [{ clusters: null, namespace: 'web', name: 'api' }],
    ],
    ['no namespace', { namespace: '-' }, [], [{ clusters: null, namespace: '' }]],
    ['a kind that never was', { kind }, [], []],
    [
      'a kind of several groups',
      { kind },
      ['', helmGroup],
      [
        { clusters: null, kind: { group: '', kind } },
        { clusters: null, kind: { group: helmGroup, kind } },
      ],
    ],
  ])('%s', (_what, filter, groups, scopes) => {
    expect(scopesOf({ ...any, ...filter }, groups, null)).toEqual(scopes);
  });

  it('on some clusters', () => {
    const on = { clusters: ['a', 'b'] };
    expect(scopesOf(any, [], on.clusters)).toEqual([on]);
    expect(scopesOf({ ...any, kind }, [helmGroup], on.clusters)).toEqual([{ ...on, kind: { group: helmGroup, kind } }]);
  });
});

describe('the clusters that a filter names', () => {
  const fleet = [
    { name: 'stg', labels: { environment: 'staging', tier: 'one' } },
    { name: 'b', labels: { environment: 'production' } },
    { name: 'a', labels: { environment: 'production', tier: 'one' } },
  ];

  it.each<[string, string, string[] | null]>([
    ['', '', null],
    ['b, gone', '', ['b', 'gone']],
    ['', 'environment=production', ['a', 'b']],
    ['', 'environment=production,tier=one', ['a']],
    ['b, stg', 'environment=production', ['b']],
    ['stg', 'environment=production', []],
    ['', 'environment=lab', []],
  ])('cluster "%s", label "%s": %j', (cluster, label, clusters) => {
    expect(clustersKept({ cluster, label }, fleet)).toEqual(clusters);
  });
});

it.each([
  [[], null],
  [['apps'], null],
  [['', 'apps'], 'Deployment is a kind of several groups, name one: -, apps'],
])('a kind of the groups %j is refused: %s', (groups, message) => {
  const refused = message === null ? null : { refused: { type: 'bad-parameter', name: 'group', message } };
  expect(severalGroups('Deployment', groups)).toEqual(refused);
});
