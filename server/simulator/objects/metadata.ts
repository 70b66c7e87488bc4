import { apiVersion } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject } from '../api/kube-object.ts';
import type { Random } from '../random.ts';

/** A version 4 UUID of a seeded sequence. */
export function uuid(random: Random): string {
  const hex = random.hex(30);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
}

/** Names of an object, and the Kustomization that delivers it, where one does. */
export interface Names {
  readonly name: string;
  readonly namespace?: string;
  readonly deliveredBy?: string | null;
}

/** An object that Flux applied at `createdAt` (ms), but for spec and status: owner labels of the Kustomization that delivers it. */
export function appliedObject(
  kind: ServedKind,
  { name, namespace = '', deliveredBy = null }: Names,
  createdAt: number,
  random: Random,
  ...finalizers: string[]
): KubeObject {
  const metadata: KubeObject['metadata'] = {
    name,
    uid: uuid(random),
    generation: 1,
    creationTimestamp: kubeTime(createdAt),
  };
  if (namespace !== '') metadata.namespace = namespace;
  if (finalizers.length > 0) metadata.finalizers = finalizers;
  if (deliveredBy !== null) {
    metadata.labels = {
      'kustomize.toolkit.fluxcd.io/name': deliveredBy,
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    };
  }
  return { apiVersion: apiVersion(kind), kind: kind.kind, metadata };
}

/** A namespace. */
export function createNamespace(name: string, createdAt: number, random: Random): KubeObject {
  const metadata = { name, uid: uuid(random), creationTimestamp: kubeTime(createdAt) };
  return { apiVersion: 'v1', kind: 'Namespace', metadata };
}

/** A `sha256:` digest of a seeded sequence. */
export function digest(random: Random): string {
  return `sha256:${random.hex(64)}`;
}

/** ms as Go's time.Duration writes it: 119.979737ms, 30.138s. */
export function goDuration(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(6)}ms` : `${(ms / 1000).toFixed(9)}s`;
}

/** Seconds as an interval in a spec: 30s, 1m0s, 1h0m0s. */
export function specDuration(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${seconds % 60}s`;
  return `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds % 60}s`;
}
