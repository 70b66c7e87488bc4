import { setTimeout as pause } from 'node:timers/promises';
import { configMapFile, kustomizationFile } from '../../fixtures/control-files.ts';
import { checkEnds, type ExpectedCluster, hasCome, waitEnded, waitsFor } from '../checks/commit-page.ts';
import { commits, gitRepositoryAt, inTurn, merges } from '../deeds.ts';
import type { Chapter, Stage } from '../situation.ts';
import { kustomizationOf, staysConverged } from '../subjects.ts';

const file = (name: string): string => `clusters/production/outgoing/${name}`;
const both = ['alpha', 'beta'] as const;
const beside = both.map((cluster) => staysConverged(kustomizationOf(cluster, 'beside-outgoing')));
const everyTime = ['offeredAt', 'firstAt', 'lastAt'] as const;

/** The same on both clusters. */
function onBoth(expected: Omit<ExpectedCluster, 'cluster'>): readonly ExpectedCluster[] {
  return both.map((cluster) => ({ cluster, ...expected }));
}

/** Tells the source of a cluster to fetch now, as `flux reconcile source git` does. */
function fetches(cluster: 'alpha' | 'beta') {
  return (stage: Stage): Promise<void> => {
    const annotations = { 'reconcile.fluxcd.io/requestedAt': new Date().toISOString() };
    return merges(cluster, gitRepositoryAt('outgoing'), { metadata: { annotations } })(stage);
  };
}

/** Commits one file. */
function pushes(note: string, subject: string, name: string, content: string) {
  return commits('outgoing', note, subject, { [name]: content });
}

/** Commits on their way to the clusters. Their sources fetch when they are told to, so that each step lasts. */
export const outgoing: Chapter = {
  name: 'outgoing',
  title: 'Is my commit out?',
  situations: [
    {
      name: 'a commit is pushed, and no source has fetched it',
      within: 60_000,
      act: pushes('went out', 'Raise the value', file('configmap.yaml'), configMapFile('outgoing', 'second')),
      checks: [
        hasCome('went out', 'waiting', onBoth({ state: 'on-its-way', told: [] })),
        checkEnds('went out', 3, 'On its way to all 2 clusters'),
      ],
      never: beside,
    },
    {
      name: 'the source of alpha fetches it',
      within: 60_000,
      act: fetches('alpha'),
      checks: [
        hasCome('went out', 'waiting', [
          { cluster: 'alpha', state: 'converged', told: everyTime },
          { cluster: 'beta', state: 'on-its-way', told: [] },
        ]),
        checkEnds('went out', 3, 'Converged on 1 of 2 clusters; on its way to 1.'),
      ],
      never: beside,
    },
    {
      name: 'the source of beta fetches it while somebody waits',
      within: 60_000,
      act: waitsFor('went out', async (stage) => {
        await pause(4_000);
        await fetches('beta')(stage);
      }),
      checks: [
        hasCome('went out', 'arrived', onBoth({ state: 'converged', told: everyTime })),
        waitEnded('went out', 'exit 0: Converged on all 2 clusters that it concerns.', 'came to beta'),
      ],
      never: beside,
    },
    {
      name: 'a commit that breaks both is waited for before a mirror holds it',
      within: 60_000,
      act: inTurn(
        pushes('went wrong', 'Name a missing file', file('kustomization.yaml'), kustomizationFile('missing.yaml')),
        waitsFor('went wrong', inTurn(fetches('alpha'), fetches('beta'))),
      ),
      checks: [
        hasCome('went wrong', 'failed', onBoth({ state: 'stuck', why: 'BuildFailed', told: ['offeredAt'] })),
        waitEnded('went wrong', 'exit 1: ', 'failed'),
        checkEnds('went wrong', 1, 'Stuck on all 2 clusters that it concerns: alpha, BuildFailed'),
      ],
      never: beside,
    },
    {
      name: 'the next commit mends both: the one before is superseded',
      within: 90_000,
      act: inTurn(
        pushes('went right', 'Name it no more', file('kustomization.yaml'), kustomizationFile('configmap.yaml')),
        fetches('alpha'),
        fetches('beta'),
      ),
      checks: [
        hasCome('went right', 'arrived', onBoth({ state: 'converged', told: everyTime })),
        hasCome('went wrong', 'arrived', onBoth({ state: 'superseded', told: null })),
        hasCome('went out', 'arrived', onBoth({ state: 'superseded', told: null })),
        checkEnds('went right', 0, 'Converged on all 2 clusters'),
      ],
      never: beside,
    },
    {
      name: 'a commit touches nothing that runs',
      within: 60_000,
      act: pushes('went nowhere', 'Say what this is', 'README.md', 'The fleet.\n'),
      checks: [hasCome('went nowhere', 'nothing', []), checkEnds('went nowhere', 2, 'It concerns no cluster')],
      never: beside,
    },
  ],
};
