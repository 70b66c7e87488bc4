import type { Seen } from './fleet-kinds.ts';

/** Objects of a reconciler, one of each kind ("group/Kind") on each cluster. */
export function seenOn(clusters: readonly string[], reconciler: string, ...kinds: readonly string[]): readonly Seen[] {
  return clusters.flatMap((cluster) =>
    kinds.map((text): Seen => {
      const cut = text.lastIndexOf('/');
      const ref = {
        cluster,
        group: text.slice(0, cut),
        kind: text.slice(cut + 1),
        namespace: 'apps',
        name: 'checkout',
      };
      return { ref, reconciler, role: 'applier' };
    }),
  );
}

const two = ['eu-west-3', 'us-east-2'];

/** Objects of fleets that differ in what they are run by. */
export const fleets = {
  flux: [
    ...seenOn(two, 'flux', 'kustomize.toolkit.fluxcd.io/Kustomization', 'source.toolkit.fluxcd.io/GitRepository'),
    ...seenOn(['eu-west-3'], 'helm', 'helm.toolkit.fluxcd.io/HelmRelease'),
  ],
  crossplane: [
    ...seenOn(['eu-west-3'], 'crossplane', 's3.aws.m.upbound.io/Bucket', 'platform.example.org/XDatabase'),
    ...seenOn(['eu-west-3'], 'crossplane', 'pkg.crossplane.io/Provider', 'pkg.crossplane.io/ProviderRevision'),
    ...seenOn(['eu-west-3'], 'crossplane', 'apiextensions.crossplane.io/CompositeResourceDefinition'),
  ],
  neighbours: [
    ...seenOn(two, 'argocd', 'argoproj.io/Application'),
    ...seenOn(two, 'terraform', 'infra.contrib.fluxcd.io/Terraform'),
    ...seenOn(two, 'pulumi', 'pulumi.com/Stack'),
  ],
} as const;
