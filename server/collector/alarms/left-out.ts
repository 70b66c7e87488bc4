import { countOf } from '#lib/format/number.ts';

/** Bounds of what is read of one source. */
export const most = {
  rules: 5_000,
  alerts: 50_000,
  notices: 50_000,
  silences: 5_000,
  receivers: 1_000,
  routes: 2_000,
  /** Clusters that the series of one scope name. */
  clusters: 2_000,
  /** Kinds on clusters that the series of one scope name, each on each: a thousand clusters have some dozen each. */
  kinds: 100_000,
  scopes: 50,
} as const;

/** Alerts that are read in one go: a hostile one has labels that take a millisecond to clean. */
export const alertsInATurn = 100;

/** Part of a list that is read, and the sentences on what is not. */
export interface Bounded {
  readonly kept: readonly unknown[];
  readonly cut: readonly string[];
}

/** The first `most` of a list; `one` is the noun of an entry. */
export function firstOf(list: readonly unknown[], mostKept: number, one: string): Bounded {
  if (list.length <= mostKept) return { kept: list, cut: [] };
  const text = `It has ${countOf(list.length, one)}; the first ${countOf(mostKept, one)} are read.`;
  return { kept: list.slice(0, mostKept), cut: [text] };
}

/** The sentence on so many entries that are not what they must be; none for none. */
export function unreadable(count: number, one: string): readonly string[] {
  return count === 0 ? [] : [`${countOf(count, one)} could not be read, and ${count === 1 ? 'is' : 'are'} left out.`];
}
