import { minute } from '#lib/domain/time/length.ts';
import { chartsOf, configMapFile, kustomizationFile } from '../../fixtures/control-files.ts';
import { kustomization, ociRepository } from '../../fixtures/manifests.ts';
import { publishCharts, publishFluxArtifact } from '../../harness/publish.ts';
import { inTurn, notes } from '../deeds.ts';
import { began, condition, failedFor } from '../checks/began.ts';
import { says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { inApps, kustomizationOf, sourceOf, staysConverged } from '../subjects.ts';

const charts = sourceOf('alpha', 'HelmRepository', 'charts');
/** A source that fails makes its appliers blind after max(3 intervals, 5 min). */
const blindAfter = 5 * minute;
const image = sourceOf('alpha', 'OCIRepository', 'image');
const pinned = inApps('HelmRelease', 'hr-exact');
const ranged = inApps('HelmRelease', 'hr-range');
const built = kustomizationOf('alpha', 'from-image');

/** Builds an image of manifests from a commit of the repository `built`, and notes that commit. */
async function pushesImage(stage: Stage, note: string, value: string): Promise<void> {
  const files = {
    'kustomization.yaml': kustomizationFile('configmap.yaml'),
    'configmap.yaml': configMapFile('from-image', value),
  };
  const sha = await (await stage.bed.repository('built')).commit(`Build ${value}`, files);
  stage.notes.set(note, sha);
  const source = stage.bed.gitUrl('built');
  await publishFluxArtifact(stage.bed.artifacts, 'manifests', 'latest', {
    files,
    source,
    revision: `main@sha1:${sha}`,
  });
}

/** Charts of a chart repository, and manifests out of a registry. */
export const artifacts: Chapter = {
  name: 'artifacts',
  title: 'Charts and images',
  situations: [
    {
      name: 'a chart version appears: the range takes it',
      needs: ['helm-controller'],
      within: 90_000,
      act: (stage) => publishCharts(stage.bed.artifacts, chartsOf('0.1.0', '0.1.1')),
      checks: [
        says(ranged, { verdict: 'converged', reason: 'UpgradeSucceeded' }),
        says(pinned, { verdict: 'converged', reason: 'InstallSucceeded' }),
      ],
      never: [{ subject: ranged, verdicts: ['diverged', 'stale', 'drifted', 'unobserved'] }, staysConverged(pinned)],
    },
    {
      name: 'the chart repository breaks under releases that are Ready',
      needs: ['helm-controller'],
      within: 60_000,
      act: inTurn(notes('charts broken'), async (stage) => stage.bed.artifacts.remove('/charts/index.yaml')),
      checks: [
        says(charts, { verdict: 'diverged', rootCause: null, away: true }),
        began(charts, condition('Ready', 'False')),
        says(ranged, { verdict: 'converged', rootCause: null }),
        says(pinned, { verdict: 'converged', rootCause: null }),
      ],
      never: [staysConverged(ranged), staysConverged(pinned)],
    },
    {
      name: 'manifests of an image, built from a commit',
      within: 90_000,
      async act(stage) {
        await pushesImage(stage, 'image built', 'first');
        await stage.bed.alpha.admin.apply(
          ociRepository('image', `oci://${stage.bed.artifacts.host}/manifests`, 'latest'),
        );
        const sourceRef = { kind: 'OCIRepository', name: 'image' };
        await stage.bed.alpha.admin.apply(kustomization('from-image', '', { sourceRef, path: './' }));
      },
      checks: [
        says(image, { verdict: 'converged', commit: 'image built', exemptions: ['floating-reference'] }),
        says(built, { verdict: 'converged', commit: 'image built', source: 'OCIRepository/image' }),
      ],
    },
    {
      name: 'the tag moves to another image',
      within: 90_000,
      act: (stage) => pushesImage(stage, 'image rebuilt', 'second'),
      checks: [
        says(image, { verdict: 'converged', commit: 'image rebuilt' }),
        says(built, { verdict: 'converged', commit: 'image rebuilt' }),
      ],
      never: [staysConverged(built)],
    },
    {
      name: 'the tag is gone from the registry',
      within: 60_000,
      act: async (stage) => stage.bed.artifacts.remove('/v2/manifests/manifests/latest'),
      checks: [
        says(image, { verdict: 'diverged', reason: 'OCIArtifactPullFailed', commit: 'image rebuilt', away: true }),
        says(built, { verdict: 'converged', commit: 'image rebuilt' }),
      ],
      never: [staysConverged(built)],
    },
    {
      name: 'the chart repository has failed for 5 min: a range of versions misses the next one, one version nothing',
      needs: ['helm-controller'],
      within: blindAfter + 60_000,
      checks: [
        says(ranged, { verdict: 'stale', was: 'converged', rootCause: 'HelmRepository/charts', away: true }),
        began(ranged, failedFor(charts, 'charts broken', blindAfter)),
        says(pinned, { verdict: 'converged', rootCause: null, away: false }),
      ],
      never: [staysConverged(pinned)],
    },
  ],
};
