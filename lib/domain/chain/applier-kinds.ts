/** The kinds whose objects apply something from git, by API group: the appliers of `server/collector/reconcilers`. */
export const applierKinds: readonly { readonly group: string; readonly kind: string }[] = [
  { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' },
  { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease' },
  { group: 'argoproj.io', kind: 'Application' },
  { group: 'infra.contrib.fluxcd.io', kind: 'Terraform' },
  { group: 'pulumi.com', kind: 'Stack' },
];

/** Tells whether objects of a kind are applications: those of one kind and name are one application, on whichever clusters. */
export function isApplierKind(of: { readonly group: string; readonly kind: string }): boolean {
  return applierKinds.some(({ group, kind }) => group === of.group && kind === of.kind);
}
