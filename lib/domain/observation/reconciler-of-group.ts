import type { Reconciler } from './observation.ts';

/** API groups whose kinds are all of one reconciler, as `server/collector/reconcilers` has them. One that is missing may be anybody's. */
const groups: ReadonlyMap<string, Reconciler> = new Map([
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
  ['apiextensions.crossplane.io', 'crossplane'],
]);

/** The reconciler that every object of an API group has; null where the group alone does not tell, as of composite resources. */
export function reconcilerOfGroup(group: string): Reconciler | null {
  return groups.get(group) ?? (/\.(?:crossplane|upbound)\.io$/.test(group) ? 'crossplane' : null);
}
