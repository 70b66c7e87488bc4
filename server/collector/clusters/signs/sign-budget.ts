import { countOf, formatCount } from '#lib/format/number.ts';
import type { FeedState } from '../cluster-event.ts';

/**
 * Bounds what the namespaces of one cluster list together, of one kind; starts with nothing listed. `one` is the noun of what is listed, `most` the bound of
 * all lists together. Those of `usual` namespaces are bounded by themselves: whoever may write in another must not leave them no room.
 */
export function createSignBudget(one: string, most: number, usual: readonly string[]) {
  const listed = new Map<string, number>();
  return {
    /** Other namespaces than these are listed no more. */
    keep(namespaces: readonly string[]): void {
      const kept = new Set(namespaces);
      for (const namespace of listed.keys()) if (!kept.has(namespace)) listed.delete(namespace);
    },
    /** Takes note of a list of `count`; gives the feed that stands for it where that is too much beside the others, else null. */
    refuse(namespace: string, count: number): FeedState | null {
      listed.delete(namespace);
      const isUsual = usual.includes(namespace);
      const beside = [...listed].filter(([other]) => !isUsual || usual.includes(other));
      const together = beside.reduce((sum, [, each]) => sum + each, count);
      if (together <= most) {
        listed.set(namespace, count);
        return null;
      }
      const message = `the namespaces of its controllers list ${countOf(together, one)} together; at most ${formatCount(most)} are read`;
      return { state: 'failed', fault: { type: 'protocol', message } };
    },
  };
}
