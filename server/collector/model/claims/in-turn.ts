import { turnsOf } from '#lib/turns-of.ts';

/**
 * At most `most` of some items, group by group in turn, groups and the items of each in the order in which they come: so one who brings many
 * leaves nobody out.
 */
export function inTurn<Item>(items: Iterable<Item>, groupOf: (item: Item) => string, most: number): readonly Item[] {
  return [...turnsOf<Item>(Map.groupBy(items, groupOf).values()).take(most)];
}

/** Items by group, so that each group may have its turn. Starts with none. */
export function createGroups<Item>() {
  const groups = new Map<string, Set<Item>>();
  return {
    add(group: string, item: Item): void {
      const items = groups.get(group) ?? new Set();
      items.add(item);
      groups.set(group, items);
    },
    delete(group: string, item: Item): void {
      const items = groups.get(group);
      if (items?.delete(item) === true && items.size === 0) groups.delete(group);
    },
    inTurn: (): Generator<Item, void, unknown> => turnsOf(groups.values()),
  };
}
