import { delivery, kustomizationFile } from '../../fixtures/control-files.ts';
import { gitRepository, kustomization } from '../../fixtures/manifests.ts';
import { readFile } from 'node:fs/promises';
import { commits, inTurn } from '../deeds.ts';
import { says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { kustomizationOf } from '../subjects.ts';

const toBeta = kustomizationOf('alpha', 'to-beta');
const namesake = kustomizationOf('beta', 'to-beta');
const edge = kustomizationOf('beta', 'edge-app');

/** A Kustomization of alpha that applies to beta, and one of beta of the same name that has nothing to do with it. */
async function reachesOut(stage: Stage): Promise<void> {
  const { alpha, beta, gitUrl } = stage.bed;
  await alpha.admin.apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'beta-kubeconfig', namespace: 'flux-system' },
    stringData: { value: await readFile(beta.adminKubeconfig, 'utf8') },
  });
  await alpha.admin.apply(gitRepository('remote', gitUrl('remote')));
  await alpha.admin.apply(
    kustomization('to-beta', 'remote', { kubeConfig: { secretRef: { name: 'beta-kubeconfig' } } }),
  );
  await beta.admin.apply(kustomization('to-beta', 'control', { path: './clusters/production/namesake' }));
}

/** One cluster delivers to the other. */
export const remote: Chapter = {
  name: 'remote',
  title: 'A cluster that delivers to another',
  situations: [
    {
      name: 'a Kustomization applies to another cluster, where one of the same name lives too',
      within: 120_000,
      act: inTurn(
        commits('remote', 'remote', 'Bring up the edge', {
          ...delivery('to-beta', 'edge-app', 'edge', 'control'),
        }),
        reachesOut,
      ),
      checks: [
        says(toBeta, {
          verdict: 'converged',
          commit: 'remote',
          exemptions: ['health-not-checked', 'remote-cluster'],
          rootCause: null,
        }),
        says(edge, { verdict: 'converged', deliveredBy: 'Kustomization/to-beta on alpha', rootCause: null }),
        says(namesake, { verdict: 'converged', deliveredBy: null }),
      ],
    },
    {
      name: 'it breaks: what it delivers to the other cluster is not proven any more',
      within: 90_000,
      act: commits('remote', 'remote broke', 'Break the edge', {
        'clusters/production/to-beta/kustomization.yaml': kustomizationFile('edge-app.yaml', 'missing.yaml'),
      }),
      checks: [
        says(toBeta, { verdict: 'diverged', reason: 'BuildFailed', rootCause: null, commit: 'remote' }),
        says(edge, { verdict: 'unconfirmed', rootCause: 'Kustomization/to-beta' }),
        says(namesake, { verdict: 'converged', rootCause: null }),
      ],
      never: [{ subject: namesake, verdicts: 'all but converged' }],
    },
    {
      name: 'it is mended',
      within: 90_000,
      act: commits('remote', 'remote mended', 'Mend the edge', {
        'clusters/production/to-beta/kustomization.yaml': kustomizationFile('edge-app.yaml'),
      }),
      checks: [
        says(toBeta, { verdict: 'converged', commit: 'remote mended' }),
        says(edge, { verdict: 'converged', rootCause: null }),
      ],
    },
  ],
};
