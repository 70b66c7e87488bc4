import { describe, expect, it } from 'vitest';
import { at, booleanAt, listAt, numberAt, textAt } from '#lib/foreign.ts';
import { hasStatus } from '#server/collector/clusters/answer.ts';
import { createDeploymentList } from '#server/collector/clusters/signs/deployments.ts';
import {
  kindsOf,
  readAggregated,
  readGroups,
  readResources,
} from '#server/collector/clusters/watch/discovery/discovery-document.ts';
import { listAll } from '#server/collector/clusters/watch/list.ts';
import { until } from '#server/collector/clusters/testing/until.ts';
import type { Transport } from '#server/collector/clusters/transport/transport.ts';
import { defaultTuning } from '#server/collector/clusters/tuning.ts';
import { isTooLarge, readListPage } from '#server/collector/clusters/watch/watch-event.ts';
import { writingVerbs } from '#server/collector/clusters/write-check.ts';
import { openTestClient } from '#server/simulator/api/test-client.ts';
import {
  type KubeApiUnderTest,
  accessOf,
  gadgets,
  kustomizations,
  locks,
  nameOf,
  occurrence,
  openTransport,
  pathOf,
  read,
  refusal,
  thing,
  volumes,
  whatever,
} from './kube-api-bench.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
const namesOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
const kustomizationsPath = pathOf(kustomizations);
const names = (items: readonly unknown[]): string[] => items.map((item) => textAt(item, 'metadata', 'name') ?? '');

