import { configMapFile, deploymentFile, directory, kustomizationFile } from '../../fixtures/control-files.ts';
import { gitRepository, kustomization } from '../../fixtures/manifests.ts';
import { applies, commits, inTurn, waits } from '../deeds.ts';
import { began, condition, offeredFor } from '../checks/began.ts';
import { says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { gitRepositoryOf, kustomizationOf } from '../subjects.ts';

/** As the configuration of the bed has it (harness/plumbline.ts). */
const behindAfter = 90_000;
const slow = kustomizationOf('alpha', 'slow');

/** Objects that wait, and those that come late. */
export const waitings: Chapter = {
  name: 'waits',
  title: 'What waits, and what comes late',
  situations: [
    {
      name: 'two Kustomizations that wait for each other',
      within: 60_000,
      act: applies(
        'alpha',
        kustomization('hen', 'quiet', { path: './clusters/production/daily', dependsOn: [{ name: 'egg' }] }),
        kustomization('egg', 'quiet', { path: './clusters/production/daily', dependsOn: [{ name: 'hen' }] }),
      ),
      checks: [
        says(kustomizationOf('alpha', 'hen'), {
          verdict: 'waiting',
          reason: 'DependencyNotReady',
          rootCause: 'Kustomization/egg',
          away: true,
        }),
        says(kustomizationOf('alpha', 'egg'), {
          verdict: 'waiting',
          reason: 'DependencyNotReady',
          rootCause: 'Kustomization/hen',
        }),
        began(kustomizationOf('alpha', 'hen'), condition('Ready', 'False DependencyNotReady')),
      ],
    },
    {
      name: 'a Kustomization that waits for one that is not there',
      within: 60_000,
      act: applies(
        'alpha',
        kustomization('forlorn', 'quiet', { path: './clusters/production/daily', dependsOn: [{ name: 'nobody' }] }),
      ),
      checks: [
        says(kustomizationOf('alpha', 'forlorn'), {
          verdict: 'waiting',
          reason: 'DependencyNotReady',
          rootCause: 'Kustomization/nobody',
          mentions: 'nobody',
        }),
      ],
    },
    {
      name: 'a Kustomization that checks the health of what it applies',
      within: 90_000,
      act: inTurn(
        commits('slow', 'slow', 'Bring up what will be slow', directory('slow')),
        (stage) => stage.bed.alpha.admin.apply(gitRepository('slow', stage.bed.gitUrl('slow'))),
        applies('alpha', kustomization('slow', 'slow', { wait: true, timeout: '120s' })),
      ),
      checks: [
        says(slow, { verdict: 'converged', commit: 'slow', exemptions: ['timeout-exceeds-interval'], away: false }),
      ],
      never: [{ subject: slow, verdicts: ['diverged', 'stale', 'behind', 'unhealthy'] }],
    },
    {
      name: 'a commit whose health check goes on and on: behind after its grace, and not before',
      within: behindAfter + 60_000,
      // Two passes: what has only just come home has not left anew.
      act: inTurn(
        waits(45_000),
        commits('slow', 'slower', 'Add a workload that takes its time', {
          'clusters/production/slow/kustomization.yaml': kustomizationFile('configmap.yaml', 'deployment.yaml'),
          'clusters/production/slow/configmap.yaml': configMapFile('slow', 'second'),
          'clusters/production/slow/deployment.yaml': deploymentFile('slow'),
        }),
      ),
      checks: [
        says(slow, {
          verdict: 'behind',
          applied: 'slow',
          attempted: 'slower',
          commit: 'slow',
          offered: 'slower',
          rootCause: null,
          away: true,
        }),
        began(slow, offeredFor(gitRepositoryOf('alpha', 'slow'), 'slower', behindAfter)),
      ],
      never: [{ subject: slow, verdicts: ['diverged', 'stale', 'unhealthy', 'unconfirmed', 'waiting', 'drifted'] }],
    },
    {
      name: 'its health check runs out of time: unhealthy, and what it tried runs',
      within: 120_000,
      checks: [
        says(slow, {
          verdict: 'unhealthy',
          reason: 'HealthCheckFailed',
          attempted: 'slower',
          commit: 'slower',
          rootCause: null,
          away: true,
        }),
        began(slow, condition('Ready', 'False HealthCheckFailed')),
      ],
    },
    {
      name: 'the next commit takes it back',
      within: 240_000,
      act: commits('slow', 'fast', 'Take the workload away', {
        'clusters/production/slow/kustomization.yaml': kustomizationFile('configmap.yaml'),
        'clusters/production/slow/deployment.yaml': null,
      }),
      checks: [says(slow, { verdict: 'converged', commit: 'fast', applied: 'fast', rootCause: null })],
    },
  ],
};
