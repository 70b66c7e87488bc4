import { createHash } from 'node:crypto';
import { parseForeign } from '#lib/foreign.ts';
import type { Access, Attributes, User } from './access.ts';
import { forbidden, unauthorized } from './access.ts';
import { aggregatedDiscovery, coreVersions, groupList, oneGroup, resourceList, wantsAggregated } from './discovery.ts';
import type { Exchange } from './exchange.ts';
import type { Faults } from './faults.ts';
import { groupResource } from './kinds.ts';
import { objectKey } from './kube-object.ts';
import type { ListPages } from './list.ts';
import type { KindStore, ObjectStore } from './object-store.ts';
import { bytesOf, representationOf } from './representation.ts';
import { parseRoute } from './route.ts';
import type { ResourceRoute } from './route.ts';
import { parseSelection } from './selection.ts';
import { failure, jsonAnswer, pageNotFound } from './status.ts';
import type { Answer } from './status.ts';
import type { WatchRequest } from './watch.ts';
import { parseWatch } from './watch-request.ts';

/** Answers the requests of one cluster. */
export interface ClusterApi {
  readonly store: ObjectStore;
  readonly access: Access;
  readonly faults: Faults;
  readonly pages: ListPages;
  readonly gitVersion: string;
  now(): number;
}

/** An answer, or a watch to be opened. */
export type Outcome = { readonly answer: Answer } | { readonly watch: WatchRequest };

const table = {
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: '1' },
  columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
  rows: [],
};

function methodNotAllowed(): Answer {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  });
}

function kindStoreOf(store: ObjectStore, route: ResourceRoute): KindStore | null {
  const found = store.store(groupResource(route));
  if (!found || found.kind.version !== route.version) return null;
  return route.namespace !== '' && !found.kind.namespaced ? null : found;
}

function verbOf(exchange: Exchange, route: ResourceRoute): 'list' | 'watch' | 'get' {
  if (route.name !== '') return 'get';
  const watch = exchange.url.searchParams.get('watch');
  return watch === 'true' || watch === '1' ? 'watch' : 'list';
}

function read(api: ClusterApi, user: User, exchange: Exchange, route: ResourceRoute): Outcome {
  const verb = verbOf(exchange, route);
  const asked: Attributes = { verb, group: route.group, resource: route.resource, namespace: route.namespace };
  if (!api.access.allows(user, asked)) return { answer: forbidden(user, asked) };
  const fault = api.faults.take(verb, groupResource(route));
  if (fault) return { answer: fault };
  const kind = kindStoreOf(api.store, route);
  if (!kind) return { answer: pageNotFound };
  const as = representationOf(kind.kind, exchange.header('accept'));
  const query = exchange.url.searchParams;
  const selection = parseSelection(route.namespace, query);
  if (verb === 'get') {
    const object = kind.get(objectKey(route.namespace, route.name));
    if (object) return { answer: { code: 200, contentType: 'application/json', body: bytesOf(object, as) } };
    const details = { name: route.name, group: route.group, kind: route.resource };
    return { answer: failure(404, 'NotFound', `${groupResource(route)} "${route.name}" not found`, { details }) };
  }
  if (api.faults.tables.has(groupResource(route))) return { answer: jsonAnswer(table) };
  if (verb === 'list') return { answer: api.pages.list(api.store, kind, query, selection, as) };
  return parseWatch({ store: api.store, kind, query, selection, as, faults: api.faults, now: api.now() });
}

async function review(api: ClusterApi, user: User, exchange: Exchange, route: ResourceRoute): Promise<Answer> {
  if (exchange.method !== 'POST' || route.group !== 'authorization.k8s.io') return methodNotAllowed();
  const body = parseForeign(await exchange.body());
  if (!body) return failure(400, 'BadRequest', "couldn't get version/kind; json parse error");
  if (route.resource === 'selfsubjectaccessreviews') return api.access.reviewAccess(user, body);
  if (route.resource === 'selfsubjectrulesreviews') return api.access.reviewRules(user, body, api.store.kinds());
  return methodNotAllowed();
}

function version(gitVersion: string): Answer {
  const [major, minor] = gitVersion.slice(1).split('.');
  return jsonAnswer({
    major,
    minor,
    gitVersion,
    gitTreeState: 'clean',
    goVersion: 'go1.24.9',
    compiler: 'gc',
    platform: 'linux/amd64',
  });
}

/** Aggregated discovery bears an etag, and whoever names it is told that nothing has changed (apiserver aggregated/etag.go). */
function tagged(answer: Answer, exchange: Exchange): Answer {
  const etag = `"${createHash('sha512').update(answer.body).digest('hex').toUpperCase()}"`;
  const headers = { etag, vary: 'Accept' };
  if (exchange.header('if-none-match') !== etag) return { ...answer, headers };
  return { code: 304, contentType: answer.contentType, body: Buffer.alloc(0), headers };
}

/** Answers one request as a Kubernetes API server does: who are you, may you, is there such a thing, here it is. */
export async function handle(api: ClusterApi, exchange: Exchange): Promise<Outcome> {
  const route = parseRoute(exchange.url.pathname);
  const user = api.access.authenticate(exchange.header('authorization'));
  if (!user) return { answer: unauthorized };
  if (exchange.method !== 'GET') {
    return { answer: route.to === 'resource' ? await review(api, user, exchange, route) : methodNotAllowed() };
  }
  if (route.to === 'resource') return read(api, user, exchange, route);
  const fault = api.faults.take('get', route.to);
  if (fault) return { answer: fault };
  const kinds = api.store.kinds();
  const aggregated = api.faults.aggregatedDiscovery && wantsAggregated(exchange.header('accept'));
  switch (route.to) {
    case 'version':
      return { answer: version(api.gitVersion) };
    case 'health':
      return { answer: { code: 200, contentType: 'text/plain; charset=utf-8', body: Buffer.from('ok') } };
    case 'core-versions':
      return { answer: aggregated ? tagged(aggregatedDiscovery(kinds, true), exchange) : coreVersions() };
    case 'groups':
      return { answer: aggregated ? tagged(aggregatedDiscovery(kinds, false), exchange) : groupList(kinds) };
    case 'group':
      return { answer: oneGroup(kinds, route.group) };
    case 'resources':
      return { answer: resourceList(kinds, route.group, route.version) };
    case 'nothing':
      return { answer: pageNotFound };
  }
}
