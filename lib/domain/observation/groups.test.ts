import { expect, it } from 'vitest';
import { applierKinds, isApplierKind } from '../chain/applier-kinds.ts';
import { reconcilerOfGroup } from './reconciler-of-group.ts';

it.each([
  ['kustomize.toolkit.fluxcd.io', 'flux'],
  ['source.toolkit.fluxcd.io', 'flux'],
  ['source.extensions.fluxcd.io', 'flux'],
  ['image.toolkit.fluxcd.io', 'flux'],
  ['notification.toolkit.fluxcd.io', 'flux'],
  ['fluxcd.controlplane.io', 'flux'],
  ['helm.toolkit.fluxcd.io', 'helm'],
  ['infra.contrib.fluxcd.io', 'terraform'],
  ['argoproj.io', 'argocd'],
  ['pulumi.com', 'pulumi'],
  ['pkg.crossplane.io', 'crossplane'],
  ['s3.aws.upbound.io', 'crossplane'],
  ['example.org', null],
])('objects of %s are of %s', (group, reconciler) => {
  expect(reconcilerOfGroup(group)).toBe(reconciler);
});

it('five kinds apply something from git', () => {
  expect(applierKinds.map(({ group, kind }) => `${kind}.${group}`)).toEqual([
    'Kustomization.kustomize.toolkit.fluxcd.io',
    'HelmRelease.helm.toolkit.fluxcd.io',
    'Application.argoproj.io',
    'Terraform.infra.contrib.fluxcd.io',
    'Stack.pulumi.com',
  ]);
  expect(isApplierKind({ group: 'argoproj.io', kind: 'Application' })).toBe(true);
  expect(isApplierKind({ group: 'argoproj.io', kind: 'Stack' })).toBe(false);
  expect(isApplierKind({ group: 'apps', kind: 'Application' })).toBe(false);
});
