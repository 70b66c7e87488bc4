import { describe, expect, it } from 'vitest';
import { deploymentOfPod, leaseNameOf, ownerOfLease, selectorHash } from './controller-instances.ts';

describe('whose lease it is', () => {
  it.each([
    ['kustomize-controller-leader-election', 'kustomize-controller', null, false],
    ['kustomize-controller-leader-election-73fdc1be', 'kustomize-controller', '73fdc1be', false],
    ['source-watcher-leader-election', 'source-watcher', null, false],
    ['crossplane-leader-election-core', 'crossplane', null, false],
    ['crossplane-leader-election-rbac', 'crossplane-rbac-manager', null, false],
    ['crossplane-leader-election-provider-aws-s3', 'provider-aws-s3', null, true],
    ['1953de50.contrib.fluxcd.io', 'tofu-controller', null, false],
  ])('%s', (lease, controller, hash, isProvider) => {
    expect(ownerOfLease(lease)).toEqual({ controller, hash, isProvider });
  });

  it('is nobody of whom we know where its name tells of none', () => {
    expect(ownerOfLease('kube-scheduler')).toBeNull();
  });
});

describe('which lease a controller holds', () => {
  it.each([
    ['kustomize-controller', '', 'kustomize-controller-leader-election'],
    ['kustomize-controller', 'sharding.fluxcd.io/key=shard1', 'kustomize-controller-leader-election-73fdc1be'],
    ['notification-controller', '', 'notification-controller-leader-election'],
    ['crossplane', '', 'crossplane-leader-election-core'],
    ['argocd-application-controller', '', 'argocd-app-controller-shard-cm'],
  ])('%s with the selector "%s"', (controller, selector, lease) => {
    expect(leaseNameOf(controller, selector)).toBe(lease);
  });

  it('hashes as fluxcd/pkg runtime/leaderelection does (its own test vectors)', () => {
    expect([selectorHash('bar'), selectorHash('barbaz')]).toEqual(['fcde2b2e', 'c8f8b724']);
  });
});

it.each([
  ['kustomize-controller-6f5b7c9d4-x2x9z', 'kustomize-controller'],
  ['kustomize-controller-shard1-6f5b7c9d4-x2x9z', 'kustomize-controller-shard1'],
  ['a-laptop', null],
])('the Deployment behind pod %s', (pod, deployment) => expect(deploymentOfPod(pod)).toBe(deployment));
