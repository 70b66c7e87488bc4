import { gitRepositoryOf, inApps, kustomizationOf, type Situation } from './situation.ts';
import { says } from './says.ts';

/** How things stand after the fleet was deployed: nothing is done here. Plumbline came to a fleet that runs. */
export const births: readonly Situation[] = [
  {
    name: 'a Kustomization at the newest commit',
    expected: 'converged at the commit, confirmed by its own passes',
    within: 120_000,
    looks: [
      says(kustomizationOf('alpha', 'base'), {
        verdict: 'converged',
        reason: 'ReconciliationSucceeded',
        confirmation: 'pass',
        rootCause: null,
        commit: (stage) => stage.first.control,
        applied: (stage) => stage.first.control,
        offered: (stage) => stage.first.control,
        path: 'clusters/production/base',
        source: 'GitRepository/control',
        away: false,
        guarantee: 'holds',
      }),
      says(kustomizationOf('beta', 'base'), { verdict: 'converged', commit: (stage) => stage.first.control }),
    ],
  },
  {
    name: 'a GitRepository that fetches',
    expected: 'converged, confirmed by its controller',
    within: 120_000,
    looks: [
      says(gitRepositoryOf('alpha', 'control'), {
        verdict: 'converged',
        confirmation: 'controller',
        rootCause: null,
        commit: (stage) => stage.first.control,
      }),
    ],
  },
  {
    name: 'an object of a kind that the cluster does not know',
    expected: 'diverged ReconciliationFailed',
    within: 120_000,
    looks: [
      says(kustomizationOf('alpha', 'unknown-kind'), {
        verdict: 'diverged',
        reason: 'ReconciliationFailed',
        rootCause: null,
        attempted: (stage) => stage.first.control,
        mentions: 'no matches for kind',
        away: true,
      }),
    ],
  },
  {
    name: 'applied, but the Deployment never becomes ready (wait: true)',
    expected: 'unhealthy HealthCheckFailed, the attempted commit runs',
    within: 120_000,
    looks: [
      says(kustomizationOf('alpha', 'never-ready'), {
        verdict: 'unhealthy',
        reason: 'HealthCheckFailed',
        rootCause: null,
        attempted: (stage) => stage.first.control,
        commit: (stage) => stage.first.control,
        away: true,
      }),
    ],
  },
  {
    name: 'a path that is not in the repository',
    expected: 'diverged ArtifactFailed',
    within: 120_000,
    looks: [
      says(kustomizationOf('alpha', 'no-path'), {
        verdict: 'diverged',
        reason: 'ArtifactFailed',
        rootCause: null,
        away: true,
      }),
    ],
  },
  {
    name: 'a source that does not exist',
    expected: 'diverged ArtifactFailed',
    within: 120_000,
    looks: [says(kustomizationOf('alpha', 'no-source'), { verdict: 'diverged', reason: 'ArtifactFailed', away: true })],
  },
  {
    name: 'a source that never had an artifact',
    expected: 'waiting, the source is the root cause and diverged',
    within: 120_000,
    looks: [
      says(kustomizationOf('alpha', 'on-empty'), { verdict: 'waiting', rootCause: 'GitRepository/empty' }),
      says(gitRepositoryOf('alpha', 'empty'), { verdict: 'diverged', reason: 'GitOperationFailed', rootCause: null }),
    ],
  },
  {
    name: 'a dependency of a dependency fails',
    expected: 'waiting, the far end is the root cause',
    within: 120_000,
    looks: [
      says(kustomizationOf('alpha', 'middle'), {
        verdict: 'waiting',
        reason: 'DependencyNotReady',
        rootCause: 'Kustomization/unknown-kind',
      }),
      says(kustomizationOf('alpha', 'edge'), {
        verdict: 'waiting',
        reason: 'DependencyNotReady',
        rootCause: 'Kustomization/unknown-kind',
      }),
    ],
  },
  {
    name: 'prune: false',
    expected: 'converged, exemption prune-disabled',
    within: 120_000,
    looks: [says(kustomizationOf('alpha', 'prune-off'), { verdict: 'converged', exemption: 'prune-disabled' })],
  },
  {
    name: 'a HelmRelease without drift detection',
    expected: 'converged, drift not measured, confirmed by its own writes',
    needs: ['helm-controller'],
    within: 180_000,
    looks: [
      says(inApps('HelmRelease', 'hr-plain'), {
        verdict: 'converged',
        reason: 'InstallSucceeded',
        drift: 'not-measured',
        confirmation: 'pass',
        exemption: 'drift-detection-disabled',
      }),
      says(inApps('HelmRelease', 'hr-warn'), { verdict: 'converged', drift: 'none' }),
      says(inApps('HelmRelease', 'hr-fix'), { verdict: 'converged', drift: 'none' }),
    ],
  },
  {
    name: 'a HelmRelease whose installation fails',
    expected: 'diverged InstallFailed',
    needs: ['helm-controller'],
    within: 120_000,
    looks: [says(inApps('HelmRelease', 'hr-fails'), { verdict: 'diverged', reason: 'InstallFailed', rootCause: null })],
  },
  {
    name: 'a managed resource that is ready, of a provider run by hand',
    expected: 'unconfirmed: nothing proves that its provider lives',
    needs: ['provider-nop'],
    within: 120_000,
    looks: [
      says(inApps('NopResource', 'mr-good'), { verdict: 'unconfirmed', confirmation: 'none', guarantee: 'unknown' }),
    ],
  },
  {
    name: 'managementPolicies [Observe] where the feature is off',
    expected: 'diverged ReconcileError',
    needs: ['provider-nop'],
    within: 120_000,
    looks: [
      says(inApps('NopResource', 'mr-denied'), {
        verdict: 'diverged',
        reason: 'ReconcileError',
        exemption: 'observe-only',
        mentions: 'managementPolicies',
      }),
    ],
  },
  {
    name: 'a Kustomization that another one delivers',
    expected: 'converged, delivered by it',
    within: 120_000,
    looks: [says(kustomizationOf('alpha', 'tenant-a'), { verdict: 'converged', deliveredBy: 'Kustomization/tenants' })],
  },
];
