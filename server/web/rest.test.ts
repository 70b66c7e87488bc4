import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireClusterList, WireClusterPage } from '#lib/api/cluster.ts';
import { WireFleet } from '#lib/api/fleet.ts';
import { WireObjectList, WireObjectPage } from '#lib/api/object.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import { runningWeb } from './testing/running-web.ts';
import type { RunningWeb } from './testing/running-web.ts';
import {
  badCommit,
  goodCommit,
  helmGroup,
  kustomizeGroup,
  sampleCluster,
  sampleDetail,
  sampleDiverged,
  sampleNow,
  sampleObject,
  sampleSource,
} from './testing/sample.ts';

let web: RunningWeb;

beforeEach(async () => {
  web = await runningWeb();
  for (const name of ['eu-west-3', 'us-east-1']) {
    web.store.cluster(sampleCluster(name));
    web.store.object(sampleSource(name));
    web.store.object(sampleObject({ cluster: name, name: 'payments' }));
  }
  const broken = sampleDiverged({ name: 'checkout' });
  web.store.object(
    broken,
    sampleDetail(broken, {
      history: [
        { status: 'BuildFailed', revision: `main@sha1:${badCommit}`, digest: null, first: null, last: null, total: 3 },
      ],
    }),
  );
  web.store.object(sampleObject({ cluster: 'us-east-1', name: 'checkout' }));
  const seen = { cluster: 'eu-west-3', kind: null, observed: true, state: 'live', reason: null };
  web.store.covered({
    ...seen,
    at: sampleNow - 110 * minute,
    observed: false,
    state: 'unreachable',
    reason: 'no route',
  });
  web.store.covered({ ...seen, at: sampleNow - 80 * minute });
  web.store.covered({ ...seen, cluster: 'us-east-1', at: sampleNow - 60_000, observed: false });
  web.store.transition({
    ref: broken.ref,
    uid: broken.uid,
    at: sampleNow - hour,
    bound: 'exact',
    noticedAt: sampleNow - hour,
    from: 'converged',
    to: 'diverged',
    reason: 'BuildFailed',
    message: 'x',
    commit: goodCommit,
    attempted: `main@sha1:${badCommit}`,
    rootCause: null,
  });
  web.store.object(
    sampleObject(
      { name: 'api', kind: 'HelmRelease', group: helmGroup },
      {
        reconciler: 'helm',
        verdict: 'waiting',
        alarm: { state: 'sounding', since: 0, by: 'own' },
        rootCause: { type: 'object', ref: broken.ref },
      },
    ),
  );
  await web.advance(500);
});
afterEach(() => web.stop());

async function json(path: string, status = 200): Promise<unknown> {
  const response = await web.get(path);
  expect(response.status).toBe(status);
  return response.json();
}

/** The names by which generated clients call the answers. */
const schemaNames = [
  ...['ArrivalList', 'ChangeList', 'ClusterList', 'ClusterPage', 'ConflictList', 'CorrectionList', 'ExemptionList'],
  ...['Fleet', 'History', 'AbsenceList', 'Link', 'Neighbours', 'ObjectList', 'ObjectPage', 'Problem', 'Report'],
  ...['SpanList', 'StreamFrame', 'TransitionList'],
];

