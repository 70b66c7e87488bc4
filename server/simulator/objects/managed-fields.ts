import { isForeignObject } from '#lib/foreign.ts';
import { kubeTime } from '../api/kube-object.ts';
import type { KubeObject, ManagedFieldsEntry } from '../api/kube-object.ts';

type FieldsV1 = { [key: string]: FieldsV1 };

/** fieldsV1 of a value: a key per field; lists count as one, as they do in most CRDs. */
function fieldsOf(value: unknown): FieldsV1 {
  if (!isForeignObject(value)) return {};
  const fields: FieldsV1 = {};
  for (const [key, child] of Object.entries(value)) if (child !== undefined) fields[`f:${key}`] = fieldsOf(child);
  return fields;
}

/** Who writes which part of an object, and when (ms since the epoch). */
export interface Managers {
  /** Writes labels, annotations and spec by server-side apply; kustomize-controller where none is named. */
  readonly owner?: string;
  /** When it did; the object's creation where that is not told. */
  readonly ownerAt?: number;
  /** Writes finalizers and status, e.g. gotk-kustomize-controller. */
  readonly controller: string;
  readonly statusAt: number | null;
  /** Somebody who changed the spec by hand since, and what. */
  readonly hand?: { readonly manager: string; readonly at: number; readonly spec: object } | undefined;
}

function entryOf({ apiVersion }: KubeObject, manager: string, time: string, fieldsV1: object): ManagedFieldsEntry {
  return { manager, operation: 'Update', apiVersion, time, fieldsType: 'FieldsV1', fieldsV1 };
}

/** Writes metadata.managedFields of an object as the API server would have kept it. */
export function setManagedFields(
  object: KubeObject & { readonly spec?: object; readonly status?: object },
  { owner = 'kustomize-controller', ownerAt, controller, statusAt, hand }: Managers,
): void {
  const { metadata } = object;
  const { labels, annotations, ownerReferences, finalizers, creationTimestamp } = metadata;
  const applied = ownerAt === undefined ? creationTimestamp : kubeTime(ownerAt);
  const own = [owner, controller, hand?.manager];
  const described = { labels, annotations, ownerReferences };
  const declared = { 'f:metadata': fieldsOf(described), 'f:spec': fieldsOf(object.spec) };
  const entries: ManagedFieldsEntry[] = [{ ...entryOf(object, owner, applied, declared), operation: 'Apply' }];
  if (hand) entries.push(entryOf(object, hand.manager, kubeTime(hand.at), { 'f:spec': fieldsOf(hand.spec) }));
  if (finalizers) {
    const named = Object.fromEntries(finalizers.map((name) => [`v:"${name}"`, {}]));
    entries.push(entryOf(object, controller, applied, { 'f:metadata': { 'f:finalizers': { '.': {}, ...named } } }));
  }
  if (statusAt !== null) {
    const written = entryOf(object, controller, kubeTime(statusAt), { 'f:status': fieldsOf(object.status) });
    entries.push({ ...written, subresource: 'status' });
  }
  // Fields of the metadata alone that somebody's tool owns stay when a controller writes.
  const kept = (metadata.managedFields ?? []).filter(
    ({ manager, fieldsV1 }) => !own.includes(manager) && Object.keys(fieldsV1).join('') === 'f:metadata',
  );
  metadata.managedFields = [...entries, ...kept];
}

/** Somebody annotates an object by hand, at `at` (ms). */
export function annotateByHand(object: KubeObject, manager: string, key: string, value: string, at: number): void {
  const { metadata } = object;
  metadata.annotations = { ...metadata.annotations, [key]: value };
  const fields = { 'f:metadata': { 'f:annotations': { '.': {}, [`f:${key}`]: {} } } };
  metadata.managedFields = [...(metadata.managedFields ?? []), entryOf(object, manager, kubeTime(at), fields)];
}

/** Takes back what was annotated by hand. */
export function clearByHand(object: KubeObject, manager: string, key: string): void {
  const { metadata } = object;
  const { [key]: _taken, ...rest } = metadata.annotations ?? {};
  metadata.annotations = rest;
  metadata.managedFields = (metadata.managedFields ?? []).filter((entry) => entry.manager !== manager);
}
