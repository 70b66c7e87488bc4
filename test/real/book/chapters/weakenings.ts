import { gitRepository, helmRelease, kustomization, nopResource } from '../../fixtures/manifests.ts';
import { applies, byHand } from '../deeds.ts';
import { says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { gitRepositoryOf, inApps, kustomizationOf } from '../subjects.ts';

const path = './clusters/production/weak';
const weak = kustomizationOf('alpha', 'weak');
const chartSpec = {
  chart: './charts/demo',
  interval: '10s',
  sourceRef: { kind: 'GitRepository', name: 'quiet', namespace: 'flux-system' },
};

/** Exemptions that weaken the guarantee, while all of it is converged. */
export const weakenings: Chapter = {
  name: 'weakenings',
  title: 'What weakens the guarantee',
  situations: [
    {
      name: 'a Kustomization that checks what it applies and prunes: nothing weakens it',
      within: 60_000,
      act: applies('alpha', kustomization('strict', 'quiet', { path, wait: true })),
      checks: [says(kustomizationOf('alpha', 'strict'), { verdict: 'converged', exemptions: [], guarantee: 'holds' })],
    },
    {
      name: 'a Kustomization that is weakened in every way',
      within: 60_000,
      act: applies(
        'alpha',
        kustomization('weak', 'quiet', {
          path,
          prune: false,
          deletionPolicy: 'Orphan',
          force: true,
          timeout: '30s',
          ignore: [{ paths: ['/data/value'], target: { kind: 'ConfigMap' } }],
          postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'not-there', optional: true }] },
          patches: [{ patch: '[{"op": "add", "path": "/data/more", "value": "x"}]', target: { kind: 'ConfigMap' } }],
          namePrefix: 'weak-',
        }),
      ),
      checks: [
        says(weak, {
          verdict: 'converged',
          exemptions: [
            'deletion-orphans',
            'drift-ignored',
            'external-substitution',
            'health-not-checked',
            'optional-substitution',
            'overridden',
            'prune-disabled',
            'recreates',
            'timeout-exceeds-interval',
          ],
          setBy: ['prune-disabled', 'plumbline-bed'],
        }),
      ],
    },
    {
      name: 'somebody switches pruning off with kubectl',
      within: 60_000,
      act: byHand(
        'alpha',
        ...['-n', 'flux-system', 'patch', 'kustomization', 'strict', '--type=merge', '-p', '{"spec":{"prune":false}}'],
      ),
      checks: [
        says(kustomizationOf('alpha', 'strict'), {
          verdict: 'converged',
          exemptions: ['prune-disabled'],
          setBy: ['prune-disabled', 'kubectl-patch'],
        }),
      ],
    },
    {
      name: 'a source that follows a branch, and one that follows a range of tags that names none',
      within: 60_000,
      async act(stage) {
        const url = stage.bed.gitUrl('quiet');
        await stage.bed.alpha.admin.apply(gitRepository('by-range', url, { ref: { semver: '>=0.0.0' } }));
      },
      checks: [
        says(gitRepositoryOf('alpha', 'quiet'), { verdict: 'converged', exemptions: ['branch-reference'] }),
        says(gitRepositoryOf('alpha', 'by-range'), { verdict: 'diverged', exemptions: ['floating-reference'] }),
      ],
    },
    {
      name: 'a release that is weakened in every way',
      needs: ['helm-controller'],
      within: 90_000,
      act: applies(
        'alpha',
        helmRelease('hr-weak', {
          chart: { spec: { ...chartSpec, reconcileStrategy: 'ChartVersion' } },
          driftDetection: { mode: 'warn', ignore: [{ paths: ['/data/value'] }] },
          valuesFrom: [{ kind: 'ConfigMap', name: 'not-there', optional: true }],
          install: { remediation: { retries: -1 }, disableWait: true },
        }),
      ),
      checks: [
        says(inApps('HelmRelease', 'hr-weak'), {
          verdict: 'converged',
          drift: 'none',
          exemptions: [
            'apply-restricted',
            'drift-ignored',
            'drift-not-undone',
            'external-substitution',
            'health-not-checked',
            'optional-substitution',
            'rendered-on-cluster',
            'retries-forever',
          ],
        }),
      ],
    },
    {
      name: 'a managed resource that Crossplane may only look at and create',
      needs: ['provider-nop'],
      within: 60_000,
      act: applies(
        'alpha',
        nopResource('mr-restricted', [{ after: 1, status: 'True' }], { managementPolicies: ['Observe', 'Create'] }),
      ),
      checks: [
        says(inApps('NopResource', 'mr-restricted'), {
          verdict: 'diverged',
          reason: 'ReconcileError',
          exemptions: ['deletion-orphans', 'management-restricted'],
          setBy: ['management-restricted', 'plumbline-bed'],
        }),
      ],
    },
  ],
};
