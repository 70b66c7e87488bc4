import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { nameAt } from '#lib/foreign-words.ts';

/** The group of an apiVersion: '' for "v1". */
export function groupOf(apiVersion: string | null): string {
  return apiVersion?.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/**
 * The object that a Flux owner label names: the Kustomization, else the HelmRelease, that is said to deliver the object; null for
 * none, for an object that delivers itself (the bootstrap Kustomization), and for a hook of Helm, which is made once, is in no
 * inventory, and is nobody's after that.
 */
export function deliveredBy(object: unknown, own: ObjectRef): ObjectRef | null {
  const kustomization = byLabels(object, own.cluster, 'kustomize.toolkit.fluxcd.io', 'Kustomization');
  const isHook = nameAt(object, 'metadata', 'annotations', 'helm.sh/hook') !== null;
  const release = isHook ? null : byLabels(object, own.cluster, 'helm.toolkit.fluxcd.io', 'HelmRelease');
  const found = kustomization ?? release;
  if (
    found === null ||
    (found.group === own.group &&
      found.kind === own.kind &&
      found.namespace === own.namespace &&
      found.name === own.name)
  )
    return null;
  return found;
}

function byLabels(object: unknown, cluster: string, group: string, kind: string): ObjectRef | null {
  const name = nameAt(object, 'metadata', 'labels', `${group}/name`);
  if (name === null) return null;
  return { cluster, group, kind, namespace: nameAt(object, 'metadata', 'labels', `${group}/namespace`) ?? '', name };
}

/** The controller among an object's ownerReferences, said to be in `namespace`; null where there is none. */
export function controllerOf(owners: readonly unknown[], cluster: string, namespace: string): ObjectRef | null {
  for (const owner of owners) {
    const kind = nameAt(owner, 'kind');
    const name = nameAt(owner, 'name');
    if (kind === null || name === null || !isController(owner)) continue;
    return { cluster, group: groupOf(nameAt(owner, 'apiVersion')), kind, namespace, name };
  }
  return null;
}

function isController(owner: unknown): boolean {
  return typeof owner === 'object' && owner !== null && 'controller' in owner && owner.controller === true;
}
