import { configMapFile, delivery, directory } from '../../fixtures/control-files.ts';
import { gitRepository, kustomization } from '../../fixtures/manifests.ts';
import { applies, byHand, commits, inTurn, kustomizationAt, merges } from '../deeds.ts';
import { firstWrite, left } from '../checks/began.ts';
import { says } from '../checks/says.ts';
import type { Chapter, Stage } from '../situation.ts';
import { kustomizationOf, ofAlpha } from '../subjects.ts';

const brisk = kustomizationOf('alpha', 'brisk');
const choosy = kustomizationOf('alpha', 'choosy');
const carrier = kustomizationOf('alpha', 'carrier');
const unbuilt = kustomizationOf('alpha', 'unbuilt');
const open = 'acme.example.org/open';
const annotatesBrisk = ['-n', 'flux-system', 'annotate', 'kustomization', 'brisk'] as const;
const readyExpr = `has(dep.metadata.annotations) && '${open}' in dep.metadata.annotations`;

/** A long interval: what is not seen to pass now is not seen for an hour. */
async function makesBrisk(stage: Stage): Promise<void> {
  await commits('brisk', 'brisk', 'Begin', { ...directory('brisk'), ...directory('choosy') })(stage);
  await stage.bed.alpha.admin.apply(gitRepository('brisk', stage.bed.gitUrl('brisk')));
  await stage.bed.alpha.admin.apply(kustomization('brisk', 'brisk', { interval: '1h', retryInterval: '1h' }));
}

const suspends = (suspend: boolean) => merges('alpha', kustomizationAt('brisk'), { spec: { suspend } });
const blinks = inTurn(suspends(true), suspends(false));

/** Objects that are ready, and those that only look so. */
export const readiness: Chapter = {
  name: 'readiness',
  title: 'What is ready, and what only looks so',
  situations: [
    {
      name: 'a Kustomization with an interval of an hour',
      within: 90_000,
      act: makesBrisk,
      checks: [says(brisk, { verdict: 'converged', confirmation: 'pass', commit: 'brisk', away: false })],
    },
    {
      name: 'suspended and resumed within a second, three times: the pass that ends in that second counts',
      within: 30_000,
      act: inTurn(blinks, blinks, blinks),
      checks: [says(brisk, { verdict: 'converged', reason: 'ReconciliationSucceeded', confirmation: 'pass' })],
      never: [{ subject: brisk, verdicts: ['diverged', 'stale', 'unobserved'] }],
    },
    {
      name: 'one that depends on it by a readyExpr that is false, before its first apply',
      within: 60_000,
      act: applies('alpha', kustomization('choosy', 'brisk', { dependsOn: [{ name: 'brisk', readyExpr }] })),
      checks: [
        says(choosy, {
          verdict: 'waiting',
          reason: 'DependencyNotReady',
          rootCause: 'Kustomization/brisk',
          mentions: 'does not meet its readyExpr',
          commit: null,
          away: true,
        }),
      ],
      never: [{ subject: choosy, verdicts: ['converged', 'diverged', 'stale'] }],
    },
    {
      name: 'its readyExpr comes true',
      within: 90_000,
      act: byHand('alpha', ...annotatesBrisk, `${open}=yes`),
      checks: [says(choosy, { verdict: 'converged', commit: 'brisk' })],
      never: [{ subject: choosy, verdicts: ['diverged', 'stale', 'unhealthy'] }],
    },
    {
      name: 'its readyExpr is false again when a commit comes: it waits, and there is no wave',
      within: 60_000,
      act: inTurn(
        byHand('alpha', ...annotatesBrisk, `${open}-`),
        commits('brisk', 'brisker', 'Go on', {
          'clusters/production/choosy/configmap.yaml': configMapFile('choosy', 'second'),
        }),
      ),
      checks: [
        says(brisk, { verdict: 'converged', commit: 'brisker' }),
        says(choosy, {
          verdict: 'waiting',
          reason: 'DependencyNotReady',
          rootCause: 'Kustomization/brisk',
          mentions: 'does not meet its readyExpr',
          commit: 'brisk',
          offered: 'brisker',
          away: true,
        }),
      ],
      never: [{ subject: choosy, verdicts: ['diverged', 'stale', 'unhealthy', 'behind'] }],
    },
    {
      name: 'a Kustomization that is delivered and never applied: no commit runs',
      within: 90_000,
      act: inTurn(
        commits(
          'carrier',
          'carrier',
          'Deliver what cannot be built',
          delivery('carrier', 'unbuilt', 'nowhere', 'carrier'),
        ),
        (stage) => stage.bed.alpha.admin.apply(gitRepository('carrier', stage.bed.gitUrl('carrier'))),
        applies('alpha', kustomization('carrier', 'carrier')),
      ),
      checks: [
        says(carrier, { verdict: 'converged', commit: 'carrier' }),
        says(unbuilt, {
          verdict: 'diverged',
          reason: 'ArtifactFailed',
          deliveredBy: 'Kustomization/carrier',
          commit: null,
          mentions: 'Nothing of it has been applied yet',
          away: true,
        }),
        left(unbuilt, firstWrite),
      ],
      never: [{ subject: unbuilt, verdicts: ['converged', 'stale'] }],
    },
    {
      name: 'a Function whose package cannot be pulled',
      // Its kind had no object: it is found with the next look at such kinds.
      within: 420_000,
      act: (stage) =>
        stage.bed.alpha.admin.apply({
          apiVersion: 'pkg.crossplane.io/v1',
          kind: 'Function',
          metadata: { name: 'not-there' },
          spec: { package: `${stage.bed.artifacts.host}/not-there:v1.0.0` },
        }),
      checks: [
        says(ofAlpha('Function', 'not-there'), {
          verdict: 'diverged',
          reason: 'UnpackingPackage',
          mentions: 'cannot unpack package',
          away: true,
        }),
      ],
      never: [{ subject: ofAlpha('Function', 'not-there'), verdicts: ['converged', 'stale'] }],
    },
  ],
};
