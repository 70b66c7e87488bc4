/**
 * The items of groups, a turn of each group after the other, for as long as somebody asks: of hundreds of thousands the first few are found without a look at
 * the rest, and one group that has many leaves the others theirs.
 */
export function* turnsOf<Item>(groups: Iterable<Iterable<Item>>): Generator<Item, void, unknown> {
  let left = Array.from(groups, (group) => group[Symbol.iterator]());
  while (left.length > 0) {
    const going: Iterator<Item>[] = [];
    for (const group of left) {
      const next = group.next();
      if (next.done === true) continue;
      going.push(group);
      yield next.value;
    }
    left = going;
  }
}
