import type { Clock } from '#server/runtime/clock.ts';
import { listAt, timeAt } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import type { ClusterEvent, FeedState } from '../cluster-event.ts';
import type { SignAnswer, SignDeps } from './sign-reader.ts';

/** Namespaces to look at, beside those that are looked at anyway. */
interface Chosen {
  readonly namespaces: readonly string[];
  /** Number of those that there are beyond them. */
  readonly left: number;
  /** True if a usual one carries the label, too. */
  readonly hasUsual: boolean;
}

/** Parts of a search. `usual`: namespaces that are looked at anyway; `most`: number of others; `what` carries the label. */
export interface SearchOf {
  readonly of: Extract<ClusterEvent, { readonly type: 'searched' }>['of'];
  readonly what: string;
  readonly usual: readonly string[];
  readonly most: number;
}

/**
 * Chooses the namespaces in which controllers are looked for, and says where there are more. Those in which one was found come first, then those that
 * carry the label for longest: whoever labels more of them than are looked at must not have a controller looked for no longer. Starts with none.
 */
export function createNamespaceChoice({ of, what, usual, most }: SearchOf, clock: Clock, on: SignDeps['on']) {
  const holding = new Set<string>();
  let chosen: Chosen = { namespaces: [], left: 0, hasUsual: false };
  let beyond: FeedState | null = null;

  return {
    chosen: (): Chosen => chosen,
    /** The feed that stands for what is not looked at; null where all is. */
    beyond: (): FeedState | null => beyond,
    /** A controller was found in a namespace that is looked at: it comes first while it carries the label. */
    found: (namespace: string): void => void holding.add(namespace),
    /** Takes the lists of all that carries the label. What could not be asked leaves all as it was; the other lists tell of that. */
    take(answers: readonly SignAnswer[]): void {
      const isRead = answers.every(({ body }) => body !== null);
      const tooLong = answers.find(({ feed }) => feed.state === 'failed' && feed.fault.type === 'protocol');
      if (!isRead && tooLong === undefined) return;
      if (isRead) chosen = choose(answers.flatMap(({ body }) => listAt(body, 'items')));
      beyond = isRead ? tooMany(chosen) : (tooLong?.feed ?? null);
      on({ type: 'searched', at: clock.now(), of, isWhole: beyond === null });
    },
  };

  function choose(labelled: readonly unknown[]): Chosen {
    const since = new Map<string, number>();
    let hasUsual = false;
    for (const one of labelled) {
      const namespace = nameAt(one, 'metadata', 'namespace');
      if (namespace === null) continue;
      if (usual.includes(namespace)) hasUsual = true;
      else {
        const at = timeAt(one, 'metadata', 'creationTimestamp') ?? Infinity;
        since.set(namespace, Math.min(at, since.get(namespace) ?? Infinity));
      }
    }
    const rank = (namespace: string): number => Number(!holding.has(namespace));
    const ranked = [...since].toSorted(
      ([one, from], [other, than]) => rank(one) - rank(other) || (from < than ? -1 : Number(from > than)),
    );
    const namespaces = ranked.slice(0, most).map(([namespace]) => namespace);
    for (const one of holding) if (!namespaces.includes(one)) holding.delete(one);
    return { namespaces, left: ranked.length - namespaces.length, hasUsual };
  }

  function tooMany({ namespaces, left }: Chosen): FeedState | null {
    if (left === 0) return null;
    const labelled = countOf(namespaces.length + left, 'namespace');
    const message = `${labelled} carry the label of ${what} beside the usual ones; at most ${formatCount(most)} are looked at`;
    return { state: 'failed', fault: { type: 'protocol', message } };
  }
}
