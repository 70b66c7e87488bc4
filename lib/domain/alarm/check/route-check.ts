import type { Matcher, Route } from '../fact.ts';
import { plainMatch } from './plain-pattern.ts';

/** Receivers that an alert reaches in a routing tree; null where a matcher on its way cannot be told, or was not read. */
export type Reached = ReadonlySet<string> | null;

/** Value of a label of an alert: '' where it has none, null where that is not known. */
export type LabelOf = (name: string) => string | null;

/** Deepest tree, and most nodes of it, that are walked. */
const deepest = 50;
const mostNodes = 10_000;

/** The receivers that an alert with these labels reaches. */
export function reachedReceivers(root: Route, labelOf: LabelOf): Reached {
  const routes = routesOf(root, labelOf);
  return routes === null ? null : new Set(routes.map(({ receiver }) => receiver));
}

/**
 * The routes that take an alert with these labels, as Alertmanager walks its tree: the first that matches, and those after it while each says
 * `continue`; where none matches, the node itself. null where a matcher on the way cannot be told.
 */
export function routesOf(root: Route, labelOf: LabelOf): readonly Route[] | null {
  const reached: Route[] = [];
  let left = mostNodes;

  /** False where it cannot be told. */
  function walk(route: Route, depth: number): boolean {
    if (depth > deepest || !route.isWhole) return false;
    let taken = false;
    for (const child of route.routes) {
      left -= 1;
      if (left < 0) return false;
      const matched = matchesAll(child.matchers, labelOf);
      if (matched === null) return false;
      if (!matched) continue;
      if (!walk(child, depth + 1)) return false;
      taken = true;
      if (!child.continues) break;
    }
    if (!taken) reached.push(route);
    return true;
  }

  return walk(root, 0) ? reached : null;
}

/** True if all matchers are true of an alert; null where that cannot be told. */
export function matchesAll(matchers: readonly Matcher[], labelOf: LabelOf): boolean | null {
  let unknown = false;
  for (const matcher of matchers) {
    const value = labelOf(matcher.name);
    const matched = value === null ? null : matches(matcher, value);
    if (matched === false) return false;
    if (matched === null) unknown = true;
  }
  return unknown ? null : true;
}

/** True if a matcher is true of a value; '' stands for a label that is absent. Null where its pattern is not looked at. */
export function matches({ operator, value: wanted }: Matcher, value: string): boolean | null {
  switch (operator) {
    case '=':
      return value === wanted;
    case '!=':
      return value !== wanted;
    case '=~':
      return plainMatch(wanted, value);
    case '!~': {
      const matched = plainMatch(wanted, value);
      return matched === null ? null : !matched;
    }
  }
}
