import { foreignName, nameAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { at, booleanAt, firstAt, isForeignObject, listAt, objectAt, textAt } from '#lib/foreign.ts';
import type { Matcher, Route } from '#lib/domain/alarm/fact.ts';
import type { AlertmanagerConfigFact, DeclaredReceiver } from '#lib/domain/alarm/declared/declared.ts';
import { labelValue } from '../../alarms/words.ts';
import { readObject, type ReadObject } from './read-object.ts';

/** Bounds of one object: its words are cleaned on the thread of all clusters, each in up to a millisecond, and what is longer than 8 KB is not kept anyway. */
const deepestRoute = 32;
const mostRoutes = 500;
const mostMatchers = 64;
const mostMatchersTogether = 256;
const mostReceivers = 200;
const mostIntegrations = 64;
const mostIntegrationsTogether = 256;

/**
 * The route and the receivers that an AlertmanagerConfig declares; null where it has no name. Of a receiver its name and the names of its
 * integrations are kept, nothing else: the rest leads to secrets.
 */
export function readAlertmanagerConfig(object: unknown): AlertmanagerConfigFact | null {
  const read = readObject(object);
  if (read === null) return null;
  const receivers = listAt(object, 'spec', 'receivers');
  const bounds: Bounds = {
    ...{ nodes: mostRoutes, matchers: mostMatchersTogether, integrations: mostIntegrationsTogether },
    lost: Math.max(0, receivers.length - mostReceivers),
  };
  const root = at(object, 'spec', 'route');
  const route = isForeignObject(root) ? routeOf(root, '', 1, bounds) : null;
  const kept = receivers.slice(0, mostReceivers).flatMap((receiver) => receiverOf(receiver, read, bounds) ?? []);
  return { type: 'alertmanager-config', ...read, route, receivers: kept, lost: bounds.lost };
}

/** Room that is left for routes, their matchers and the integrations of receivers, and how much was left out. */
interface Bounds {
  nodes: number;
  matchers: number;
  integrations: number;
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
  const room = Math.min(mostMatchers, bounds.matchers);
  const matchers = firstAt(room, route, 'matchers').flatMap((matcher) => matcherOf(matcher) ?? []);
  bounds.matchers -= matchers.length;
  const lost = said.length - matchers.length;
  bounds.lost += lost;
  const isKept = ({ value }: Matcher, index: number): boolean => value === (unkeptTextAt(said[index], 'value') ?? '');
  return { matchers, isWhole: lost === 0 && matchers.every(isKept) };
}

function matcherOf(matcher: unknown): Matcher | null {
  const name = unkeptTextAt(matcher, 'name');
  const operator = operatorOf(matcher);
  if (name === null || operator === null) return null;
  return { name: foreignName(name), operator, value: labelValue(name, unkeptTextAt(matcher, 'value') ?? '') };
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

function receiverOf(
  receiver: unknown,
  { namespace, name: object }: ReadObject,
  bounds: Bounds,
): DeclaredReceiver | null {
  const written = unkeptTextAt(receiver, 'name');
  if (written === null || written === '') return null;
  const said = objectAt(receiver);
  const integrations = Object.keys(said).filter(
    (key) => key.length <= 100 && key.endsWith(suffix) && listAt(said, key).length > 0,
  );
  const kept = integrations.slice(0, Math.min(mostIntegrations, bounds.integrations));
  bounds.integrations -= kept.length;
  // With other integrations than are kept it would be told to be loaded with others.
  if (kept.length < integrations.length) {
    bounds.lost += 1;
    return null;
  }
  const calls = kept.map((key) => foreignName(key.slice(0, -suffix.length)));
  return {
    name: foreignName(written),
    // They are cleaned as an Alertmanager's are: as a whole.
    loadedAs: ['/', '-'].map((between) => foreignName([namespace, object, written].join(between))),
    calls: [...new Set(calls)].sort((a, b) => (a < b ? -1 : Number(a > b))),
  };
}
