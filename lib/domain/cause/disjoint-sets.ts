/** The numbers below some count in sets that have none in common: at first each is alone. */
export interface DisjointSets {
  /** The smallest number of the set of a number. */
  firstOf(number: number): number;
  /** Makes one set of those of two numbers. */
  join(one: number, other: number): void;
}

/** Makes them. Any number of questions takes nearly as long as there are: each way that was gone is halved. */
export function disjointSets(count: number): DisjointSets {
  const above = Uint32Array.from({ length: count }, (_, number) => number);

  function firstOf(number: number): number {
    let at = number;
    for (;;) {
      const next = above[at] ?? at;
      if (next === at) return at;
      above[at] = above[next] ?? next;
      at = next;
    }
  }

  return {
    firstOf,
    join(one, other) {
      const [a, b] = [firstOf(one), firstOf(other)];
      above[Math.max(a, b)] = Math.min(a, b);
    },
  };
}
