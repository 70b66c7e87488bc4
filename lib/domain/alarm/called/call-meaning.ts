import type { ObjectRef } from '../../observation/ref.ts';
import type { AlarmCall } from '../call.ts';
import { meansOf, namedBy, type NamedByLabels } from '../named.ts';

/** For what a call was made, as its labels tell. */
export type CallMeaning =
  /** No object of a reconciler. */
  | { readonly type: 'none' }
  /** Perhaps any object of the cluster that it names, or of all that its source speaks for (null). */
  | { readonly type: 'cluster'; readonly cluster: string | null }
  /** One object, or several that it does not tell apart. */
  | { readonly type: 'objects'; readonly cluster: string; readonly named: NamedByLabels };

const none: CallMeaning = { type: 'none' };

/**
 * Reads for what a call was made, by the rule of the chain (`meansOf`). Of a rule of which it is not known whether it reads objects, a call may be for
 * one if its labels name a kind.
 */
export function meaningOf({
  cluster,
  labels,
  readsObjects,
}: Pick<AlarmCall, 'cluster' | 'labels' | 'readsObjects'>): CallMeaning {
  const given = Object.fromEntries(Object.entries(labels).filter(([, value]) => value.trim() !== ''));
  const named = { ...namedBy(given, unattributed), cluster };
  const { kind, name, namespace, group } = named;
  const names = kind !== null && name !== null;
  if (!names && !(readsObjects ?? kind !== null)) return none;
  // A name without a kind may be that of what many wait for.
  if (cluster === null || (kind === null && name !== null)) return { type: 'cluster', cluster };
  const namesNothing = kind === null && namespace === null && group === null;
  return namesNothing ? { type: 'cluster', cluster } : { type: 'objects', cluster, named };
}

const unattributed = { label: '', aliases: {}, clusters: [] };

/** Tests an object of the same cluster: `called`, the labels name it; `perhaps`, they may mean it and others; null, another. */
export function meansObject({ kind, name, ...named }: NamedByLabels, ref: ObjectRef): 'called' | 'perhaps' | null {
  const means = meansOf({ kind, name, ...named }, ref);
  if (means === null) return null;
  return means === 'own' && kind !== null && name !== null ? 'called' : 'perhaps';
}
