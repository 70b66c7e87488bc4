import type { ForeignObject } from '#lib/foreign.ts';
import { listAt } from '#lib/foreign.ts';
import { countOf, formatCount } from '#lib/format/number.ts';

/** Where objects list others: inventories of Flux's kinds, and the resources of an Application. */
const lists = [
  ['status', 'inventory', 'entries'],
  ['status', 'inventory'],
  ['status', 'resources'],
] as const;

/** Why an object of a kind is not taken: it lists more than `most` others, each of which is looked at with every change. Null where it does not. */
export function whyTooLong(kind: string, object: ForeignObject, most: number): string | null {
  const listed = Math.max(...lists.map((path) => listAt(object, ...path).length));
  if (listed <= most) return null;
  return `one ${kind} lists ${countOf(listed, 'object')}; at most ${formatCount(most)} are read of one`;
}