describe('the API', () => {
  it('lists clusters', async () => {
    const { clusters } = WireClusterList.parse(await json('/api/v1/clusters'));
    expect(clusters.map(({ name, worst, objects, state }) => ({ name, worst, objects, state }))).toEqual([
      { name: 'eu-west-3', worst: 'diverged', objects: 4, state: 'live' },
      { name: 'us-east-1', worst: 'converged', objects: 3, state: 'live' },
    ]);
  });

  it('shows one cluster: sentence, worst first, edges', async () => {
    const page = WireClusterPage.parse(await json('/api/v1/clusters/eu-west-3'));
    expect(page.sentence).toBe(
      'Not so: nobody is being called for 1 diverged. Alarms are sounding, or not yet due, for 1 waiting.',
    );
    expect(page.objects.map(({ name }) => name)).toEqual(['checkout', 'api', 'control', 'payments']);
    expect(page.edges).toContainEqual({
      from: 'eu-west-3/source.toolkit.fluxcd.io/GitRepository/flux-system/control',
      to: `eu-west-3/${kustomizeGroup}/Kustomization/flux-system/checkout`,
      relation: 'source',
    });
  });

  it('shows the fleet: rows worst first, the sentence, causes with what they take down', async () => {
    const fleet = WireFleet.parse(await json('/api/v1/fleet'));
    expect(fleet.rows.map((row) => row.cluster)).toEqual(['eu-west-3', 'us-east-1']);
    expect(fleet.columns.map(({ group, title }) => `${group}/${title}`)).toEqual([
      'sources/control',
      'apps/checkout',
      'apps/payments',
      'releases/api',
    ]);
    expect(fleet.rows.map((row) => row.cells)).toEqual(['cDcW', 'ccc ']);
    expect(fleet.rows[0]?.marks[0]).toEqual({
      c: 1,
      n: 1,
      commit: goodCommit.slice(0, 7),
      alarm: 'silent',
      broken: 'rule',
      href: `/clusters/eu-west-3/${kustomizeGroup}/Kustomization/flux-system/checkout`,
      commitHref: `https://github.com/acme/control-repo/commit/${goodCommit}`,
      say: 'since 21 Nov 01:00 UTC, BuildFailed',
      since: '2026-11-21T01:00:00.000Z',
    });
    expect(fleet.summary.guarantee).toMatchObject({ truth: 'broken', broken: 1, lead: 'Not so on 1 of 2 clusters:' });
    expect(fleet.summary.causes).toMatchObject([{ objects: 2, verdict: 'diverged', alarm: 'silent' }]);
    expect(fleet.summary.simulated).toBe(true);
    expect(fleet.hint).toBeNull();
  });

  it.each([
    ['cluster=us-east-1', 3],
    ['cluster=us-east-1,eu-west-3', 7],
    ['reconciler=helm', 1],
    [`group=${kustomizeGroup}`, 4],
    ['kind=GitRepository', 2],
    ['namespace=flux-system', 7],
    ['namespace=-', 0],
    ['name=checkout', 2],
    ['verdict=diverged', 1],
    ['verdict=diverged,waiting', 2],
    ['silent=true', 1],
    ['silent=false', 6],
    ['q=CHECK', 2],
    ['q=buildfailed', 1],
    [`q=${goodCommit.slice(0, 8)}`, 7],
    ['cluster=us-east-1&verdict=diverged', 0],
  ])('filters objects by %s', async (query, total) => {
    const list = WireObjectList.parse(await json(`/api/v1/objects?${query}`));
    expect(list.total).toBe(total);
    expect(list.objects).toHaveLength(total);
  });

  it('counts all verdicts beside a verdict filter', async () => {
    const list = WireObjectList.parse(await json('/api/v1/objects?verdict=diverged'));
    expect(list.counts).toMatchObject({ diverged: 1, waiting: 1, converged: 5 });
  });

  it('pages through a list without losing or doubling an object', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page += 1) {
      const list = WireObjectList.parse(await json(`/api/v1/objects?limit=2&cursor=${cursor}`));
      seen.push(...list.objects.map((object) => object.links.self));
      if (list.nextCursor === null) break;
      cursor = list.nextCursor;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen).size).toBe(7);
    expect(seen[0]).toContain('/checkout');
  });

  it('says of an object whether it has changed more often than is listed', async () => {
    const broken = sampleDiverged({ name: 'checkout' });
    const change = (n: number) =>
      web.store.transition({
        ref: broken.ref,
        uid: broken.uid,
        at: sampleNow - n * 1000,
        bound: 'exact',
        noticedAt: sampleNow - n * 1000,
        from: 'converged',
        to: 'diverged',
        reason: 'BuildFailed',
        message: 'x',
        commit: goodCommit,
        attempted: `main@sha1:${badCommit}`,
        rootCause: null,
      });
    const page = async () =>
      WireObjectPage.parse(
        await json(
          `/api/v1/object?cluster=eu-west-3&group=${kustomizeGroup}&kind=Kustomization&namespace=flux-system&name=checkout`,
        ),
      );
    for (let n = 1; n < 500; n += 1) change(n);
    const whole = await page();
    expect([whole.transitions.length, whole.more]).toEqual([500, { transitions: false, gaps: false }]);
    change(500);
    const newest = await page();
    expect([newest.transitions.length, newest.more]).toEqual([500, { transitions: true, gaps: false }]);
  });

  it('shows how an object changed in the last 90 days, up to now', async () => {
    const change = (at: number, name: string) =>
      web.store.transition({
        ref: sampleObject({ name }).ref,
        uid: 'u',
        at,
        bound: 'exact',
        noticedAt: at,
        from: 'converged',
        to: 'diverged',
        reason: '',
        message: '',
        commit: null,
        attempted: null,
        rootCause: null,
      });
    const now = web.clock.now();
    const times = [now - 90 * day - 1, now - 90 * day, now + 1, now + 2];
    for (const at of times) change(at, 'payments');
    const path = `/api/v1/object?cluster=eu-west-3&group=${kustomizeGroup}&kind=Kustomization&namespace=flux-system&name=payments`;
    const { transitions } = WireObjectPage.parse(await json(path));
    expect(transitions.map(({ at }) => Date.parse(at))).toEqual([now + 1, now - 90 * day]);
  });

  it('shows one object with what it depends on, what waits for it, its record and its links', async () => {
    const page = WireObjectPage.parse(
      await json(
        `/api/v1/object?cluster=eu-west-3&group=${kustomizeGroup}&kind=Kustomization&namespace=flux-system&name=checkout`,
      ),
    );
    expect(page.object).toMatchObject({
      verdict: 'diverged',
      guarantee: 'broken',
      links: {
        tree: `https://github.com/acme/control-repo/tree/${goodCommit}/clusters/production/eu-west-3/apps/checkout`,
      },
    });
    expect(page.message).toBe('kustomize build failed: missing file, in full');
    const end = (commit: string) => ({
      text: commit.slice(0, 7),
      commit,
      href: `https://github.com/acme/control-repo/commit/${commit}`,
    });
    expect(page.object.range).toEqual({
      lastGood: end(goodCommit),
      firstBad: end(badCommit),
      seenBetween: 0,
      watched: true,
      text: 'worked at 2d81a0c, first failed at 9f31c07',
    });
    expect(page.upstreams.map(({ relation, ref }) => `${relation} ${ref.name}`)).toEqual(['source control']);
    expect(page.waitsForThis.map(({ name }) => name)).toEqual(['api']);
    expect(page.gaps).toEqual([
      {
        from: '2026-11-21T00:10:00.000Z',
        to: '2026-11-21T00:40:00.000Z',
        state: 'unreachable',
        reason: 'no route',
      },
    ]);
    expect(page.transitions).toMatchObject([{ from: 'converged', to: 'diverged', at: '2026-11-21T01:00:00.000Z' }]);
    expect(page.elsewhere).toEqual({
      clusters: 1,
      converged: 1,
      atCommit: { commit: badCommit, clusters: 0, converged: 0, away: 0 },
    });
    expect(page.lastAttempt).toBe('2026-11-21T01:59:30.000Z');
    expect(page.nextAttempt).toBe('2026-11-21T02:00:30.000Z');
    expect(page.commands[0]).toBe('flux get kustomizations checkout -n flux-system --context eu-west-3');
  });

  it('documents itself from the schemas', async () => {
    const document = await json('/api/v1/openapi.json');
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: { '/api/v1/objects': { get: { responses: { 200: {} } } } },
      components: { schemas: Object.fromEntries(schemaNames.map((name) => [name, {}])) },
    });
    const { headers } = await web.get('/api/v1/openapi.json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const etag = headers.get('etag') ?? '';
    expect((await web.get('/api/v1/openapi.json', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

describe('refusals', () => {
  it.each([
    ['/api/v1/objects?knid=x', 400, { parameter: 'knid', type: '/problems/unknown-parameter' }],
    ['/api/v1/clusters?cluster=x', 400, { parameter: 'cluster' }],
    ['/api/v1/objects?verdict=gone', 400, { parameter: 'verdict' }],
    ['/api/v1/objects?limit=0', 400, { parameter: 'limit' }],
    ['/api/v1/objects?limit=1&limit=2', 400, { parameter: 'limit' }],
    ['/api/v1/objects?cursor=xx', 400, { parameter: 'cursor' }],
    ['/api/v1/objects?__proto__=x', 400, { parameter: '__proto__' }],
    ['/api/v1/fleet?columns=colour', 400, { parameter: 'columns' }],
    ['/api/v1/fleet?at=yesterday', 400, { parameter: 'at', detail: 'at: must be a time as in RFC 3339, or ms' }],
    ['/api/v1/exemptions?at=2026-11-20T00:00:00Z', 400, { parameter: 'at', type: '/problems/unknown-parameter' }],
    ['/api/v1/object?kind=Kustomization', 400, { parameter: 'cluster' }],
    ['/api/v1/stream?topic=weather', 400, { parameter: 'topic' }],
    ['/api/v1/stream', 400, { detail: 'topic: must be one of summary, fleet, cluster, object, incidents' }],
    ['/api/v1/nothing', 404, { type: '/problems/not-found', detail: 'The API has no /api/v1/nothing.' }],
    [
      '/api/v1/clusters/eu-west-4',
      404,
      { detail: 'There is no cluster eu-west-4.', nearest: [{ cluster: 'eu-west-3' }] },
    ],
    [
      '/api/v1/object?cluster=eu-west-3&kind=Node&name=n1',
      404,
      { detail: 'There is no Node n1 on eu-west-3.', nearest: [] },
    ],
    ['/api/v1/clusters/%E0%A4%A', 400, { type: '/problems/bad-address' }],
    [
      `/api/v1/object?cluster=eu-west-3&group=${kustomizeGroup}&kind=Kustomization&namespace=flux-system&name=chekout`,
      404,
      {
        detail: 'There is no Kustomization flux-system/chekout on eu-west-3.',
        nearest: [{ name: 'checkout', cluster: 'eu-west-3' }],
      },
    ],
    ['/fleet', 404, { detail: 'This process serves the API only.' }],
  ])('%s is %i', async (path, status, problem) => {
    const response = await web.get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await response.json()).toMatchObject({ status, ...problem });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is refused everywhere', async (method) => {
    for (const path of ['/', '/api/v1/objects', '/api/v1/stream?topic=summary', '/healthz']) {
      const response = await web.get(path, { method });
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
      expect(await response.json()).toMatchObject({ status: 405, type: '/problems/method-not-allowed' });
    }
  });
});

describe('every answer', () => {
  it.each([
    '/',
    '/api/v1/clusters',
    '/api/v1/objects?x=1',
    '/api/v1/openapi.json',
    '/healthz',
    '/readyz',
    '/api/v1/stream?topic=summary',
  ])('%s carries the security headers', async (path) => {
    const response = await web.get(path);
    const { 'content-security-policy': policy, ...sent } = Object.fromEntries(response.headers);
    expect(sent).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-permitted-cross-domain-policies': 'none',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
    });
    const [, nonce] = /'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy ?? '') ?? [];
    expect(policy?.split('; ')).toEqual([
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}'`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    await response.body?.cancel();
  });

  it('is never kept in between', async () => {
    expect((await web.get('/api/v1/fleet')).headers.get('cache-control')).toBe('no-store');
  });

  it('has no body for HEAD, and the same length', async () => {
    const head = await web.get('/api/v1/openapi.json', { method: 'HEAD', headers: { 'Accept-Encoding': 'identity' } });
    const get = await web.get('/api/v1/openapi.json', { headers: { 'Accept-Encoding': 'identity' } });
    expect(await head.text()).toBe('');
    expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
  });

  it.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('is compressed as the client takes it: %s', async (accepted, encoding) => {
    const { headers, body } = await raw('/api/v1/objects', accepted);
    expect(headers['content-encoding'] ?? null).toBe(encoding);
    const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
    expect(WireObjectList.parse(JSON.parse(plain.toString())).total).toBe(7);
  });
});

function raw(path: string, accepted: string): Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    http
      .get(`${web.origin}${path}`, { headers: { 'accept-encoding': accepted } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(parts) }));
      })
      .on('error', reject);
  });
}

