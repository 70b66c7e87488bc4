import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IncomingMessage } from 'node:http';
import { wholeScope, type ViewScope } from '#lib/domain/access/scope.ts';
import { anybody, type Viewer } from '#lib/domain/access/viewer.ts';
import { WireLink } from '#lib/api/embed.ts';
import { WireFleet } from '#lib/api/fleet.ts';
import { hour } from '#lib/domain/time/length.ts';
import { refParams } from '#lib/api/paths.ts';
import { apiDocument } from '../endpoints/answer-api.ts';
import { memoryStore } from '../testing/memory-reader.ts';
import { accessOfViewers, runningWeb, type RunningWeb } from '../testing/running-web.ts';
import { sampleNow, sampleRef } from '../testing/sample.ts';
import { apps, canaries, canaryClusters, canaryObjects, fillWithCanaries, here } from './testing/canary-fleet.ts';

const grants = (namespaces: readonly string[] | null): ViewScope => ({
  type: 'grants',
  grants: [{ clusters: [here], labels: {}, namespaces }],
});
const viewers = { whole: wholeScope, cluster: grants(null), namespace: grants([apps]) } as const;
type Name = keyof typeof viewers;
const outside: Readonly<Record<Name, readonly string[]>> = {
  whole: [],
  cluster: [canaries.elsewhere],
  namespace: [canaries.elsewhere, canaries.beside],
};

/** Fewer than one who asks may have under way. */
const atOnce = 4;

let web: RunningWeb;

function viewerOf({ headers }: IncomingMessage): Viewer {
  const name = (['whole', 'cluster', 'namespace'] as const).find((one) => one === headers['x-viewer']);
  const roles = headers['x-role'] === 'viewer' ? new Set(['viewer'] as const) : anybody.roles;
  return { ...anybody, roles, scope: viewers[name ?? 'whole'] };
}

beforeAll(async () => {
  const store = memoryStore();
  fillWithCanaries(store);
  web = await runningWeb(null, {}, store, null, accessOfViewers(viewerOf));
  await web.advance(5_000);
});

afterAll(() => web.stop());

async function ask(name: Name, path: string): Promise<{ readonly status: number; readonly body: string }> {
  const headers = { 'x-viewer': name, 'x-requested-with': 'plumbline' };
  const answer = await web.get(path, { headers });
  return { status: answer.status, body: await answer.text() };
}

const broken = sampleRef({ cluster: here, namespace: apps, name: 'by-near' });
/** Values for what an address must name. */
const values: Readonly<Record<string, string>> = { ...refParams(broken), id: 'abcdefgh0001', sha: '2d81a0c' };

/** Every address of the API that can be asked for without a name that must be given: a new endpoint is among them by itself. */
function addresses(): readonly string[] {
  const paths = Object.keys(apiDocument().paths ?? {}).filter((path) => !path.endsWith('/stream'));
  return paths.flatMap((path) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? name));
    const { cluster = '', kind = '', namespace = '', name = '', group = '' } = values;
    const ref = new URLSearchParams({ cluster, group, kind, namespace, name }).toString();
    return [
      filled,
      `${filled}?format=csv`,
      `${filled}?at=${sampleNow - hour}`,
      `${filled}?period=last-30-days`,
      `${filled}?causes=all`,
      `${filled}?${ref}`,
      `${filled}?cluster=${here}`,
      `${filled}?left=${here}&right=${here}`,
      `${filled}?alertname=x&kind=Kustomization&name=root`,
    ];
  });
}

describe('bytes of the API', { timeout: 120_000 }, () => {
  it.each(['cluster', 'namespace'] as const)('hold nothing that lies outside of the view by %s', async (name) => {
    let answered = 0;
    const leaks: string[] = [];
    await walk(name, (address, { status, body }) => {
      if (status === 200) answered += 1;
      for (const canary of outside[name]) if (body.includes(canary)) leaks.push(`${address}: ${around(body, canary)}`);
    });
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(60);
  });

  it('hold it for who sees everything', async () => {
    let found = 0;
    await walk('whole', (_address, { body }) => {
      if (body.includes(canaries.elsewhere) || body.includes(canaries.beside)) found += 1;
    });
    expect(found).toBeGreaterThan(40);
  });
});

/** Asks every address, a few at once. */
async function walk(
  name: Name,
  look: (address: string, answer: Awaited<ReturnType<typeof ask>>) => void,
): Promise<void> {
  const all = addresses();
  for (let at = 0; at < all.length; at += atOnce)
    await Promise.all(all.slice(at, at + atOnce).map(async (address) => look(address, await ask(name, address))));
}

