/** metadata.managedFields, one entry. */
export interface ManagedFieldsEntry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time: string;
  readonly fieldsType: 'FieldsV1';
  readonly fieldsV1: object;
  readonly subresource?: string;
}

/** metadata of an object. `resourceVersion` is written by the store. Times are RFC 3339. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  ownerReferences?: object[];
  managedFields?: ManagedFieldsEntry[];
}

/** Any Kubernetes object. What else it has than metadata is its maker's affair. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  metadata: ObjectMeta;
}

/** `namespace/name`, or `/name` for cluster-scoped ones; sorts as the API server lists. */
export type ObjectKey = string;

/** The key of an object within its kind. */
export function objectKey(namespace: string, name: string): ObjectKey {
  return `${namespace}/${name}`;
}

/** ms since the epoch as metav1.Time writes it: whole seconds, UTC. */
export function kubeTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** ms since the epoch as metav1.MicroTime writes it. */
export function kubeMicroTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '000Z');
}
