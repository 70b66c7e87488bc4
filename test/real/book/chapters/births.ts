import { beganUnseen } from '../checks/began.ts';
import { feedIs } from '../checks/places.ts';
import { says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { gitRepositoryOf, inApps, kustomizationOf, sourceOf } from '../subjects.ts';

/** State after the fleet was deployed: nothing is done here. Plumbline came to a fleet that runs. */
export const births: Chapter = {
  name: 'births',
  title: 'How things stand',
  situations: [
    {
      name: 'a Kustomization at the newest commit',
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'base'), {
          verdict: 'converged',
          reason: 'ReconciliationSucceeded',
          confirmation: 'pass',
          drift: 'none',
          rootCause: null,
          commit: 'first control',
          applied: 'first control',
          offered: 'first control',
          path: 'clusters/production/base',
          source: 'GitRepository/control',
          exemptions: ['health-not-checked'],
          away: false,
          guarantee: 'holds',
        }),
        says(kustomizationOf('beta', 'base'), { verdict: 'converged', commit: 'first control' }),
      ],
    },
    {
      name: 'a GitRepository that fetches',
      within: 120_000,
      checks: [
        says(gitRepositoryOf('alpha', 'control'), {
          verdict: 'converged',
          confirmation: 'controller',
          rootCause: null,
          drift: 'not-measured',
          exemptions: ['branch-reference'],
          commit: 'first control',
          guarantee: 'holds',
        }),
      ],
    },
    {
      name: 'an object of a kind that the cluster does not know',
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'unknown-kind'), {
          verdict: 'diverged',
          reason: 'ReconciliationFailed',
          rootCause: null,
          attempted: 'first control',
          mentions: 'no matches for kind',
          away: true,
        }),
        beganUnseen(kustomizationOf('alpha', 'unknown-kind'), 'fleet deployed'),
      ],
    },
    {
      name: 'applied, but the Deployment never becomes ready (wait: true)',
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'never-ready'), {
          verdict: 'unhealthy',
          reason: 'HealthCheckFailed',
          rootCause: null,
          attempted: 'first control',
          commit: 'first control',
          exemptions: [],
          away: true,
        }),
      ],
    },
    {
      name: 'a path that is not in the repository',
      within: 120_000,
      checks: [
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
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'no-source'), { verdict: 'diverged', reason: 'ArtifactFailed', away: true }),
      ],
    },
    {
      name: 'a source that never had an artifact',
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'on-empty'), { verdict: 'waiting', rootCause: 'GitRepository/empty' }),
        says(gitRepositoryOf('alpha', 'empty'), { verdict: 'diverged', reason: 'GitOperationFailed', rootCause: null }),
      ],
    },
    {
      name: 'a dependency of a dependency fails',
      within: 120_000,
      checks: [
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
      name: 'a Kustomization that another one delivers',
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'tenant-a'), { verdict: 'converged', deliveredBy: 'Kustomization/tenants' }),
      ],
    },
    {
      name: 'a Kustomization with an interval of a day',
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'daily'), { verdict: 'converged', confirmation: 'pass', commit: 'first quiet' }),
      ],
    },
    {
      name: 'a deletion that a finalizer holds up, in its first minutes',
      within: 120_000,
      checks: [
        says(kustomizationOf('alpha', 'hung'), { verdict: 'progressing', reason: 'Terminating', rootCause: null }),
      ],
    },
    {
      name: 'releases with drift detection off, warn and enabled',
      needs: ['helm-controller'],
      within: 180_000,
      checks: [
        says(inApps('HelmRelease', 'hr-plain'), {
          verdict: 'converged',
          reason: 'InstallSucceeded',
          drift: 'not-measured',
          confirmation: 'pass',
          exemptions: ['apply-restricted', 'drift-detection-disabled', 'rendered-on-cluster'],
        }),
        says(inApps('HelmRelease', 'hr-warn'), {
          verdict: 'converged',
          drift: 'none',
          exemptions: ['apply-restricted', 'drift-not-undone', 'rendered-on-cluster'],
        }),
        says(inApps('HelmRelease', 'hr-fix'), {
          verdict: 'converged',
          drift: 'none',
          exemptions: ['apply-restricted', 'rendered-on-cluster'],
        }),
      ],
    },
    {
      name: 'a HelmRelease that a Kustomization delivers: its commit is that of the Kustomization',
      needs: ['helm-controller'],
      within: 120_000,
      checks: [
        says(inApps('HelmRelease', 'hr-delivered'), {
          verdict: 'converged',
          drift: 'none',
          commit: 'first quiet',
          deliveredBy: 'Kustomization/releases',
        }),
      ],
    },
    {
      name: 'a HelmRelease whose installation fails',
      needs: ['helm-controller'],
      within: 120_000,
      checks: [
        says(inApps('HelmRelease', 'hr-fails'), { verdict: 'diverged', reason: 'InstallFailed', rootCause: null }),
      ],
    },
    {
      name: 'releases of a chart repository: one version, and a range of versions',
      needs: ['helm-controller'],
      within: 120_000,
      checks: [
        says(sourceOf('alpha', 'HelmRepository', 'charts'), { verdict: 'converged', confirmation: 'controller' }),
        says(inApps('HelmRelease', 'hr-exact'), { verdict: 'converged', drift: 'not-measured' }),
        says(inApps('HelmRelease', 'hr-range'), { verdict: 'converged', drift: 'not-measured' }),
      ],
    },
    {
      name: 'a managed resource that is ready, of a provider run by hand: nothing proves that it lives',
      needs: ['provider-nop'],
      within: 120_000,
      checks: [
        says(inApps('NopResource', 'mr-good'), {
          verdict: 'unconfirmed',
          confirmation: 'none',
          rootCause: null,
          guarantee: 'unknown',
        }),
      ],
    },
    {
      name: 'managementPolicies [Observe] where the feature is off',
      needs: ['provider-nop'],
      within: 120_000,
      checks: [
        says(inApps('NopResource', 'mr-denied'), {
          verdict: 'diverged',
          reason: 'ReconcileError',
          drift: 'not-measured',
          exemptions: ['observe-only'],
          mentions: 'managementPolicies',
        }),
      ],
    },
    {
      name: 'a kind that the cluster does not serve, and one that it serves without any object',
      within: 60_000,
      checks: [feedIs('alpha', 'Terraform', 'absent'), feedIs('alpha', 'Bucket', 'live')],
    },
  ],
};