function around(body: string, canary: string): string {
  const at = body.indexOf(canary);
  return body.slice(Math.max(0, at - 120), at + 60);
}

describe('streams', { timeout: 60_000 }, () => {
  const topics = [
    'topic=summary',
    'topic=fleet',
    'topic=incidents',
    `topic=cluster&cluster=${here}`,
    `topic=object&${new URLSearchParams({ ...broken }).toString()}`,
  ];

  it.each(['cluster', 'namespace'] as const)('tell nothing that lies outside of the view by %s', async (name) => {
    for (const topic of topics) {
      const frames = await begin(name, topic);
      expect(frames).toContain('event: reset');
      for (const canary of outside[name]) expect(frames).not.toContain(canary);
    }
    expect(await begin('whole', 'topic=summary')).toContain(canaries.elsewhere);
  });
});

/** The first that a stream tells. */
async function begin(name: Name, topic: string): Promise<string> {
  const stop = new AbortController();
  const response = await web.get(`/api/v1/stream?${topic}`, { headers: { 'x-viewer': name }, signal: stop.signal });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  stop.abort();
  return new TextDecoder().decode(first?.value);
}

it('counts what a fleet of nothing else would', async () => {
  for (const name of ['cluster', 'namespace'] as const) {
    const alone = memoryStore();
    const seen = canaryObjects.filter(
      ({ ref }) => ref.cluster === here && (name === 'cluster' || ref.namespace === apps),
    );
    for (const cluster of canaryClusters) if (cluster.name === here) alone.cluster(cluster);
    for (const object of seen) alone.object(object);
    const other = await runningWeb(null, {}, alone);
    await other.advance(5_000);
    const [own, expected] = await Promise.all([
      ask(name, '/api/v1/fleet').then(({ body }) => WireFleet.parse(JSON.parse(body))),
      other.get('/api/v1/fleet').then(async (answer) => WireFleet.parse(await answer.json())),
    ]);
    await other.stop();
    const { counts, objects, clusters, guarantee, exempt } = own.summary;
    const { summary } = expected;
    expect({ counts, objects, clusters, exempt, truth: guarantee.truth }).toEqual({
      counts: summary.counts,
      objects: summary.objects,
      clusters: summary.clusters,
      exempt: summary.exempt,
      truth: summary.guarantee.truth,
    });
  }
});

it('answers of what lies outside as of what does not exist', async () => {
  const words = async (path: string, name: string): Promise<unknown> => {
    const { status, body } = await ask('namespace', path);
    return [status, body.replaceAll(name, 'NAME')];
  };
  const there = canaryClusters[1]?.name ?? '';
  expect(await words(`/api/v1/clusters/${there}`, there)).toEqual(await words('/api/v1/clusters/zzzzzzzz', 'zzzzzzzz'));
  const hidden = canaryObjects.filter(({ ref }) => ref.cluster === there || ref.namespace !== apps);
  expect(hidden.length).toBeGreaterThan(2);
  for (const { ref } of hidden) {
    const pathOf = (name: string): string =>
      `/api/v1/objects/${[ref.cluster, ref.group, ref.kind, ref.namespace, name].map(encodeURIComponent).join('/')}`;
    expect(await words(pathOf(ref.name), ref.name)).toEqual(await words(pathOf('zzzzzzzz'), 'zzzzzzzz'));
  }
});

it('signs links within a view alone, and to who has the role for it', async () => {
  const sign = async (name: Name, scope: string, role = ''): Promise<unknown> => {
    const headers = { 'x-viewer': name, 'x-role': role, 'plumbline-link': 'sign' };
    const answer = await web.get(`/api/v1/link?${new URLSearchParams({ scope }).toString()}`, { headers });
    return answer.status === 200 ? WireLink.parse(await answer.json()) : answer.status;
  };
  // Without keys nothing is signed to anybody, and that is said to whoever may ask.
  expect(await sign('whole', 'fleet')).toMatchObject({ why: 'not-configured' });
  expect(await sign('cluster', `cluster:${here}`)).toMatchObject({ why: 'not-configured' });
  expect(await sign('cluster', 'fleet')).toBe(404);
  expect(await sign('namespace', `cluster:${here}`)).toBe(404);
  expect(await sign('whole', 'fleet', 'viewer')).toMatchObject({ why: 'not-link-maker' });
});
