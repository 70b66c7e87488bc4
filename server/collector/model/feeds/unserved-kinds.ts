/** So many kinds that a cluster does not serve any more are remembered, those that it served last: it may serve others each time. */
export const unservedAtMost = 1_000;

/** Those of some kinds, in the order in which they came, that are to be forgotten: the first of what is not served where there is too much of it. */
export function surplusOf<Kind>(kinds: Iterable<Kind>, isServed: (kind: Kind) => boolean): readonly Kind[] {
  const gone = [...kinds].filter((kind) => !isServed(kind));
  return gone.slice(0, Math.max(0, gone.length - unservedAtMost));
}
