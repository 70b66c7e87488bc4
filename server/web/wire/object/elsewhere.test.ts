import { describe, expect, it } from 'vitest';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { observed, recorded, revisionA, revisionB } from '#lib/domain/testing/observed.ts';
import { knownCluster } from '../../testing/moment.ts';
import { sampleDiverged, sampleObject, sampleRef } from '../../testing/sample.ts';
import { alikeOf, elsewhereOf } from './elsewhere.ts';

const { ref } = observed();
const commitA = revisionA.slice(-40);
const commitB = revisionB.slice(-40);

it.each([
  ['the first at which it failed, whatever is tried now', revisionA, revisionB, commitB],
  ['what is tried, where it had worked at the first at which it failed', revisionB, revisionB, commitA],
] as const)('compares with other clusters at %s', (_name, lastGood, firstBad, commit) => {
  const object = recorded({
    verdict: 'diverged',
    source: {
      cluster: ref.cluster,
      group: 'source.toolkit.fluxcd.io',
      kind: 'GitRepository',
      namespace: 'flux-system',
      name: 'control',
    },
    repository: 'https://git.example.org/acme/control.git',
    revision: { applied: lastGood, attempted: revisionA, offered: revisionA },
    range: { lastGood, firstBad, seenBetween: 0, watched: true },
  });
  const other = { ...object, ref: { ...ref, cluster: 'c2' }, verdict: 'converged' as const, commit };
  expect(elsewhereOf(object, [other]).atCommit).toMatchObject({ commit, converged: 1 });
});

const control = sampleRef({ group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', name: 'control' });
const long = (digit: string): string => `main@sha256:${digit.repeat(64)}`;

it.each<[string, Partial<CurrentObject>, string | null]>([
  [
    'by SHA-256, where it failed first',
    { range: { lastGood: long('a'), firstBad: long('b'), seenBetween: 0, watched: true } },
    'b',
  ],
  ['by SHA-256, what it tries', { revision: { applied: null, attempted: long('c'), offered: null } }, 'c'],
  ['what it runs', { commit: 'd'.repeat(64) }, 'd'],
  ['none', {}, null],
])('compares commits: %s', (_what, part, digit) => {
  const nothing = { applied: null, attempted: null, offered: null };
  const object = sampleObject({ name: 'web' }, { source: control, revision: nothing, commit: null, ...part });
  const commit = digit === null ? null : digit.repeat(64);
  const others = [
    sampleObject({ cluster: 'a', name: 'web' }, { commit }),
    sampleObject({ cluster: 'b', name: 'web' }, { commit, verdict: 'diverged' }),
    sampleObject({ cluster: 'c', name: 'web' }, { commit, repository: 'https://git.example.org/other' }),
    sampleObject({ cluster: 'd', name: 'web' }, { commit: 'e'.repeat(64) }),
    sampleObject(
      { cluster: 'e', name: 'web' },
      {
        commit: null,
        source: control,
        revision: { ...nothing, attempted: digit === null ? null : long(digit) },
        verdict: 'suspended',
      },
    ),
  ];
  expect(elsewhereOf(object, others)).toEqual({
    clusters: 5,
    converged: 3,
    atCommit: commit === null ? null : { commit, clusters: 3, converged: 1, away: 1 },
  });
});

describe('what fails alike', () => {
  const away = sampleDiverged({ name: 'web' });
  const { range } = away;
  const byName = sampleDiverged({ cluster: 'us-east-1', name: 'web' });
  const byCommit = sampleDiverged({ cluster: 'us-east-1', name: 'api' }, { range });
  const other = sampleDiverged({ cluster: 'us-east-1', name: 'odd' }, { reason: 'Timeout' });
  const fleet = [
    knownCluster('us-east-1', [byCommit, byName, other]),
    knownCluster('eu-west-3', [away, sampleDiverged({ name: 'db' }, { range })]),
  ];

  it('is of the same name first, without itself', () => {
    expect(alikeOf(away, fleet).map(({ ref }) => `${ref.cluster} ${ref.name}`)).toEqual([
      'us-east-1 web',
      'us-east-1 api',
      'eu-west-3 db',
    ]);
  });

  it.each(['converged', 'suspended', 'progressing'] as const)('is nothing of one that is %s', (verdict) => {
    const rootCause = { type: 'cluster', cluster: 'us-east-1' } as const;
    const same = sampleDiverged({ cluster: 'us-east-1', name: 'web' }, { verdict, rootCause });
    const known = { ...knownCluster('us-east-1', []), deviating: [same] };
    expect(alikeOf({ ...away, verdict, rootCause }, [known])).toEqual([]);
  });
});