/** One answer for one request. */
export function describeRequests({ bench, defer }: KubeApiUnderTest): void {
  async function connect(): Promise<Transport> {
    const opened = openTransport(await accessOf(bench()));
    defer(opened.stop);
    return opened.transport;
  }

  describe('connection', () => {
    it('is HTTP/2, and the server says its version', async () => {
      const opened = openTransport(await accessOf(bench()));
      defer(opened.stop);
      await until('connected', () => opened.versions.length === 1);
      expect(opened.protocols).toEqual(['h2']);
      expect(opened.versions[0]).toMatch(/^v1\.\d+\.\d+/);
    });

    it('with an unknown token is refused as unauthorized', async () => {
      const opened = openTransport(await accessOf(bench(), 'of-somebody-else'));
      defer(opened.stop);
      const fault = await until('refused', () => opened.faults[0]);
      expect(fault.type).toBe('unauthorized');
      expect(opened.versions).toEqual([]);
    });

    it('takes no further request after an unknown token', async () => {
      const access = await accessOf(bench());
      const material = await access.tls();
      if (material.type === 'fault' || material.tls.ca === null) throw new Error('no CA');
      const client = await openTestClient(access.server, material.tls.ca, 'of-somebody-else');
      defer(client.close);
      expect((await client.get('/version')).status).toBe(401);
      await until('told to go away', () => client.wentAway());
      await until('closed', () => client.closed());
    });
  });

  describe('discovery', () => {
    it('gives groups, versions and categories in one document', async () => {
      const document = await read(await connect(), '/apis', aggregated);
      const kinds = kindsOf(readAggregated(document) ?? [], []);
      const found = Object.fromEntries(kinds.map((kind) => [kind.kind, kind]));
      expect(found).toEqual({ Kustomization: kustomizations, Volume: volumes, Gadget: gadgets, Lock: locks });
      expect(listAt(document, 'items').flatMap((item) => textAt(item, 'metadata', 'name') ?? [])).toContain(
        'authorization.k8s.io',
      );
    });

    it('is not sent twice to whoever names its etag', async () => {
      const transport = await connect();
      const first = await transport.get('/apis', { ...whatever, accept: aggregated });
      if (first.type !== 'ok' || first.etag === null) throw new Error(`no etag: ${first.type}`);
      const again = await transport.get('/apis', { ...whatever, accept: aggregated, etag: first.etag });
      expect(again).toEqual({ type: 'not-modified' });
      const another = await transport.get('/apis', { ...whatever, accept: aggregated, etag: '"another"' });
      expect(another.type).toBe('ok');
    });

    it('gives the same kinds in the older form', async () => {
      const transport = await connect();
      const groups = readGroups(await read(transport, '/apis')) ?? [];
      const versions = await Promise.all(
        groups.flatMap(({ group, versions: served }) =>
          served.map(async (version) => {
            const resources = await read(transport, `/apis/${group}/${version}`);
            return { group, version, stale: false, ...readResources(resources, group, version) };
          }),
        ),
      );
      const one = kindsOf(readAggregated(await read(transport, '/apis', aggregated)) ?? [], []);
      const other = kindsOf(versions, []);
      const byName = (a: { kind: string }, b: { kind: string }): number => (a.kind < b.kind ? -1 : 1);
      expect(other.toSorted(byName)).toEqual(one.toSorted(byName));
      expect(other).toHaveLength(4);
    });
  });

  describe('list', () => {
    it('comes in pages that all show the state of the first', async () => {
      const transport = await connect();
      const first = await read(transport, `${kustomizationsPath}?limit=2`);
      const one = readListPage(first, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 100);
      if (one.type === 'fault') throw new Error('the first page is none');
      expect(names(one.items)).toEqual(['a', 'b']);
      expect(numberAt(first, 'metadata', 'remainingItemCount')).toBe(3);
      const newcomer = thing(kustomizations, 'bb');
      await bench().put(newcomer);
      defer(() => bench().remove(newcomer));
      const rest: string[] = [];
      let { next } = one;
      while (next !== '') {
        const body = await read(transport, `${kustomizationsPath}?limit=2&continue=${encodeURIComponent(next)}`);
        const page = readListPage(body, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 100);
        if (page.type === 'fault') throw new Error('a page is none');
        expect(page.resourceVersion).toBe(one.resourceVersion);
        rest.push(...names(page.items));
        next = page.next;
      }
      expect(rest).toEqual(['c', 'd', 'e']);
    });

    it('from the cache (resourceVersion=0) is whole, whatever the limit', async () => {
      const body = await read(await connect(), `${kustomizationsPath}?limit=2&resourceVersion=0`);
      const page = readListPage(body, 'kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 100);
      expect(page).toMatchObject({ type: 'page', next: '', resourceVersion: expect.stringMatching(/^\d+$/) });
      expect(page.type === 'page' && names(page.items)).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    it('goes on with an expired token: HTTP 410; with one that never was: HTTP 400', async () => {
      const transport = await connect();
      const first = await read(transport, `${kustomizationsPath}?limit=2`);
      const token = await bench().forget(textAt(first, 'metadata', 'continue') ?? '');
      const expired = await refusal(transport, `${kustomizationsPath}?limit=2&continue=${encodeURIComponent(token)}`);
      expect(hasStatus(expired.fault, 410)).toBe(true);
      const invalid = await refusal(transport, `${kustomizationsPath}?limit=2&continue=never-was`);
      expect(hasStatus(invalid.fault, 400)).toBe(true);
    });

    it('is begun again by the reflector when its token has expired', async () => {
      const transport = await connect();
      let forgotten = false;
      const forgetful: Transport = {
        ...transport,
        async get(path, options) {
          const [head = '', token] = path.split('&continue=');
          if (token === undefined || forgotten) return transport.get(path, options);
          forgotten = true;
          const old = await bench().forget(decodeURIComponent(token));
          return transport.get(`${head}&continue=${encodeURIComponent(old)}`, options);
        },
      };
      const starts: string[][] = [];
      const listed = await listAll({
        transport: forgetful,
        tuning: { ...defaultTuning, pageLimit: 2 },
        path: kustomizationsPath,
        selector: '',
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        cached: false,
        signal: new AbortController().signal,
        onStart: () => void starts.push([]),
        onObject(object) {
          starts.at(-1)?.push(nameOf(object));
          return null;
        },
        others: () => Promise.resolve(),
      });
      expect(listed).toMatchObject({ type: 'ok' });
      expect(starts).toEqual([
        ['a', 'b'],
        ['a', 'b', 'c', 'd', 'e'],
      ]);
    });

    it('at a version that has not come yet is refused as such, with a time to wait', async () => {
      const refused = await refusal(await connect(), `${kustomizationsPath}?resourceVersion=999999999`);
      expect(hasStatus(refused.fault, 504)).toBe(true);
      expect(isTooLarge(refused.fault.message)).toBe(true);
      expect(refused.retryAfter).toBe(1_000);
    });

    it('of metadata alone, one object long, says how many more there are', async () => {
      const body = await read(await connect(), `${kustomizationsPath}?limit=1`, namesOnly);
      expect(textAt(body, 'kind')).toBe('PartialObjectMetadataList');
      const [item] = listAt(body, 'items');
      expect(textAt(item, 'kind')).toBe('PartialObjectMetadata');
      expect(textAt(item, 'metadata', 'name')).toBe('a');
      expect(at(item, 'spec')).toBe(undefined);
      expect(numberAt(body, 'metadata', 'remainingItemCount')).toBe(4);
      const none = await read(await connect(), `${pathOf(gadgets)}?limit=1`, namesOnly);
      expect(textAt(none, 'kind')).toBe('PartialObjectMetadataList');
      expect(listAt(none, 'items')).toEqual([]);
    });

    it('of Events is chosen by the kind that they are about', async () => {
      await bench().put(occurrence('of-kustomization', 'Kustomization'));
      await bench().put(occurrence('of-pod', 'Pod'));
      const query = `fieldSelector=${encodeURIComponent('involvedObject.kind=Kustomization')}`;
      const body = await read(await connect(), `/api/v1/events?${query}`);
      expect(names(listAt(body, 'items'))).toEqual(['of-kustomization']);
    });

    it('of Leases in a namespace tells holder and time', async () => {
      const spec = {
        holderIdentity: 'source-controller-0',
        leaseDurationSeconds: 35,
        renewTime: '2026-11-21T07:31:54.000000Z',
      };
      const metadata = { name: 'source-controller-leader-election', namespace: 'flux-system' };
      await bench().put({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
      const path = '/apis/coordination.k8s.io/v1/namespaces';
      const leases = await read(await connect(), `${path}/flux-system/leases?resourceVersion=0&limit=500`);
      expect(listAt(leases, 'items')).toMatchObject([{ metadata, spec }]);
      const elsewhere = await read(await connect(), `${path}/nowhere/leases?resourceVersion=0&limit=500`);
      expect(listAt(elsewhere, 'items')).toEqual([]);
    });

    it('of Deployments is searched by label among names, and read as a table and whole', async () => {
      const labels = { 'app.kubernetes.io/part-of': 'flux', 'app.kubernetes.io/component': 'kustomize-controller' };
      const args = ['--watch-label-selector=sharding.fluxcd.io/key=shard1', '--enable-leader-election'];
      const image = 'ghcr.io/fluxcd/kustomize-controller:v1.9.4';
      const app = { app: 'kustomize-controller' };
      const template = { metadata: { labels: app }, spec: { containers: [{ name: 'manager', image, args }] } };
      const metadata = { name: 'kustomize-controller-shard1', namespace: 'flux-system', labels };
      const spec = { replicas: 1, selector: { matchLabels: app }, template };
      await bench().put({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
      const transport = await connect();
      const selector = 'app.kubernetes.io/part-of in (crossplane,flux)';
      const query = new URLSearchParams({ labelSelector: selector, resourceVersion: '0' });
      const search = (): Promise<unknown> => read(transport, `/apis/apps/v1/deployments?${query}`, namesOnly);
      // From the cache, which may be a moment late.
      await until('it is found', async () => names(listAt(await search(), 'items')).join() === metadata.name);
      const deploymentList = createDeploymentList(async (path, accept) => ({
        feed: { state: 'live' },
        body: await read(transport, path, accept),
      }));
      for (let read = 0; read < 2; read += 1) {
        const { deployments } = await deploymentList.list('flux-system');
        expect(deployments).toMatchObject([
          { name: metadata.name, version: 'v1.9.4', selector: 'sharding.fluxcd.io/key=shard1', elects: true },
        ]);
      }
      expect((await deploymentList.list('nowhere')).deployments).toEqual([]);
    });
  });

  describe('refusal', () => {
    it.each([
      ['a core kind', '/api/v1/secrets', 'secrets', ''],
      ['a kind of a provider', pathOf(locks), 'locks', 'other.example.org'],
    ])('of %s that is forbidden names kind and verb', async (_what, path, resource, group) => {
      const { fault } = await refusal(await connect(), path);
      expect(fault.type).toBe('forbidden');
      expect(fault.message).toContain(
        `cannot list resource "${resource}" in API group "${group}" at the cluster scope`,
      );
    });

    it('of a watch on a forbidden kind is the same', async () => {
      const end = await (
        await connect()
      ).watch(`${pathOf(locks)}?watch=true&resourceVersion=1`, {
        signal: AbortSignal.timeout(10_000),
        onOpen: () => undefined,
        onLine: () => undefined,
      });
      expect(end).toMatchObject({ type: 'fault', opened: false, fault: { type: 'forbidden' } });
    });

    it('of a kind that is not served is HTTP 404', async () => {
      const { fault } = await refusal(await connect(), '/apis/acme.example.org/v1/nothings');
      expect(hasStatus(fault, 404)).toBe(true);
      const version = await refusal(await connect(), '/apis/acme.example.org/v7/volumes');
      expect(hasStatus(version.fault, 404)).toBe(true);
    });
  });

  describe('reviews', () => {
    it('say of one request whether it is allowed', async () => {
      const transport = await connect();
      const { signal } = new AbortController();
      const ask = async (verb: string, group: string, resource: string): Promise<boolean | null> => {
        const answer = await transport.selfSubjectAccessReview({ verb, group, resource }, signal);
        return answer.type === 'ok' ? booleanAt(answer.body, 'status', 'allowed') : null;
      };
      expect(await ask('list', kustomizations.group, 'kustomizations')).toBe(true);
      expect(await ask('delete', kustomizations.group, 'kustomizations')).toBe(false);
      expect(await ask('list', '', 'secrets')).toBe(false);
      expect(await ask('watch', locks.group, 'locks')).toBe(false);
    });

    it('say of all rules that nothing can be written', async () => {
      const answer = await (await connect()).selfSubjectRulesReview('flux-system', new AbortController().signal);
      if (answer.type !== 'ok') throw new Error(answer.type);
      const rules = listAt(answer.body, 'status', 'resourceRules');
      expect(rules.some((rule) => listAt(rule, 'resources').includes('kustomizations'))).toBe(true);
      expect(writingVerbs(answer.body)).toEqual([]);
    });
  });
}
