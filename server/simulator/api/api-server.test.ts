import { connect as tcpConnect } from 'node:net';
import { get as httpsGet } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { at, listAt, numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import { hour } from '#lib/domain/time/length.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import { silentLog } from '../../runtime/log.ts';
import { startSimulatedCluster } from '../fleet/simulated-cluster.ts';
import type { SimulatedCluster } from '../fleet/simulated-cluster.ts';
import { seededRandom } from '../random.ts';
import { createCertificates } from '../tls/certificates.ts';
import { startApiServers } from './api-server.ts';
import type { ApiServers } from './api-server.ts';
import { commonKinds } from './kinds.ts';
import { createRequestLog } from './request-log.ts';
import { openTestClient, until } from './test-client.ts';
import type { TestClient } from './test-client.ts';

const clock = fakeClock();
const certificates = await createCertificates(Date.now());
const kustomizations = '/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations';

let servers: ApiServers;
let cluster: SimulatedCluster;
let client: TestClient;
let requests = createRequestLog();

function putKustomization(name: string, note = 'first'): void {
  const metadata = {
    name,
    namespace: 'flux-system',
    uid: `uid-${name}`,
    creationTimestamp: '2026-11-21T07:31:54Z',
    labels: { note },
  };
  const object = { apiVersion: 'x', kind: 'x', metadata, spec: { path: `./${name}` } };
  cluster.store.put(object, commonKinds.kustomization);
}

beforeEach(async () => {
  requests = createRequestLog();
  servers = startApiServers({
    clock,
    log: silentLog,
    certificates,
    requests,
    bookmarkInterval: 60_000,
    freezable: true,
  });
  const plan = { name: 'eu-west-3', labels: {}, kinds: Object.values(commonKinds), gitVersion: 'v1.34.3', window: 5 };
  cluster = await startSimulatedCluster(plan, servers, () => clock.now(), seededRandom(7));
  for (const name of ['a', 'b', 'c', 'd', 'e']) putKustomization(name);
  client = await openTestClient(cluster.server.url, certificates.ca, cluster.token());
});

afterEach(async () => {
  client.close();
  await servers.stop();
});

function names(body: unknown): string[] {
  return listAt(body, 'items').map((item) => textAt(item, 'metadata', 'name') ?? '');
}

it('dates its answers by its own clock', async () => {
  clock.advance(hour);
  const { headers } = await client.get(kustomizations);
  expect(Date.parse(headers.date ?? '')).toBe(Math.floor(clock.now() / 1000) * 1000);
});

describe('connection', () => {
  it('allows 100 streams per connection', () => {
    expect(client.maxConcurrentStreams()).toBe(100);
  });

  it('answers HTTP/1.1 on the same port', async () => {
    const version = await new Promise<string>((resolve, reject) => {
      const headers = { authorization: `Bearer ${cluster.token()}` };
      httpsGet(`${cluster.server.url}/version`, { ca: certificates.ca, headers, agent: false }, (response) => {
        response.resume();
        resolve(response.httpVersion);
      }).on('error', reject);
    });
    expect(version).toBe('1.1');
  });
});

describe('discovery', () => {
  it('tells every kind with its categories in the aggregated form', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
    const answer = await client.get('/apis', { accept });
    expect(answer.headers['content-type']).toContain('as=APIGroupDiscoveryList');
    const group = listAt(answer.json, 'items').find(
      (item) => textAt(item, 'metadata', 'name') === 'kustomize.toolkit.fluxcd.io',
    );
    const resource = listAt(listAt(group, 'versions')[0], 'resources')[0];
    expect(textAt(resource, 'resource')).toBe('kustomizations');
    expect(listAt(resource, 'categories')).toContain('fluxcd-appliers');
  });

  it('falls back to the older form where the aggregated one is off', async () => {
    cluster.faults.aggregatedDiscovery = false;
    const answer = await client.get('/apis', {
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    });
    expect(textAt(answer.json, 'kind')).toBe('APIGroupList');
    const resources = await client.get('/apis/kustomize.toolkit.fluxcd.io/v1');
    expect(listAt(resources.json, 'resources').map((one) => textAt(one, 'name'))).toEqual([
      'kustomizations',
      'kustomizations/status',
    ]);
  });

  it('forgets a kind whose CRD is gone and ends its watches', async () => {
    const watch = client.watch(`${kustomizations}?watch=true`);
    await until(() => watch.events.length === 5);
    cluster.store.removeKind('kustomizations.kustomize.toolkit.fluxcd.io');
    await until(() => watch.ended());
    expect((await client.get(kustomizations)).status).toBe(404);
    cluster.store.addKind(commonKinds.kustomization);
    expect(names((await client.get(kustomizations)).json)).toEqual([]);
  });
});

