import { expect, it } from 'vitest';
import { observed, recorded, revisionA, revisionB } from '#lib/domain/testing/observed.ts';
import { elsewhereOf } from './elsewhere.ts';

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
