import type { GroupKind } from './cluster-event.ts';

function kindsOf(group: string, ...kinds: readonly string[]): GroupKind[] {
  return kinds.map((kind) => ({ group, kind }));
}

/** The kinds that are watched by name on every cluster that serves them; never by version. */
export const namedKinds: readonly GroupKind[] = [
  ...kindsOf('kustomize.toolkit.fluxcd.io', 'Kustomization'),
  ...kindsOf('helm.toolkit.fluxcd.io', 'HelmRelease'),
  ...kindsOf(
    'source.toolkit.fluxcd.io',
    'GitRepository',
    'OCIRepository',
    'Bucket',
    'HelmRepository',
    'HelmChart',
    'ExternalArtifact',
  ),
  ...kindsOf('source.extensions.fluxcd.io', 'ArtifactGenerator'),
  ...kindsOf('infra.contrib.fluxcd.io', 'Terraform'),
  ...kindsOf('argoproj.io', 'Application'),
  ...kindsOf(
    'pkg.crossplane.io',
    'Provider',
    'Configuration',
    'Function',
    'ProviderRevision',
    'ConfigurationRevision',
    'FunctionRevision',
  ),
  ...kindsOf('apiextensions.crossplane.io', 'CompositeResourceDefinition'),
];

const wantedCategories = new Set(['managed', 'composite', 'claim']);

/** Whether a kind is watched for its category (Crossplane's managed resources, composites and claims). */
export function isWantedByCategory(categories: readonly string[]): boolean {
  return categories.some((category) => wantedCategories.has(category));
}

const named = new Set(namedKinds.map(groupKindKey));

/** Whether a kind is watched by name, with or without objects. */
export function isNamedKind(kind: GroupKind): boolean {
  return named.has(groupKindKey(kind));
}

/** A map key for a kind: group/kind. */
export function groupKindKey({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}
