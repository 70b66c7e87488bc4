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
  /** Writes labels, annotations and spec, e.g. kustomize-controller by server-side apply. */
  readonly owner: string;
  readonly ownerAt: number;
  /** Writes finalizers and status, e.g. gotk-kustomize-controller. */
  readonly controller: string;
  readonly statusAt: number | null;
  /** Somebody who changed the spec by hand since, and what. */
  readonly hand?: { readonly manager: string; readonly at: number; readonly spec: object };
}

/** Fields of the metadata alone that somebody's tool owns: they stay when a controller writes. */
function handsOnMetadata(entries: readonly ManagedFieldsEntry[], managers: Managers): ManagedFieldsEntry[] {
  const own = [managers.owner, managers.controller, managers.hand?.manager];
  return entries.filter(
    ({ manager, fieldsV1 }) => !own.includes(manager) && Object.keys(fieldsV1).join('') === 'f:metadata',
  );
}

/** Writes metadata.managedFields of an object as the API server would have kept it. */
export function setManagedFields(object: KubeObject & { spec?: object; status?: object }, managers: Managers): void {
  const { metadata } = object;
  const common = { apiVersion: object.apiVersion, fieldsType: 'FieldsV1' } as const;
  const described = {
    labels: metadata.labels,
    annotations: metadata.annotations,
    ownerReferences: metadata.ownerReferences,
  };
  const entries: ManagedFieldsEntry[] = [
    {
      ...common,
      manager: managers.owner,
      operation: managers.owner.startsWith('kubectl') ? 'Update' : 'Apply',
      time: kubeTime(managers.ownerAt),
      fieldsV1: { 'f:metadata': fieldsOf(described), 'f:spec': fieldsOf(object.spec) },
    },
  ];
  if (managers.hand) {
    const { manager, at, spec } = managers.hand;
    entries.push({
      ...common,
      manager,
      operation: 'Update',
      time: kubeTime(at),
      fieldsV1: { 'f:spec': fieldsOf(spec) },
    });
  }
  if (metadata.finalizers) {
    const finalizers = Object.fromEntries(metadata.finalizers.map((name) => [`v:"${name}"`, {}]));
    entries.push({
      ...common,
      manager: managers.controller,
      operation: 'Update',
      time: kubeTime(managers.ownerAt),
      fieldsV1: { 'f:metadata': { 'f:finalizers': { '.': {}, ...finalizers } } },
    });
  }
  if (managers.statusAt !== null) {
    entries.push({
      ...common,
      manager: managers.controller,
      operation: 'Update',
      subresource: 'status',
      time: kubeTime(managers.statusAt),
      fieldsV1: { 'f:status': fieldsOf(object.status) },
    });
  }
  metadata.managedFields = [...entries, ...handsOnMetadata(metadata.managedFields ?? [], managers)];
}

/** Somebody annotates an object by hand, at `at` (ms). */
export function annotateByHand(object: KubeObject, manager: string, key: string, value: string, at: number): void {
  const { metadata } = object;
  metadata.annotations = { ...metadata.annotations, [key]: value };
  const entry: ManagedFieldsEntry = {
    apiVersion: object.apiVersion,
    fieldsType: 'FieldsV1',
    manager,
    operation: 'Update',
    time: kubeTime(at),
    fieldsV1: { 'f:metadata': { 'f:annotations': { '.': {}, [`f:${key}`]: {} } } },
  };
  metadata.managedFields = [...(metadata.managedFields ?? []), entry];
}

/** Takes back what was annotated by hand. */
export function clearByHand(object: KubeObject, manager: string, key: string): void {
  const { metadata } = object;
  const { [key]: _taken, ...rest } = metadata.annotations ?? {};
  metadata.annotations = rest;
  metadata.managedFields = (metadata.managedFields ?? []).filter((entry) => entry.manager !== manager);
}
