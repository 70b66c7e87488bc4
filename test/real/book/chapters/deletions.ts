import { textAt } from '#lib/foreign.ts';
import { configMapFile, directory, kustomizationFile } from '../../fixtures/control-files.ts';
import { nobodysFinalizer } from '../../fixtures/fleet.ts';
import { gitRepository, kustomization } from '../../fixtures/manifests.ts';
import { applies, commits, inTurn, kustomizationAt, merges, removes } from '../deeds.ts';
import { began, condition, writeThat } from '../checks/began.ts';
import { isGone, says } from '../checks/says.ts';
import type { Chapter } from '../situation.ts';
import { kustomizationOf } from '../subjects.ts';

const place = 'clusters/production/pruned';
const pruned = kustomizationOf('alpha', 'pruned');

/** Nobody may delete the ConfigMap `sticky`: its prune fails. */
const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'sticky' },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['configmaps'] }],
    },
    validations: [{ expression: "oldObject.metadata.name != 'sticky'", message: 'sticky stays' }],
  },
};
const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'sticky' },
  spec: { policyName: 'sticky', validationActions: ['Deny'] },
};

/** Objects that are to go and do not. */
export const deletions: Chapter = {
  name: 'deletions',
  title: 'Deletions and prunes',
  situations: [
    {
      name: 'a Kustomization that prunes',
      within: 90_000,
      act: inTurn(
        commits('pruned', 'with sticky', 'Bring up what will be pruned', {
          ...directory('pruned'),
          [`${place}/kustomization.yaml`]: kustomizationFile('configmap.yaml', 'sticky.yaml'),
          [`${place}/sticky.yaml`]: configMapFile('sticky', 'first'),
        }),
        async (stage) => stage.bed.alpha.admin.apply(gitRepository('pruned', stage.bed.gitUrl('pruned'))),
        applies('alpha', kustomization('pruned', 'pruned'), policy, binding),
      ),
      checks: [says(pruned, { verdict: 'converged', commit: 'with sticky', exemptions: ['health-not-checked'] })],
    },
    {
      name: 'git removes an object that the cluster does not let go: the prune fails',
      within: 90_000,
      act: commits('pruned', 'without sticky', 'Remove sticky', {
        [`${place}/kustomization.yaml`]: kustomizationFile('configmap.yaml'),
        [`${place}/sticky.yaml`]: null,
      }),
      checks: [
        says(pruned, {
          verdict: 'diverged',
          reason: 'PruneFailed',
          attempted: 'without sticky',
          commit: 'without sticky',
          rootCause: null,
          mentions: 'sticky',
          away: true,
        }),
        began(pruned, condition('Ready', 'False PruneFailed')),
      ],
    },
    {
      name: 'the cluster lets it go',
      within: 90_000,
      act: inTurn(removes('alpha', { ...binding, name: 'sticky' }), removes('alpha', { ...policy, name: 'sticky' })),
      checks: [says(pruned, { verdict: 'converged', commit: 'without sticky', rootCause: null })],
    },
    {
      name: 'a Kustomization is deleted, and a finalizer holds it',
      within: 60_000,
      act: inTurn(
        merges('alpha', kustomizationAt('pruned'), { metadata: { finalizers: [nobodysFinalizer] } }),
        removes('alpha', kustomizationAt('pruned')),
      ),
      checks: [
        says(pruned, { verdict: 'progressing', reason: 'Terminating', rootCause: null }),
        began(
          pruned,
          writeThat(
            'carries a deletionTimestamp',
            (object) => textAt(object, 'metadata', 'deletionTimestamp') !== null,
          ),
        ),
      ],
      never: [{ subject: pruned, verdicts: ['diverged', 'stale', 'unobserved'] }],
    },
    {
      name: 'the finalizer is taken away',
      within: 30_000,
      act: merges('alpha', kustomizationAt('pruned'), { metadata: { finalizers: null } }),
      checks: [isGone(pruned)],
    },
  ],
};
