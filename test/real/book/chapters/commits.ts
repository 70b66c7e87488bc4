import type { Changes } from '../../harness/control-repository.ts';
import type { Subject } from '../../harness/plumbline.ts';
import { configMapFile, deploymentFile, kustomizationFile } from '../../fixtures/control-files.ts';
import { commits as commitsTo, inTurn, kustomizationAt, notes, removes } from '../deeds.ts';
import { began, condition } from '../checks/began.ts';
import { type Expected, firstOf, isOneIncident, isOver, only, seenHome } from '../checks/incidents.ts';
import { oneCause } from '../checks/lists.ts';
import { isGone, says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { gitRepositoryOf, kustomizationOf, staysConverged } from '../subjects.ts';

const path = (file: string): string => `clusters/production/${file}`;
const bystanders = ['base', 'ledger', 'prune-off'].map((name) => staysConverged(kustomizationOf('alpha', name)));

const twins = ['alpha', 'beta'].map((cluster) => kustomizationOf(cluster, 'twin'));
const [first, next] = [kustomizationOf('alpha', 'first-in-line'), kustomizationOf('alpha', 'next-in-line')];

/** The incident that a commit makes which breaks a build; others may wait for what it breaks. */
function incidentOf(title: string, culprit: string, broken: readonly Subject[], waiting: readonly Subject[]): Expected {
  return {
    title,
    culprit,
    cause: `object Kustomization/${broken[0]?.name ?? ''}`,
    since: `before "${culprit}"`,
    began: firstOf(broken, condition('Ready', 'False BuildFailed')),
    members: only(...broken, ...waiting),
  };
}

const shopBroke = incidentOf('shop on alpha', 'broke', [kustomizationOf('alpha', 'shop')], []);
const firstBroke = incidentOf('first-in-line on alpha', 'first in line broke', [first], [next]);
const twinsBroke = incidentOf('twin on 2 clusters', 'twin broke', twins, []);

/** Notes the time, and commits. */
function breaks(culprit: string, ...commit: readonly [subject: string, changes: Changes]) {
  return inTurn(notes(`before "${culprit}"`), commitsTo('control', culprit, ...commit));
}

/** Commits, good ones and bad ones. */
export const commits: Chapter = {
  name: 'commits',
  title: 'Commits',
  situations: [
    {
      name: 'a commit rolls out',
      within: 90_000,
      act: commitsTo('control', 'rolled', 'Raise the value of rolling', {
        [path('rolling/configmap.yaml')]: configMapFile('rolling', 'second'),
      }),
      checks: [
        says(kustomizationOf('alpha', 'rolling'), {
          verdict: 'converged',
          commit: 'rolled',
          applied: 'rolled',
          drift: 'none',
          away: false,
        }),
        says(gitRepositoryOf('alpha', 'control'), { verdict: 'converged', commit: 'rolled' }),
        says(kustomizationOf('beta', 'base'), { verdict: 'converged', commit: 'rolled' }),
      ],
      never: [staysConverged(kustomizationOf('alpha', 'rolling')), ...bystanders],
    },
    {
      name: 'a commit breaks a build: the last good commit runs, its neighbours roll on',
      within: 90_000,
      act: breaks('broke', 'Name a file that is not there', {
        [path('shop/kustomization.yaml')]: kustomizationFile('configmap.yaml', 'missing.yaml'),
      }),
      checks: [
        says(kustomizationOf('alpha', 'shop'), {
          verdict: 'diverged',
          reason: 'BuildFailed',
          rootCause: null,
          drift: 'not-measured',
          commit: 'rolled',
          applied: 'rolled',
          attempted: 'broke',
          offered: 'broke',
          away: true,
        }),
        began(kustomizationOf('alpha', 'shop'), condition('Ready', 'False BuildFailed')),
        says(kustomizationOf('alpha', 'base'), { verdict: 'converged', commit: 'broke' }),
        isOneIncident(shopBroke),
      ],
      never: bystanders,
    },
    {
      name: 'the next commit mends it',
      within: 150_000,
      act: commitsTo('control', 'mended', 'Name only files that are there', {
        [path('shop/kustomization.yaml')]: kustomizationFile('configmap.yaml'),
      }),
      checks: [
        ...['shop', 'base', 'rolling', 'next-in-line'].map((name) =>
          says(kustomizationOf('alpha', name), {
            verdict: 'converged',
            commit: 'mended',
            rootCause: null,
            away: false,
          }),
        ),
        isOver(shopBroke, ['converged'], seenHome(kustomizationOf('alpha', 'shop'))),
      ],
      never: bystanders,
    },
    {
      name: 'a commit breaks the first of two that wait for each other',
      within: 90_000,
      act: breaks('first in line broke', 'Break the first in line', {
        [path('first-in-line/kustomization.yaml')]: kustomizationFile('configmap.yaml', 'missing.yaml'),
      }),
      checks: [
        says(first, {
          verdict: 'diverged',
          reason: 'BuildFailed',
          rootCause: null,
        }),
        says(next, {
          verdict: 'waiting',
          reason: 'DependencyNotReady',
          rootCause: 'Kustomization/first-in-line',
          commit: 'mended',
          applied: 'mended',
          away: true,
        }),
        isOneIncident(firstBroke),
      ],
      never: bystanders,
    },
    {
      name: 'the first in line is mended: the next takes its turn',
      within: 120_000,
      act: commitsTo('control', 'first in line mended', 'Mend the first in line', {
        [path('first-in-line/kustomization.yaml')]: kustomizationFile('configmap.yaml'),
      }),
      checks: [
        ...[first, next].map((subject) =>
          says(subject, { verdict: 'converged', commit: 'first in line mended', rootCause: null }),
        ),
        isOver(firstBroke, ['converged'], seenHome(first, next)),
      ],
      never: bystanders,
    },
    {
      name: 'a commit breaks what delivers another Kustomization',
      within: 90_000,
      act: commitsTo('control', 'tenants broke', 'Break the tenants', {
        [path('tenants/kustomization.yaml')]: kustomizationFile('tenant-a.yaml', 'missing.yaml'),
      }),
      checks: [
        says(kustomizationOf('alpha', 'tenants'), { verdict: 'diverged', reason: 'BuildFailed', rootCause: null }),
        says(kustomizationOf('alpha', 'tenant-a'), {
          verdict: 'unconfirmed',
          rootCause: 'Kustomization/tenants',
          guarantee: 'unknown',
        }),
      ],
      never: [
        { subject: kustomizationOf('alpha', 'tenant-a'), verdicts: ['diverged', 'unhealthy', 'stale', 'unobserved'] },
        ...bystanders,
      ],
    },
    {
      name: 'the tenants are mended, and so is everything else of that source',
      within: 90_000,
      act: commitsTo('control', 'tenants mended', 'Mend the tenants', {
        [path('tenants/kustomization.yaml')]: kustomizationFile('tenant-a.yaml'),
      }),
      checks: ['tenants', 'tenant-a', 'base'].map((name) =>
        says(kustomizationOf('alpha', name), { verdict: 'converged', rootCause: null, commit: 'tenants mended' }),
      ),
      never: bystanders,
    },
    {
      name: 'a commit brings a workload that never becomes ready under a health check',
      within: 90_000,
      act: commitsTo('control', 'sick', 'Add a workload to never-ready', {
        [path('never-ready/deployment.yaml')]: deploymentFile('never-ready-again'),
      }),
      checks: [
        says(kustomizationOf('alpha', 'never-ready'), {
          verdict: 'unhealthy',
          reason: 'HealthCheckFailed',
          attempted: 'sick',
          commit: 'sick',
          mentions: 'never-ready-again',
          away: true,
        }),
      ],
      never: [
        { subject: kustomizationOf('alpha', 'never-ready'), verdicts: ['converged', 'diverged', 'stale'] },
        ...bystanders,
      ],
    },
    {
      name: 'a commit breaks the same Kustomization on both clusters: one cause',
      within: 90_000,
      act: breaks('twin broke', 'Break the twins', {
        [path('twin/kustomization.yaml')]: kustomizationFile('configmap.yaml', 'missing.yaml'),
      }),
      checks: [
        ...twins.flatMap((twin) => [
          says(twin, { verdict: 'diverged', reason: 'BuildFailed', attempted: 'twin broke', rootCause: null }),
          began(twin, condition('Ready', 'False BuildFailed')),
        ]),
        oneCause('twin on 2 clusters', 2, 2),
        isOneIncident(twinsBroke),
      ],
      never: bystanders,
    },
    {
      name: 'the twins are mended: the incident is over with the later of them',
      within: 120_000,
      act: commitsTo('control', 'twin mended', 'Mend the twins', {
        [path('twin/kustomization.yaml')]: kustomizationFile('configmap.yaml'),
      }),
      checks: [
        ...twins.map((twin) => says(twin, { verdict: 'converged', commit: 'twin mended', rootCause: null })),
        isOver(twinsBroke, ['converged'], seenHome(...twins)),
      ],
      never: bystanders,
    },
    {
      name: 'a Kustomization is deleted',
      within: 60_000,
      act: removes('alpha', kustomizationAt('doomed')),
      checks: [isGone(kustomizationOf('alpha', 'doomed'))],
    },
  ],
};
