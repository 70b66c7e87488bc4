import { sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { nameAt } from '#lib/foreign-words.ts';

/** The group of an apiVersion: '' for "v1". */
export function groupOf(apiVersion: string | null): string {
  return apiVersion?.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/**
 * The objects that Flux's owner labels name: the Kustomization, then the HelmRelease, that are said to deliver the object. None where
 * it would deliver itself (the bootstrap Kustomization). A hook of Helm is no release's: it is made once and is in no inventory.
 */
export function ownersNamed(object: unknown, own: ObjectRef): readonly ObjectRef[] {
  const isHook = nameAt(object, 'metadata', 'annotations', 'helm.sh/hook') !== null;
  const found = [
    byLabels(object, own.cluster, 'kustomize.toolkit.fluxcd.io', 'Kustomization'),
    isHook ? null : byLabels(object, own.cluster, 'helm.toolkit.fluxcd.io', 'HelmRelease'),
  ].filter((ref) => ref !== null);
  const [first = null] = found;
  return sameRef(first, own) ? [] : found.filter((ref) => !sameRef(ref, own));
}

function byLabels(object: unknown, cluster: string, group: string, kind: string): ObjectRef | null {
  const name = nameAt(object, 'metadata', 'labels', `${group}/name`);
  if (name === null) return null;
  return { cluster, group, kind, namespace: nameAt(object, 'metadata', 'labels', `${group}/namespace`) ?? '', name };
}

/** The controller among an object's ownerReferences, said to be in `namespace`; null where there is none. */
export function controllerOf(owners: readonly unknown[], cluster: string, namespace: string): ObjectRef | null {
  const owner = owners.find(isController);
  const kind = nameAt(owner, 'kind');
  const name = nameAt(owner, 'name');
  if (kind === null || name === null) return null;
  return { cluster, group: groupOf(nameAt(owner, 'apiVersion')), kind, namespace, name };
}

/** The uid of that controller; null where there is none. */
export function controllerUidOf(owners: readonly unknown[]): string | null {
  return nameAt(owners.find(isController), 'uid') || null;
}

function isController(owner: unknown): boolean {
  const says = typeof owner === 'object' && owner !== null && 'controller' in owner && owner.controller === true;
  return says && nameAt(owner, 'kind') !== null && nameAt(owner, 'name') !== null;
}
