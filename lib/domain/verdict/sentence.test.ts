import { describe, expect, it } from 'vitest';
import { roles, type Observation, type SettledSummary } from '../observation/observation.ts';
import { failureSentence, goodSentence, runningSentence } from './sentence.ts';
import { bad, managed, observed, revisionA, revisionB, source } from '../testing/observed.ts';

function failure(observation: Observation, summary: SettledSummary): string {
  return summary.said === 'bad' ? failureSentence(observation, summary) : '';
}

const release: Partial<Observation> = {
  ref: { ...observed().ref, group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease', name: 'podinfo' },
  reconciler: 'helm',
  path: null,
};
const chart: Partial<Observation> = { ref: { ...source().ref, kind: 'HelmChart', name: 'podinfo' }, target: null };
const unmeasured: Partial<Observation> = { drift: { drift: 'not-measured', why: 'off' } };
const provider = managed({
  role: 'package',
  ref: { ...managed().ref, group: 'pkg.crossplane.io', kind: 'Provider', name: 'aws' },
});
const history: Observation['history'] = [
  { status: 'uninstalled', revision: '6.0.3', digest: null, first: null, last: null, total: null },
];

describe('what is in order', () => {
  it.each([
    ['a Kustomization', observed(), 'Kustomization checkout is as declared.'],
    [
      'a release whose drift nobody looks for',
      observed({
        ...release,
        ...unmeasured,
        revisions: { applied: '6.0.3', attempted: '6.0.3', artifact: null, origin: null },
      }),
      'HelmRelease podinfo was applied at 6.0.3; whether it has drifted since is not measured.',
    ],
    ['a repository', source(), 'GitRepository control has fetched aaaaaaa (branch main).'],
    [
      'an index',
      source({ ref: { ...source().ref, kind: 'HelmRepository', name: 'charts' } }),
      'HelmRepository charts has fetched its index.',
    ],
    [
      'a chart',
      source({ ...chart, revisions: { applied: null, attempted: null, artifact: '6.0.3', origin: null } }),
      'HelmChart podinfo has fetched 6.0.3.',
    ],
    [
      'a generator',
      source({ revisions: { applied: null, attempted: null, artifact: null, origin: null } }),
      'GitRepository control is in order.',
    ],
    ['a managed resource', managed(), 'Instance orders is as declared.'],
    [
      'one that is only looked at',
      managed(unmeasured),
      'Instance orders is there; whether it has drifted is not measured.',
    ],
    ['a provider', provider, 'Provider aws is installed and healthy.'],
    [
      'a definition',
      managed({
        role: 'definition',
        ref: { ...managed().ref, kind: 'CompositeResourceDefinition', name: 'xdatabases' },
      }),
      'CompositeResourceDefinition xdatabases is established.',
    ],
    [
      'a revision that is kept',
      { ...provider, summary: { said: 'static' as const } },
      'Provider aws is kept for a roll back and runs nothing.',
    ],
    [
      'a repository of images',
      source({ summary: { said: 'static' } }),
      'GitRepository control has no loop of its own.',
    ],
  ])('%s', (_what, observation, sentence) => expect(goodSentence(observation)).toBe(sentence));
});

describe('what is not', () => {
  it.each([
    [
      'the root of a source',
      observed({ path: '' }),
      bad('apply', 'BuildFailed'),
      'The build of Kustomization checkout fails, last tried at aaaaaaa.',
    ],
    [
      'a repository that cannot store',
      source(),
      bad('apply', 'StorageOperationFailed', ''),
      'GitRepository control cannot make its artifact.',
    ],
    [
      'a chart without its source',
      source(chart),
      bad('artifact', 'NoSourceArtifact'),
      'HelmChart podinfo has nothing to make its artifact from.',
    ],
    ['a provider', provider, bad('apply', 'InactivePackageRevision', ''), 'Provider aws cannot be installed.'],
  ])('%s', (_what, observation, summary, sentence) => expect(failure(observation, summary)).toBe(sentence));

  it.each([
    [
      'nothing yet',
      observed({
        revisions: { applied: null, attempted: revisionB, artifact: null, origin: null },
        summary: bad('apply', 'BuildFailed'),
      }),
      ' Nothing of it has been applied yet.',
    ],
    [
      'nothing any more',
      observed({
        ...release,
        history,
        revisions: { applied: null, attempted: '6.0.3', artifact: null, origin: null },
        summary: bad('apply', 'UninstallSucceeded'),
      }),
      ' Nothing of it is in place any more.',
    ],
    [
      'nothing in full, of what only ever failed',
      observed({
        history: [
          { status: 'ReconciliationFailed', revision: revisionA, digest: null, first: null, last: null, total: 1 },
        ],
        revisions: { applied: null, attempted: revisionB, artifact: null, origin: null },
        summary: bad('dependency', 'DependencyNotReady'),
      }),
      ' It was never applied in full.',
    ],
    [
      'parts, of what has some in its inventory',
      observed({
        inventory: ['apps_x__ConfigMap'],
        revisions: { applied: null, attempted: revisionB, artifact: null, origin: null },
        summary: bad('apply', 'BuildFailed'),
      }),
      ' It was never applied in full; parts of it may run.',
    ],
    [
      'the former',
      observed({
        revisions: { applied: revisionA, attempted: revisionB, artifact: null, origin: null },
        summary: bad('apply', 'BuildFailed'),
      }),
      ' The cluster runs aaaaaaa.',
    ],
    [
      'parts of the new',
      observed({
        revisions: { applied: revisionA, attempted: revisionB, artifact: null, origin: null },
        summary: bad('apply', 'SyncFailed'),
      }),
      ' Parts of bbbbbbb may run.',
    ],
  ])('runs %s', (_what, observation, sentence) => expect(runningSentence(observation)).toBe(sentence));
});

const reasons = [
  'BuildFailed',
  'ReconciliationFailed',
  'HealthCheckFailed',
  'PruneFailed',
  'ArtifactFailed',
  'SourceNotReady',
  'DependencyNotReady',
  'SkippedDueToSchedule',
  'InstallFailed',
  'UpgradeFailed',
  'TestFailed',
  'ValuesError',
  'AuthenticationFailed',
  'GitOperationFailed',
  'OCIArtifactPullFailed',
  'BucketOperationFailed',
  'IndexationFailed',
  'ReconcileError',
  'Other',
];
const faults = ['apply', 'health', 'observe', 'dependency', 'artifact', 'fetch', 'approval'] as const;

it('the sentences of every role, reason and fault are those that are kept', async () => {
  const bare = { applied: null, attempted: null, artifact: null, origin: null };
  const each = roles.flatMap((role) =>
    [observed({ role }), observed({ role, revisions: bare, path: null }), source({ role })].map(
      (of, which) => [`${role} ${which}`, of] as const,
    ),
  );
  const found = new Map<string, string[]>();
  const note = (name: string, text: string): void => void found.set(text, [...(found.get(text) ?? []), name]);
  for (const [name, of] of each) {
    note(`${name} in order`, `${goodSentence(of)}${runningSentence(of)}`);
    note(`${name} in order, not measured`, goodSentence({ ...of, ...unmeasured }));
    for (const reason of reasons) note(`${name} ${reason}`, failure(of, bad('apply', reason, 'why')));
    for (const fault of faults) note(`${name} ${fault}`, failure(of, bad(fault, 'Other', '')));
    note(`${name} cannot be looked at`, failure(of, bad('observe', 'ReconcileError')));
  }
  for (const status of ['ReconciliationSucceeded', 'deployed', 'superseded', 'uninstalled', 'failed'])
    for (const inventory of [[], ['a_b__ConfigMap']]) {
      const of = observed({ revisions: bare, inventory, history: history.map((entry) => ({ ...entry, status })) });
      note(`after ${status}, ${inventory.length} in its inventory`, runningSentence(of));
    }
  const text = [...found].map(([said, names]) => `${said}\n  ${names.join('; ')}\n`).join('');
  await expect(text).toMatchFileSnapshot('../../../test/fixtures/kept/verdicts/sentences.txt');
});
