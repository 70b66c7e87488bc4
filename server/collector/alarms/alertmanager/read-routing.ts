import { receiverKey } from '#lib/domain/alarm/book/notice.ts';
import type { ReceiverFact, Route, RoutingFact } from '#lib/domain/alarm/fact.ts';
import { foreignName, nameAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { at, booleanAt, isForeignObject, listAt, objectAt } from '#lib/foreign.ts';
import { second } from '#lib/domain/time/length.ts';
import { parseDuration } from '#lib/domain/time/parse-duration.ts';
import { countOf } from '#lib/format/number.ts';
import { readYaml } from '#server/config/yaml-text.ts';
import { firstOf, most, unreadable } from '../left-out.ts';
import { sortedUnique } from '../words.ts';
import type { TimedRoutes } from './mutes.ts';
import { readMatchers } from './route-matchers.ts';
import type { FactsReading } from './read-notices.ts';

/** Routes and receivers, with the routes that a time interval may mute. */
type RoutingReading = FactsReading<RoutingFact | ReceiverFact, { readonly timed: TimedRoutes }>;

const deepestRoute = 32;
const mostIntegrations = 64;

/** Longest matchers of all routes together (UTF-16 units), and most integrations of all receivers: they are cleaned one by one. */
const longestMatchers = 500_000;
const mostIntegrationsTogether = 10_000;

/** Then others have their turn. */
const routesInATurn = 10;

/**
 * Reads an answer to `/api/v2/status` of the Alertmanager at `address`: of its configuration the routes, and the names of the integrations of
 * each receiver. Nothing else of it is kept: it holds secrets. `turn`: lets others have their turn, between routes and receivers.
 */
export async function readRouting(body: unknown, address: string, turn: () => Promise<void>): Promise<RoutingReading> {
  const config = configOf(body);
  if (config.type === 'failed') return config;
  const route = at(config.content, 'route');
  if (!isForeignObject(route)) return { type: 'failed', reason: 'Its configuration has no route.' };
  const bounds: Left = {
    ...{ nodes: most.routes, read: 0, routes: 0, matchers: 0 },
    ...{ text: longestMatchers, timed: new Map(), turn },
  };
  bounds.nodes -= 1;
  const root = await routeOf(route, { receiver: '', wait: groupWait }, 1, bounds);
  const { kept, cut } = firstOf(listAt(config.content, 'receivers'), most.receivers, 'receiver');
  const receivers: ReceiverFact[] = [];
  const room = { integrations: mostIntegrationsTogether };
  for (const [index, each] of kept.entries()) {
    if (index % routesInATurn === routesInATurn - 1) await turn();
    const receiver = receiverOf(each, address, room);
    if (receiver !== null) receivers.push(receiver);
  }
  const cutRoutes =
    bounds.routes === 0
      ? []
      : [
          `It has more than ${countOf(most.routes, 'route')}, or some nested more than ${deepestRoute} deep; the others are read.`,
        ];
  return {
    type: 'ok',
    timed: bounds.timed,
    facts: [{ type: 'routing', key: address, root }, ...new Map(receivers.map((each) => [each.key, each])).values()],
    cut: [
      ...cut,
      ...cutRoutes,
      ...unreadable(kept.length - receivers.length, 'receiver'),
      ...unreadable(bounds.matchers, 'route matcher'),
    ],
  };
}

/** The text of the configuration is YAML; Grafana gives it as JSON. */
function configOf(
  body: unknown,
): { readonly type: 'ok'; readonly content: unknown } | { readonly type: 'failed'; readonly reason: string } {
  const text = unkeptTextAt(body, 'config', 'original');
  if (text === null)
    return isForeignObject(at(body, 'config', 'route'))
      ? { type: 'ok', content: at(body, 'config') }
      : { type: 'failed', reason: 'Its answer to /api/v2/status holds no configuration that can be read.' };
  const yaml = readYaml(text);
  // The parser's words may quote the configuration, which holds secrets.
  return yaml.type === 'ok'
    ? { type: 'ok', content: yaml.content }
    : { type: 'failed', reason: 'Its configuration cannot be read: it is no YAML, or too large.' };
}

/** Room that is left for routes, how much was left out for want of it, and the routes that a time interval may mute. */
interface Left {
  nodes: number;
  /** Routes that were read. */
  read: number;
  routes: number;
  matchers: number;
  /** Length of matchers that there is still room for. */
  text: number;
  readonly turn: () => Promise<void>;
  readonly timed: Map<Route, number>;
}

/** Settings that a route takes over from the one above it; `wait` in ms. */
interface Inherited {
  readonly receiver: string;
  readonly wait: number;
}

/** `group_wait` of a route where none says it (ms). */
const groupWait = 30 * second;

async function routeOf(route: unknown, inherited: Inherited, depth: number, left: Left): Promise<Route> {
  left.read += 1;
  if (left.read % routesInATurn === 0) await left.turn();
  const receiver = nameAt(route, 'receiver') ?? inherited.receiver;
  const wait = parseDuration(nameAt(route, 'group_wait') ?? '') ?? inherited.wait;
  const { matchers, lost, isWhole } = readMatchers(route, left);
  left.matchers += lost;
  const children = listAt(route, 'routes');
  const room = depth >= deepestRoute ? 0 : Math.min(children.length, left.nodes);
  left.routes += children.length - room;
  left.nodes -= room;
  const routes: Route[] = [];
  for (const child of children.slice(0, room)) routes.push(await routeOf(child, { receiver, wait }, depth + 1, left));
  const read: Route = {
    receiver,
    matchers,
    continues: booleanAt(route, 'continue') ?? false,
    isWhole: isWhole && room === children.length,
    routes,
  };
  // A route does not take them over from the one above it (Alertmanager, dispatch.NewRoute).
  if (timings.some((key) => listAt(route, key).length > 0)) left.timed.set(read, wait);
  return read;
}

const timings = ['mute_time_intervals', 'active_time_intervals'];

const suffix = '_configs';

function receiverOf(receiver: unknown, address: string, room: { integrations: number }): ReceiverFact | null {
  const name = nameAt(receiver, 'name');
  if (name === null) return null;
  const said = objectAt(receiver);
  const integrations = Object.keys(said).filter(
    (key) => key.length <= 100 && key.endsWith(suffix) && listAt(said, key).length > 0,
  );
  const kept = integrations.slice(0, Math.min(mostIntegrations, room.integrations));
  room.integrations -= kept.length;
  // Without any it would be told to call nobody.
  if (kept.length === 0 && integrations.length > 0) return null;
  const calls = kept.map((key) => foreignName(key.slice(0, -suffix.length)));
  return { type: 'receiver', key: receiverKey(address, name), alertmanager: address, name, calls: sortedUnique(calls) };
}
