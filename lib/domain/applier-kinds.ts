/** The kinds whose objects apply something from git, by API group: the appliers of `server/collector/reconcilers`. */
const kinds: readonly (readonly [group: string, kind: string])[] = [
  ['kustomize.toolkit.fluxcd.io', 'Kustomization'],
  ['helm.toolkit.fluxcd.io', 'HelmRelease'],
  ['argoproj.io', 'Application'],
  ['infra.contrib.fluxcd.io', 'Terraform'],
  ['pulumi.com', 'Stack'],
];

/** Tells whether objects of a kind are applications: those of one kind and name are one application, on whichever clusters. */
export function isApplierKind(of: { readonly group: string; readonly kind: string }): boolean {
  return kinds.some(([group, kind]) => group === of.group && kind === of.kind);
}