describe('list', () => {
  it('pages through the state of the first page', async () => {
    const first = await client.get(`${kustomizations}?limit=2`);
    expect(names(first.json)).toEqual(['a', 'b']);
    expect(numberAt(first.json, 'metadata', 'remainingItemCount')).toBe(3);
    putKustomization('aa');
    cluster.store.remove('kustomizations.kustomize.toolkit.fluxcd.io', 'flux-system/c');
    const token = textAt(first.json, 'metadata', 'continue') ?? '';
    const second = await client.get(`${kustomizations}?limit=2&continue=${token}`);
    expect(names(second.json)).toEqual(['c', 'd']);
    expect(textAt(second.json, 'metadata', 'resourceVersion')).toBe(textAt(first.json, 'metadata', 'resourceVersion'));
  });

  it('answers an expired continue token with 410 and a token for an inconsistent rest', async () => {
    const first = await client.get(`${kustomizations}?limit=2`);
    cluster.compact();
    const token = textAt(first.json, 'metadata', 'continue') ?? '';
    const expired = await client.get(`${kustomizations}?limit=2&continue=${token}`);
    expect(expired.status).toBe(410);
    expect(textAt(expired.json, 'reason')).toBe('Expired');
    const rest = await client.get(`${kustomizations}?limit=9&continue=${textAt(expired.json, 'metadata', 'continue')}`);
    expect(names(rest.json)).toEqual(['c', 'd', 'e']);
  });

  it.each([
    ['version "0" ignores the limit, as the watch cache does', 'limit=2&resourceVersion=0', 200, 5],
    ['a version in the future', 'resourceVersion=99999999', 504, 0],
    ['an exact version that is gone', 'resourceVersion=1&resourceVersionMatch=Exact', 410, 0],
    ['a version that is no number', 'resourceVersion=x', 400, 0],
    ['a broken continue token', 'limit=1&continue=nonsense', 400, 0],
    ['a label', 'labelSelector=note=first', 200, 5],
    ['another label', 'labelSelector=note=second', 200, 0],
  ])('%s', async (_, query, status, count) => {
    const answer = await client.get(`${kustomizations}?${query}`);
    expect([answer.status, names(answer.json).length]).toEqual([status, count]);
  });

  it('sends metadata only where asked', async () => {
    const answer = await client.get(`${kustomizations}?limit=1`, {
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    });
    expect(textAt(answer.json, 'kind')).toBe('PartialObjectMetadataList');
    expect(at(listAt(answer.json, 'items')[0], 'spec')).toBeUndefined();
  });

  it('selects events by fields', async () => {
    for (const [name, kind] of [
      ['one', 'Kustomization'],
      ['two', 'Pod'],
    ] as const) {
      const metadata = { name, namespace: 'flux-system', uid: name, creationTimestamp: '2026-11-21T07:31:54Z' };
      const event = { apiVersion: 'v1', kind: 'Event', metadata, involvedObject: { kind }, reason: 'Progressing' };
      cluster.store.put(event, commonKinds.event);
    }
    const answer = await client.get(
      '/api/v1/events?fieldSelector=involvedObject.kind%3DKustomization,reason%3DProgressing',
    );
    expect(names(answer.json)).toEqual(['one']);
  });
});

