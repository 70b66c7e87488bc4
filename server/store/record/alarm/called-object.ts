import { holdsNamespace } from '#lib/domain/access/scope.ts';
import { grantedWithin, type Within } from '#lib/domain/access/within.ts';
import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { wantedOf } from '#lib/domain/pager/given.ts';
import { kindWords } from '#lib/domain/pager/kind-name.ts';
import type { RecordScope } from '../../port/record-scope.ts';

/** Object that the labels of a call name, by kind and name at least; null for a part that they do not name. */
export interface CalledObject {
  /** As the source attributes the call. */
  readonly cluster: string | null;
  readonly group: string | null;
  /** In lower case, perhaps in the plural. */
  readonly kind: string;
  readonly namespace: string | null;
  readonly name: string;
}

/** The object that a call names; null where its labels name none. */
export function calledObject({ cluster, labels }: Pick<AlarmCall, 'cluster' | 'labels'>): CalledObject | null {
  const given = Object.entries(labels).map(([name, value]) => ({ name, value }));
  const { kind, name, namespace, group } = wantedOf(given.filter(({ value }) => value.trim() !== ''));
  if (kind === null || name === null) return null;
  const word = kind.value.toLowerCase();
  const cut = word.indexOf('.');
  const ofKind = cut === -1 ? null : word.slice(cut + 1);
  // Rules have groups of their own: only kube-state-metrics says that its is one of the API.
  const certain = group?.label === 'customresource_group' ? group.value : null;
  return {
    cluster,
    group: certain ?? ofKind,
    kind: cut === -1 ? word : word.slice(0, cut),
    namespace: namespace?.value ?? null,
    name: name.value,
  };
}

/** True if a call names an object on the cluster to which it is attributed. */
export function isCalled(called: CalledObject | null, ref: ObjectRef): boolean {
  const { cluster, namespace, name, ...kind } = ref;
  return called?.cluster === cluster && isNamed(called, { kind, namespace, name });
}

/** True if a call is in a scope: one of these clusters, and an object of these words where the scope has any. */
export function includesCall(scope: RecordScope, call: Pick<AlarmCall, 'cluster' | 'labels'>): boolean {
  const { clusters, kind, namespace, name } = scope;
  if (clusters !== null && (call.cluster === null || !clusters.includes(call.cluster))) return false;
  if (scope.within !== undefined && !isCallWithin(scope.within, call)) return false;
  if (kind === undefined && namespace === undefined && name === undefined) return true;
  const called = calledObject(call);
  return called !== null && isNamed(called, scope);
}

/** True if all of the cluster of a call may be seen, or the namespace that it names: one that names none is for what has none. */
export function isCallWithin(within: Within, call: Pick<AlarmCall, 'cluster' | 'labels'>): boolean {
  const granted = call.cluster === null ? 'none' : grantedWithin(within, call.cluster);
  if (granted === 'all' || granted === 'none') return granted === 'all';
  const called = calledObject(call);
  return called !== null && holdsNamespace(granted, called.namespace ?? '');
}

/** A namespace that is named of what has none is that of the exporter. */
function isNamed(called: CalledObject, { kind, namespace, name }: Omit<RecordScope, 'clusters' | 'within'>): boolean {
  if (kind !== undefined && !kindWords(kind.kind).includes(called.kind)) return false;
  if (kind !== undefined && called.group !== null && called.group !== kind.group) return false;
  if (name !== undefined && called.name !== name) return false;
  return !namespace || called.namespace === null || called.namespace === namespace;
}
