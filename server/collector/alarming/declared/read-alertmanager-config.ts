import { foreignLabel, foreignName, nameAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { at, booleanAt, firstAt, isForeignObject, listAt, objectAt, textAt } from '#lib/foreign.ts';
import type { Matcher, Route } from '#lib/domain/alarm/fact.ts';
import type { AlertmanagerConfigFact, DeclaredReceiver } from '#lib/domain/alarm/declared/declared.ts';
import { readObject, type ReadObject } from './read-object.ts';

const deepestRoute = 32;
const mostRoutes = 500;
const mostMatchers = 64;
const mostReceivers = 200;
const mostIntegrations = 64;

/**
 * The route and the receivers that an AlertmanagerConfig declares; null where it has no name. Of a receiver its name and the names of its
 * integrations are kept, nothing else: the rest leads to secrets.
 */
export function readAlertmanagerConfig(object: unknown): AlertmanagerConfigFact | null {
  const read = readObject(object);
  if (read === null) return null;
  const receivers = listAt(object, 'spec', 'receivers');
  const bounds = { nodes: mostRoutes, lost: Math.max(0, receivers.length - mostReceivers) };
  const root = at(object, 'spec', 'route');
  const route = isForeignObject(root) ? routeOf(root, '', 1, bounds) : null;
  const kept = receivers.slice(0, mostReceivers).flatMap((receiver) => receiverOf(receiver, read) ?? []);
  return { type: 'alertmanager-config', ...read, route, receivers: kept, lost: bounds.lost };
}

/** Room that is left for routes, and how much was left out. */
interface Bounds {
  nodes: number;
  lost: number;
}

function routeOf(route: unknown, inherited: string, depth: number, bounds: Bounds): Route {
  bounds.nodes -= 1;
  const receiver = nameAt(route, 'receiver') ?? '';
  const own = receiver === '' ? inherited : receiver;
  const children = listAt(route, 'routes');
  const routes: Route[] = [];
  for (const child of children) {
    if (depth >= deepestRoute || bounds.nodes <= 0) break;
    routes.push(routeOf(child, own, depth + 1, bounds));
  }
  bounds.lost += children.length - routes.length;
  const { matchers, isWhole } = matchersOf(route, bounds);
  return {
    receiver: own,
    matchers,
    continues: booleanAt(route, 'continue') ?? false,
    isWhole: isWhole && routes.length === children.length,
    routes,
  };
}

/** The matchers of a route; `isWhole`: all were read, each with the value that it has. */
function matchersOf(
  route: unknown,
  bounds: Bounds,
): { readonly matchers: readonly Matcher[]; readonly isWhole: boolean } {
  const said = listAt(route, 'matchers');
  const matchers = firstAt(mostMatchers, route, 'matchers').flatMap((matcher) => matcherOf(matcher) ?? []);
  const lost = said.length - matchers.length;
  bounds.lost += lost;
  const isKept = ({ value }: Matcher, index: number): boolean => value === (unkeptTextAt(said[index], 'value') ?? '');
  return { matchers, isWhole: lost === 0 && matchers.every(isKept) };
}

function matcherOf(matcher: unknown): Matcher | null {
  const name = unkeptTextAt(matcher, 'name');
  const operator = operatorOf(matcher);
  if (name === null || operator === null) return null;
  return { name: foreignName(name), operator, value: foreignLabel(unkeptTextAt(matcher, 'value') ?? '') };
}

/** `matchType` counts before `regex`, which is older. */
function operatorOf(matcher: unknown): Matcher['operator'] | null {
  const said = textAt(matcher, 'matchType') ?? '';
  switch (said) {
    case '=':
    case '!=':
    case '=~':
    case '!~':
      return said;
    case '':
      return booleanAt(matcher, 'regex') === true ? '=~' : '=';
    default:
      return null;
  }
}

const suffix = 'Configs';

function receiverOf(receiver: unknown, { namespace, name: object }: ReadObject): DeclaredReceiver | null {
  const written = unkeptTextAt(receiver, 'name');
  if (written === null || written === '') return null;
  const said = objectAt(receiver);
  const calls = Object.keys(said)
    .filter((key) => key.length <= 100 && key.endsWith(suffix) && listAt(said, key).length > 0)
    .slice(0, mostIntegrations)
    .flatMap((key) => nameAt({ key: key.slice(0, -suffix.length) }, 'key') ?? []);
  return {
    name: foreignName(written),
    // They are cleaned as an Alertmanager's are: as a whole.
    loadedAs: ['/', '-'].map((between) => foreignName([namespace, object, written].join(between))),
    calls: [...new Set(calls)].sort((a, b) => (a < b ? -1 : Number(a > b))),
  };
}
