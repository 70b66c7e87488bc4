import { configMapFile } from '../../fixtures/control-files.ts';
import { leaseOf, shardLabel } from '../../harness/flux.ts';
import {
  commits,
  helmReleaseAt,
  inTurn,
  kills,
  kustomizationAt,
  merges,
  notes,
  removes,
  revives,
  signals,
  waits,
} from '../deeds.ts';
import { began, betweenProbes, lastPass, leaseOut, noted } from '../checks/began.ts';
import { everyOne, type Expected, isLeftBy, isOneIncident, isOver, seenHome, staysOver } from '../checks/incidents.ts';
import { controllerIs, leaseMoves } from '../checks/places.ts';
import { controllerChanged, oneCause } from '../checks/lists.ts';
import { isGone, isOneOf, says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { gitRepositoryOf, inApps, kustomizationOf, staysConverged } from '../subjects.ts';

const release = (name: string) => inApps('HelmRelease', name);
const shardLease = leaseOf('kustomize-controller', { selector: `${shardLabel}=shard1` });
/** Without a pass: max(3 intervals of 20 s, interval + timeout of 10 s + 2 min), in ms. */
const passBound = 150_000;
const betaUntouched = staysConverged(kustomizationOf('beta', 'base'));

/** The incident that a controller makes which dies: all that it serves. */
function incidentOf(controller: string, kind: string, path: string): Expected {
  return {
    title: `${controller} on alpha`,
    cause: `controller ${controller}`,
    since: `${controller} killed`,
    began: noted(`${controller} killed`),
    members: everyOne('alpha', kind, path),
  };
}

const applierDied = incidentOf(
  'kustomize-controller',
  'Kustomization',
  '/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations',
);
const helmDied = incidentOf('helm-controller', 'HelmRelease', '/apis/helm.toolkit.fluxcd.io/v2/helmreleases');
/** It hangs, so it stays in the incident. Those that wait for ever did so before, and leave. */
const stillThere = kustomizationOf('alpha', 'hung');
/** Releases that are well again as soon as their controller is; what fails by itself leaves the incident with its next attempt. */
const wellReleases = ['hr-plain', 'hr-fix', 'hr-exact'].map(release);
/** Retry interval, timeout, and a margin (ms). */
const nextAttempt = 25_000;

/** The kustomize-controller dies, and people go on working meanwhile. */
export const kustomizeController: Chapter = {
  name: 'kustomize-controller',
  title: 'The kustomize-controller dies',
  situations: [
    {
      name: 'the kustomize-controller is killed, and a commit arrives',
      within: 120_000,
      act: inTurn(
        notes('kustomize-controller killed'),
        kills('kustomize-controller-alpha'),
        commits('control', 'unattended', 'Commit while nobody applies', {
          'clusters/production/rolling/configmap.yaml': configMapFile('rolling', 'third'),
        }),
      ),
      checks: [
        controllerIs('alpha', 'kustomize-controller', 'dead'),
        ...['base', 'rolling', 'prune-off', 'tenant-a', 'daily'].map((name) =>
          says(kustomizationOf('alpha', name), {
            verdict: 'stale',
            was: 'converged',
            rootCause: 'kustomize-controller',
            confirmation: 'none',
            away: true,
          }),
        ),
        says(kustomizationOf('alpha', 'unknown-kind'), {
          verdict: 'stale',
          was: 'diverged',
          rootCause: 'kustomize-controller',
        }),
        began(kustomizationOf('alpha', 'base'), noted('kustomize-controller killed')),
        oneCause('kustomize-controller on alpha', 5),
        isOneIncident(applierDied),
        says(gitRepositoryOf('alpha', 'control'), { verdict: 'converged', commit: 'unattended' }),
        says(kustomizationOf('beta', 'base'), { verdict: 'converged', commit: 'unattended' }),
      ],
      never: [staysConverged(gitRepositoryOf('alpha', 'control')), betaUntouched],
    },
    {
      name: 'a spec is edited while its controller is dead',
      within: 30_000,
      act: merges('alpha', kustomizationAt('ledger'), { spec: { path: './clusters/production/spare' } }),
      checks: [
        says(kustomizationOf('alpha', 'ledger'), {
          verdict: 'stale',
          rootCause: 'kustomize-controller',
          away: true,
        }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'ledger'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'a Kustomization is suspended while its controller is dead',
      within: 30_000,
      act: merges('alpha', kustomizationAt('daily'), { spec: { suspend: true } }),
      checks: [says(kustomizationOf('alpha', 'daily'), { verdict: 'suspended', was: 'converged', guarantee: 'off' })],
    },
    {
      name: 'a Kustomization is deleted while its controller is dead: it hangs',
      within: 30_000,
      act: removes('alpha', kustomizationAt('prune-off')),
      checks: [
        says(kustomizationOf('alpha', 'prune-off'), {
          verdict: 'stale',
          was: 'progressing',
          rootCause: 'kustomize-controller',
        }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'prune-off'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'the kustomize-controller is back: it takes the commit, the edit and the deletion that had come meanwhile',
      within: 180_000,
      act: revives('kustomize-controller-alpha'),
      checks: [
        leaseMoves('alpha', 'kustomize-controller'),
        controllerChanged('alpha', 'kustomize-controller', 'controller-restarted'),
        ...['base', 'rolling', 'tenant-a'].map((name) =>
          says(kustomizationOf('alpha', name), { verdict: 'converged', rootCause: null, commit: 'unattended' }),
        ),
        says(kustomizationOf('alpha', 'ledger'), { verdict: 'converged', path: 'clusters/production/spare' }),
        says(kustomizationOf('alpha', 'unknown-kind'), { verdict: 'diverged', rootCause: null }),
        isGone(kustomizationOf('alpha', 'prune-off')),
        isLeftBy(applierDied, stillThere),
      ],
      never: [betaUntouched],
    },
    {
      name: 'what was suspended meanwhile is resumed',
      within: 120_000,
      act: merges('alpha', kustomizationAt('daily'), { spec: { suspend: false } }),
      checks: [
        says(kustomizationOf('alpha', 'daily'), { verdict: 'converged', rootCause: null }),
        isLeftBy(applierDied, stillThere),
      ],
    },
  ],
};

/** One shard's controller dies, the one beside it does not. */
export const shards: Chapter = {
  name: 'shards',
  title: 'The controller of a shard dies',
  situations: [
    {
      name: 'the kustomize-controller of a shard is killed',
      within: 120_000,
      act: kills('kustomize-controller-shard1-beta'),
      checks: [
        controllerIs('beta', 'kustomize-controller-shard1', 'dead'),
        controllerIs('beta', 'kustomize-controller', 'alive'),
        says(kustomizationOf('beta', 'sharded'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'kustomize-controller-shard1',
          away: true,
        }),
        says(kustomizationOf('beta', 'base'), { verdict: 'converged', rootCause: null }),
      ],
      never: [betaUntouched],
    },
    {
      name: 'the kustomize-controller of the shard is back',
      within: 150_000,
      act: revives('kustomize-controller-shard1-beta'),
      checks: [
        leaseMoves('beta', 'kustomize-controller-shard1'),
        says(kustomizationOf('beta', 'sharded'), { verdict: 'converged', rootCause: null }),
      ],
      never: [betaUntouched],
    },
    {
      name: 'it hangs (SIGSTOP): its pod is there, and its lease stands still',
      within: 150_000,
      act: signals('SIGSTOP', 'kustomize-controller-shard1-beta'),
      checks: [
        controllerIs('beta', 'kustomize-controller-shard1', 'dead'),
        says(kustomizationOf('beta', 'sharded'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'kustomize-controller-shard1',
          away: true,
        }),
        began(kustomizationOf('beta', 'sharded'), leaseOut('beta', shardLease, 35), betweenProbes),
      ],
      never: [betaUntouched, { subject: kustomizationOf('beta', 'sharded'), verdicts: ['diverged', 'unobserved'] }],
    },
    {
      name: 'it goes on (SIGCONT), finds its lease lost, and is started again',
      within: 150_000,
      act: signals('SIGCONT', 'kustomize-controller-shard1-beta'),
      checks: [
        leaseMoves('beta', 'kustomize-controller-shard1'),
        says(kustomizationOf('beta', 'sharded'), { verdict: 'converged', rootCause: null }),
      ],
      never: [betaUntouched],
    },
  ],
};

/** Nobody looks at some objects any more, and no controller has died. */
export const unserved: Chapter = {
  name: 'unserved',
  title: 'A shard that nobody serves',
  situations: [
    {
      name: 'objects are given to a shard that nobody serves: no more than unconfirmed at once, stale after their intervals',
      within: passBound + 60_000,
      act: inTurn(
        ...['unserved', 'unserved-daily'].map((name) =>
          merges('beta', kustomizationAt(name), { metadata: { labels: { [shardLabel]: 'shard9' } } }),
        ),
      ),
      checks: [
        says(kustomizationOf('beta', 'unserved'), { verdict: 'stale', was: 'converged', reason: 'NoPass', away: true }),
        began(kustomizationOf('beta', 'unserved'), lastPass(passBound)),
        // Others commit to its source meanwhile: what it has not taken up for longer than the grace, it is behind.
        isOneOf(kustomizationOf('beta', 'unserved-daily'), ['unconfirmed', 'behind']),
      ],
      never: [betaUntouched, { subject: kustomizationOf('beta', 'unserved-daily'), verdicts: ['stale', 'diverged'] }],
    },
    {
      name: 'they are given back',
      within: 90_000,
      act: inTurn(
        ...['unserved', 'unserved-daily'].map((name) =>
          merges('beta', kustomizationAt(name), { metadata: { labels: { [shardLabel]: 'shard1' } } }),
        ),
      ),
      checks: ['unserved', 'unserved-daily'].map((name) =>
        says(kustomizationOf('beta', name), { verdict: 'converged', rootCause: null }),
      ),
    },
  ],
};

/** The helm-controller dies. */
export const helmController: Chapter = {
  name: 'helm-controller',
  title: 'The helm-controller dies',
  situations: [
    {
      name: 'before the helm-controller dies: releases that are well, and one that fails by itself',
      needs: ['helm-controller'],
      within: 180_000,
      // Played alone it comes first: what began as Plumbline began to look is dated by no second.
      act: waits(20_000),
      checks: [
        ...wellReleases.map((one) => says(one, { verdict: 'converged', rootCause: null })),
        says(release('hr-fails'), { verdict: 'diverged', rootCause: null }),
      ],
    },
    {
      name: 'the helm-controller is killed',
      needs: ['helm-controller'],
      within: 120_000,
      act: inTurn(notes('helm-controller killed'), kills('helm-controller-alpha')),
      checks: [
        controllerIs('alpha', 'helm-controller', 'dead'),
        began(release('hr-plain'), noted('helm-controller killed')),
        ...['hr-plain', 'hr-fix'].map((name) =>
          says(release(name), { verdict: 'stale', was: 'converged', rootCause: 'helm-controller', away: true }),
        ),
        says(release('hr-fails'), { verdict: 'stale', was: 'diverged', rootCause: 'helm-controller' }),
        says(gitRepositoryOf('alpha', 'quiet'), { verdict: 'converged' }),
        isOneIncident(helmDied),
      ],
      never: [staysConverged(gitRepositoryOf('alpha', 'quiet'))],
    },
    {
      name: 'values are edited while the helm-controller is dead',
      needs: ['helm-controller'],
      within: 30_000,
      act: merges('alpha', helmReleaseAt('hr-fix'), { spec: { values: { value: 'edited' } } }),
      checks: [says(release('hr-fix'), { verdict: 'stale', rootCause: 'helm-controller', away: true })],
      never: [{ subject: release('hr-fix'), verdicts: ['converged', 'diverged'] }],
    },
    {
      name: 'the helm-controller is back',
      needs: ['helm-controller'],
      within: 180_000,
      act: revives('helm-controller-alpha'),
      checks: [
        leaseMoves('alpha', 'helm-controller'),
        says(release('hr-plain'), { verdict: 'converged', rootCause: null }),
        says(release('hr-fix'), { verdict: 'converged', reason: 'UpgradeSucceeded', rootCause: null }),
        isOver(helmDied, ['converged', 'moved'], seenHome(...wellReleases), nextAttempt),
      ],
    },
    {
      name: 'the helm-controller crashes and is started again at once: nobody is alarmed while it waits for its lease',
      needs: ['helm-controller'],
      within: 120_000,
      act: inTurn(kills('helm-controller-alpha'), revives('helm-controller-alpha'), waits(70_000)),
      checks: [
        leaseMoves('alpha', 'helm-controller'),
        says(release('hr-plain'), { verdict: 'converged', rootCause: null, away: false }),
        // It would have come back within the quiet time.
        staysOver(helmDied),
      ],
      never: [staysConverged(release('hr-plain'))],
    },
  ],
};

/** The source-controller dies: nothing new comes from git. */
export const sourceController: Chapter = {
  name: 'source-controller',
  title: 'The source-controller dies',
  situations: [
    {
      name: 'the source-controller is killed',
      within: 120_000,
      act: inTurn(notes('source-controller killed'), kills('source-controller-alpha')),
      checks: [
        controllerIs('alpha', 'source-controller', 'dead'),
        began(gitRepositoryOf('alpha', 'control'), noted('source-controller killed')),
        says(gitRepositoryOf('alpha', 'control'), {
          verdict: 'stale',
          was: 'converged',
          rootCause: 'source-controller',
          away: true,
        }),
        ...['base', 'tenant-a'].map((name) =>
          says(kustomizationOf('alpha', name), {
            verdict: 'stale',
            was: 'converged',
            rootCause: 'source-controller',
            confirmation: 'pass',
            away: true,
          }),
        ),
        says(release('hr-plain'), { verdict: 'stale', was: 'converged', rootCause: 'source-controller' }),
      ],
      never: [{ subject: kustomizationOf('alpha', 'base'), verdicts: ['diverged', 'unobserved', 'unconfirmed'] }],
    },
    {
      name: 'the source-controller is back',
      within: 180_000,
      act: revives('source-controller-alpha'),
      checks: [
        leaseMoves('alpha', 'source-controller'),
        ...['base', 'tenant-a'].map((name) =>
          says(kustomizationOf('alpha', name), { verdict: 'converged', rootCause: null }),
        ),
        says(release('hr-plain'), { verdict: 'converged', rootCause: null }),
      ],
    },
  ],
};