describe('health and metrics', () => {
  it('is ready once the store was read', async () => {
    expect((await web.get('/readyz')).status).toBe(200);
    expect((await web.get('/healthz')).status).toBe(200);
  });

  it('counts the picture', async () => {
    const text = await web.scrape();
    expect(text).toMatch(/^plumbline_web_objects 7$/m);
    expect(text).toMatch(/^plumbline_web_clusters 2$/m);
  });
});

describe('green does not outlive its proof', () => {
  async function states(): Promise<{ verdicts: string[]; truth: string; trouble: string | null }> {
    const list = WireObjectList.parse(await json('/api/v1/objects'));
    const fleet = WireFleet.parse(await json('/api/v1/fleet'));
    return {
      verdicts: [...new Set(list.objects.map(({ verdict }) => verdict))],
      truth: fleet.summary.guarantee.truth,
      trouble: fleet.summary.trouble,
    };
  }

  it('a store that cannot be read is said, and all that it vouched for expires', async () => {
    web.store.fail('disk I/O error');
    await web.advance(1_500);
    expect((await states()).trouble).toBe('disk I/O error');
    expect((await states()).verdicts).toContain('converged');
    await web.advance(60_000);
    const after = await states();
    expect(after.verdicts).toEqual(['unobserved']);
    expect(after.truth).not.toBe('holds');
    web.store.fail(null);
    for (const name of ['eu-west-3', 'us-east-1'])
      web.store.cluster(sampleCluster(name, { validUntil: sampleNow + 600_000 }));
    await web.advance(1_500);
    expect(await states()).toMatchObject({ trouble: null, verdicts: ['diverged', 'waiting', 'converged'] });
  });

  it('a collector that is gone is said', async () => {
    await web.advance(121_000);
    expect(await states()).toEqual({
      verdicts: ['unobserved'],
      truth: 'unknown',
      trouble: 'The collector has said nothing for 2 min: nothing here is known to be so any more.',
    });
  });

  it('a loop without a sign of life turns stale by the clock alone, and back when one is confirmed', async () => {
    web.store.cluster(sampleCluster('us-east-1', { validUntil: sampleNow + hour }));
    await web.advance(300);
    web.clock.set(sampleNow + 601_000);
    const fleet = WireFleet.parse(await json('/api/v1/fleet?cluster=us-east-1'));
    expect(fleet.rows[0]?.cells).toBe('SSS');
    const ref = sampleObject({ cluster: 'us-east-1', name: 'checkout' }).ref;
    web.store.write({
      type: 'confirmed',
      ref,
      confirmedAt: sampleNow + 601_000,
      observedAt: sampleNow + 601_000,
      validUntil: sampleNow + 1_200_000,
    });
    await web.advance(300);
    expect(WireFleet.parse(await json('/api/v1/fleet?cluster=us-east-1')).rows[0]?.cells).toBe('ScS');
  });

  it('another store in the same place starts the fleet cache anew', async () => {
    web.store.replace();
    web.store.cluster(sampleCluster('ap-1'));
    await web.advance(500);
    expect(WireClusterList.parse(await json('/api/v1/clusters')).clusters.map(({ name }) => name)).toEqual(['ap-1']);
  });

  it('a store that is gone is said', async () => {
    web.store.vanish();
    await web.advance(500);
    expect((await states()).trouble).toBe('The store is not there yet.');
  });

  it('no cluster at all is no truth, and says what to configure', async () => {
    web.store.replace();
    await web.advance(500);
    const fleet = WireFleet.parse(await json('/api/v1/fleet'));
    expect(fleet.summary.guarantee.truth).toBe('empty');
    expect(fleet.hint).toContain('clusters:');
  });
});