describe('watch', () => {
  it('sends what happened after a version, each write once', async () => {
    const version = cluster.store.resourceVersion;
    putKustomization('a', 'second');
    const watch = client.watch(`${kustomizations}?watch=true&resourceVersion=${version}`);
    await until(() => watch.events.length === 1);
    putKustomization('f');
    cluster.store.remove('kustomizations.kustomize.toolkit.fluxcd.io', 'flux-system/b');
    await until(() => watch.events.length === 3);
    expect(watch.types()).toEqual(['MODIFIED', 'ADDED', 'DELETED']);
    const deleted = watch.events.at(-1);
    expect(textAt(deleted, 'object', 'metadata', 'resourceVersion')).toBe(String(cluster.store.resourceVersion));
  });

  it('is a watch-list where initial events are asked for', async () => {
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = client.watch(`${kustomizations}?${query}`);
    await until(() => watch.events.length === 6);
    expect(watch.types()).toEqual(['ADDED', 'ADDED', 'ADDED', 'ADDED', 'ADDED', 'BOOKMARK']);
    expect(textAt(watch.events.at(-1), 'object', 'metadata', 'annotations', 'k8s.io/initial-events-end')).toBe('true');
    putKustomization('a', 'second');
    await until(() => watch.events.length === 7);
  });

  it('sends a bookmark every interval with the version of now', async () => {
    const watch = client.watch(
      `${kustomizations}?watch=true&allowWatchBookmarks=true&resourceVersion=${cluster.store.resourceVersion}`,
    );
    await until(() => cluster.server.openWatches() === 1);
    clock.advance(61_000);
    await until(() => watch.events.length === 1);
    expect(watch.types()).toEqual(['BOOKMARK']);
    expect(textAt(watch.events[0], 'object', 'metadata', 'resourceVersion')).toBe(
      String(cluster.store.resourceVersion),
    );
  });

  it('sends no bookmark where none was asked for, and ends at its timeout', async () => {
    const watch = client.watch(
      `${kustomizations}?watch=true&timeoutSeconds=120&resourceVersion=${cluster.store.resourceVersion}`,
    );
    await until(() => cluster.server.openWatches() === 1);
    clock.advance(119_000);
    expect(watch.ended()).toBe(false);
    clock.advance(2000);
    await until(() => watch.ended());
    expect(watch.events).toEqual([]);
  });

  it.each([
    ['error-event', 200],
    ['status', 410],
  ] as const)('tells a version older than the window by %s', async (expiredAs, status) => {
    cluster.faults.expiredAs = expiredAs;
    const version = cluster.store.resourceVersion;
    cluster.compact();
    putKustomization('a', 'second');
    cluster.compact();
    const watch = client.watch(`${kustomizations}?watch=true&resourceVersion=${version}`);
    await until(() => watch.ended());
    expect(watch.status()).toBe(status);
    const spoken = expiredAs === 'status' ? watch.events[0] : at(watch.events[0], 'object');
    expect([numberAt(spoken, 'code'), textAt(spoken, 'reason')]).toEqual([410, 'Expired']);
  });

  it('forgets the oldest events by itself', async () => {
    const version = cluster.store.resourceVersion;
    for (let index = 0; index < 30; index++) putKustomization('a', `note-${index}`);
    const watch = client.watch(`${kustomizations}?watch=true&resourceVersion=${version}`);
    await until(() => watch.ended());
    expect(watch.types()).toEqual(['ERROR']);
  });

  it('refuses a watch-list where the feature is off', async () => {
    cluster.faults.watchList = false;
    const answer = await client.get(
      `${kustomizations}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    );
    expect([answer.status, textAt(answer.json, 'reason')]).toEqual([422, 'Invalid']);
  });
});

describe('who may what', () => {
  it('knows no stranger', async () => {
    const stranger = await openTestClient(cluster.server.url, certificates.ca, 'wrong');
    const answer = await stranger.get('/version');
    expect([answer.status, textAt(answer.json, 'reason')]).toEqual([401, 'Unauthorized']);
    stranger.close();
  });

  it('forgets a token that was rotated', async () => {
    cluster.rotateToken();
    expect((await client.get(kustomizations)).status).toBe(401);
  });

  it('forbids a kind and says so in the reviews too', async () => {
    cluster.access.forbid('kustomizations.kustomize.toolkit.fluxcd.io');
    const refused = await client.get(kustomizations);
    expect(refused.status).toBe(403);
    expect(textAt(refused.json, 'message')).toBe(
      'kustomizations.kustomize.toolkit.fluxcd.io is forbidden: User "system:serviceaccount:plumbline:plumbline" cannot list resource "kustomizations" in API group "kustomize.toolkit.fluxcd.io" at the cluster scope',
    );
    const attributes = { verb: 'list', group: 'kustomize.toolkit.fluxcd.io', resource: 'kustomizations' };
    const access = await client.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: { resourceAttributes: attributes },
    });
    expect([access.status, at(access.json, 'status', 'allowed')]).toEqual([201, false]);
    const rules = await client.post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      spec: { namespace: 'default' },
    });
    const resources = listAt(rules.json, 'status', 'resourceRules').flatMap((rule) => listAt(rule, 'resources'));
    expect(resources).toContain('helmreleases');
    expect(resources).not.toContain('kustomizations');
    expect(requests.writes()).toEqual([]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('answers %s with 405 and keeps it on record', async (method) => {
    const answer = await client.send(method, `${kustomizations}`, {});
    expect(answer.status).toBe(405);
    expect(requests.writes().map((request) => [request.method, request.cluster])).toEqual([[method, 'eu-west-3']]);
  });
});

describe('not found', () => {
  it.each([
    ['an unknown group', '/apis/example.org/v1/widgets', null],
    ['an unknown version', '/apis/kustomize.toolkit.fluxcd.io/v9/kustomizations', null],
    [
      'an unknown object',
      '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/none',
      'NotFound',
    ],
  ])('%s', async (_, path, reason) => {
    const answer = await client.get(path);
    expect([answer.status, textAt(parseForeign(answer.text), 'reason')]).toEqual([404, reason]);
  });
});

describe('faults', () => {
  it('fails the next lists, then is well', async () => {
    cluster.faults.failNext(1, { verb: 'list' });
    expect((await client.get(kustomizations)).status).toBe(500);
    expect((await client.get(kustomizations)).status).toBe(200);
  });

  it('throttles with Retry-After', async () => {
    cluster.faults.throttleNext(1, 3);
    const answer = await client.get(kustomizations);
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3']);
  });

  it('answers a Table', async () => {
    cluster.faults.tables.add('kustomizations.kustomize.toolkit.fluxcd.io');
    expect(textAt((await client.get(kustomizations)).json, 'kind')).toBe('Table');
  });

  it('mutes a watch and keeps it open', async () => {
    const watch = client.watch(
      `${kustomizations}?watch=true&allowWatchBookmarks=true&resourceVersion=${cluster.store.resourceVersion}`,
    );
    await until(() => cluster.server.openWatches() === 1);
    cluster.server.muteWatches();
    putKustomization('a', 'second');
    clock.advance(61_000);
    await client.get('/version');
    expect([watch.events.length, watch.ended()]).toEqual([0, false]);
  });

  it('breaks a line', async () => {
    const watch = client.watch(`${kustomizations}?watch=true&resourceVersion=${cluster.store.resourceVersion}`);
    await until(() => cluster.server.openWatches() === 1);
    cluster.server.sendMalformedLine();
    await until(() => watch.broken() === 1);
  });

  it('resets streams', async () => {
    const watch = client.watch(`${kustomizations}?watch=true&resourceVersion=${cluster.store.resourceVersion}`);
    await until(() => cluster.server.openWatches() === 1);
    cluster.server.resetWatches();
    await until(() => watch.failed());
  });

  it('says GOAWAY', async () => {
    cluster.server.goaway();
    await until(() => client.wentAway());
  });

  it('refuses connections and comes back on the same port', async () => {
    await cluster.server.gate.setReach('refused');
    await until(() => client.closed());
    await expect(openTestClient(cluster.server.url, certificates.ca, cluster.token())).rejects.toThrow('ECONNREFUSED');
    await cluster.server.gate.setReach('open');
    const again = await openTestClient(cluster.server.url, certificates.ca, cluster.token());
    expect((await again.get('/version')).status).toBe(200);
    again.close();
  });

  it('swallows everything, pings too, and still accepts connections', async () => {
    await cluster.server.gate.setReach('blackholed');
    const ping = client.ping();
    const socket = tcpConnect({ port: cluster.server.gate.port, host: '127.0.0.1' });
    await new Promise((resolve) => socket.once('connect', resolve));
    expect(await Promise.race([ping, new Promise((resolve) => socket.setTimeout(300, () => resolve('silence')))])).toBe(
      'silence',
    );
    socket.destroy();
  });

  it('offers HTTP/1.1 only where HTTP/2 is off', async () => {
    cluster.server.setHttp2(false);
    await expect(openTestClient(cluster.server.url, certificates.ca, cluster.token())).rejects.toThrow(
      /alert|protocol/i,
    );
  });
});
