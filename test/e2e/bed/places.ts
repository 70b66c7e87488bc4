import { objectPath } from '#lib/api/paths.ts';

/** Page of a Kustomization in flux-system. */
export function kustomizationPath(cluster: string, name: string): string {
  return objectPath({
    cluster,
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    namespace: 'flux-system',
    name,
  });
}

/** Faults that the bed shows: diverged by a failed build, and what waits for it. */
export const broken = { cluster: 'eu-west-3', name: 'checkout', path: kustomizationPath('eu-west-3', 'checkout') };
