import type { Matcher, Route } from '../fact.ts';
import { type Looking, plainMatch } from './plain-pattern.ts';

/** Receivers that an alert reaches in a routing tree; null where a matcher on its way cannot be told, or was not read. */
export type Reached = ReadonlySet<string> | null;

/** Value of a label of an alert: '' where it has none, null where that is not known. */
export type LabelOf = (name: string) => string | null;

/** Deepest tree, and most nodes of it, that are walked. */
const deepest = 50;
const mostNodes = 10_000;

/** Most letters that are looked at on one walk: a matcher counts as one, its pattern and what it is held against as many as they have. */
const mostLetters = 100_000;

/** The receivers that an alert with these labels reaches; `all`: what several walks may look at together. */
export function reachedReceivers(root: Route, labelOf: LabelOf, all?: Looking): Reached {
  const routes = routesOf(root, labelOf, all);
  return routes === null ? null : new Set(routes.map(({ receiver }) => receiver));
}

/**
 * The routes that take an alert with these labels, as Alertmanager walks its tree: the first that matches, and those after it while each says
 * `continue`; where none matches, the node itself. null where a matcher on the way cannot be told, or where too much would have to be looked at.
 */
export function routesOf(root: Route, labelOf: LabelOf, all: Looking = { left: mostLetters }): readonly Route[] | null {
  const reached: Route[] = [];
  let left = mostNodes;
  const given = Math.max(0, Math.min(all.left, mostLetters));
  const looking = { left: given };

  /** False where it cannot be told. */
  function walk(route: Route, depth: number): boolean {
    if (depth > deepest || !route.isWhole) return false;
    let taken = false;
    for (const child of route.routes) {
      left -= 1;
      if (left < 0) return false;
      const matched = matchesAll(child.matchers, labelOf, looking);
      if (matched === null) return false;
      if (!matched) continue;
      if (!walk(child, depth + 1)) return false;
      taken = true;
      if (!child.continues) break;
    }
    if (!taken) reached.push(route);
    return true;
  }

  const isTold = walk(root, 0);
  all.left -= given - looking.left;
  return isTold ? reached : null;
}

/** True if all matchers are true of an alert; null where that cannot be told. */
export function matchesAll(
  matchers: readonly Matcher[],
  labelOf: LabelOf,
  looking: Looking = { left: mostLetters },
): boolean | null {
  let unknown = false;
  for (const matcher of matchers) {
    looking.left -= 1;
    const value = labelOf(matcher.name);
    const matched = value === null || looking.left < 0 ? null : matches(matcher, value, looking);
    if (matched === false) return false;
    if (matched === null) unknown = true;
  }
  return unknown ? null : true;
}

/** True if a matcher is true of a value; '' stands for a label that is absent. Null where its pattern is not looked at. */
export function matches({ operator, value: wanted }: Matcher, value: string, looking?: Looking): boolean | null {
  switch (operator) {
    case '=':
      return value === wanted;
    case '!=':
      return value !== wanted;
    case '=~':
      return plainMatch(wanted, value, looking);
    case '!~': {
      const matched = plainMatch(wanted, value, looking);
      return matched === null ? null : !matched;
    }
  }
}
