/** More namespaces than are read at once are those of before. */
const mostNamespaces = 128;
/** So many leases, or Deployments, are known of a cluster: more than it may list at once. */
const mostKnown = 5_000;

/** A namespace with when it was listed last (ms), and how much it listed. */
export interface Listed {
  readonly namespace: string;
  readonly at: number;
  readonly count: number;
}

/**
 * The namespaces that are to be forgotten where too many are known, or too much of them: those that were listed longest ago, so none that is
 * read. A cluster may carry the label of controllers in other namespaces each time.
 */
export function namespacesToForget(all: readonly Listed[]): readonly string[] {
  const known = all.reduce((sum, { count }) => sum + count, 0);
  if (all.length <= mostNamespaces && known <= mostKnown) return [];
  let [namespaces, left] = [all.length, known];
  const forgotten: string[] = [];
  const oldestFirst = all.toSorted((a, b) => a.at - b.at);
  // The one that was listed just now stays, whatever it lists.
  for (const { namespace, count } of oldestFirst.slice(0, -1)) {
    if (namespaces <= mostNamespaces && left <= mostKnown) break;
    forgotten.push(namespace);
    namespaces -= 1;
    left -= count;
  }
  return forgotten;
}
