import { timeAt } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { FeedState } from '../cluster-event.ts';

/** Namespaces to look at, beside those that are looked at anyway, and how many more there are. */
export interface ChosenNamespaces {
  readonly namespaces: readonly string[];
  readonly left: number;
}

/** None, as before anything was searched. */
export const noNamespaces: ChosenNamespaces = { namespaces: [], left: 0 };

/**
 * Chooses at most `most` namespaces beside the `usual` ones. Those in which a controller was found come first, then those that carry the label for
 * longest: whoever labels more of them than are looked at must not have a controller looked for no longer. Starts with none found.
 */
export function createNamespaceChoice(usual: readonly string[], most: number) {
  const holding = new Set<string>();
  return {
    /** A controller was found in a namespace that is looked at: it comes first while it carries the label. */
    found: (namespace: string): void => void holding.add(namespace),
    /** Chooses among the namespaces of all that carries the label. */
    choose(labelled: readonly unknown[]): ChosenNamespaces {
      const since = new Map<string, number>();
      for (const one of labelled) {
        const namespace = nameAt(one, 'metadata', 'namespace');
        if (namespace === null || usual.includes(namespace)) continue;
        const at = timeAt(one, 'metadata', 'creationTimestamp') ?? Infinity;
        since.set(namespace, Math.min(at, since.get(namespace) ?? Infinity));
      }
      const rank = (namespace: string): number => Number(!holding.has(namespace));
      const ranked = [...since].toSorted(
        ([one, from], [other, than]) => rank(one) - rank(other) || (from < than ? -1 : Number(from > than)),
      );
      const namespaces = ranked.slice(0, most).map(([namespace]) => namespace);
      for (const one of holding) if (!namespaces.includes(one)) holding.delete(one);
      return { namespaces, left: ranked.length - namespaces.length };
    },
  };
}

/** The feed that stands for namespaces that are not looked at; null where all are. */
export function beyondChoice({ namespaces, left }: ChosenNamespaces, what: string, most: number): FeedState | null {
  if (left === 0) return null;
  const labelled = countOf(namespaces.length + left, 'namespace');
  const message = `${labelled} carry the label of ${what} beside the usual ones; at most ${formatCount(most)} are looked at`;
  return { state: 'failed', fault: { type: 'protocol', message } };
}
