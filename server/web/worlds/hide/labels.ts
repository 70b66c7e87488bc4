import type { Labels } from '#lib/domain/alarm/fact.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { calledObject, isCallWithin } from '#server/store/record/alarm/called-object.ts';
import type { Sight } from '../sight.ts';

/** Labels that say what an alert is, and name no object. */
const namesNothing: ReadonlySet<string> = new Set(['alertname', 'severity']);

/** Labels of an alert for an object: of those that it has only what is the object's own, or names nothing. */
export function labelsOf({ cluster, group, kind, namespace, name }: ObjectRef, labels: Labels): Labels {
  const own: ReadonlySet<string> = new Set([cluster, group, kind, namespace, name]);
  return Object.fromEntries(
    Object.entries(labels).filter(([label, value]) => namesNothing.has(label) || own.has(value)),
  );
}

/** Labels of an alert or a call that is attributed to a cluster, as a sight tells them; null where it speaks of nothing that is seen. */
export function labelsWithin(
  { cluster, labels }: { readonly cluster: string | null; readonly labels: Labels },
  { within, granted }: Sight,
): Labels | null {
  if (cluster === null || granted(cluster) === 'none') return null;
  if (granted(cluster) === 'all') return labels;
  const named = isCallWithin(within, { cluster, labels }) ? calledObject({ cluster, labels }) : null;
  if (named === null) return null;
  const { kind, name, namespace } = named;
  const own: ReadonlySet<string> = new Set([cluster, kind, name, namespace ?? '']);
  return Object.fromEntries(
    Object.entries(labels).filter(
      ([label, value]) => namesNothing.has(label) || own.has(value) || own.has(value.toLowerCase()),
    ),
  );
}
