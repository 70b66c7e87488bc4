import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WireAlarms } from '#lib/api/alarm/alarms.ts';
import { WireLink } from '#lib/api/embed.ts';
import { WireFleet, type WireFleetSummary } from '#lib/api/fleet.ts';
import { hour } from '#lib/domain/time/length.ts';
import { refParams } from '#lib/api/paths.ts';
import { apiDocument } from '#server/web/endpoints/answer-api.ts';
import { fakeSha } from '#server/web/testing/fake-git.ts';
import { memoryStore } from '#server/web/testing/memory-reader.ts';
import { runningWeb } from '#server/web/testing/running-web.ts';
import { sampleNow } from '#server/web/testing/sample.ts';
import { canaryAlarms } from './canary/canary-alarms.ts';
import { canaryClusters, canaryObjects, canaryOf, own, roots, waiting } from './canary/canary-fleet.ts';
import { apps, canaries, digitsOf, here, ops, repositoryOf, there } from './canary/canary-words.ts';
import {
  type Answer,
  canaryWeb,
  type CanaryWeb,
  leaksIn,
  outside,
  partial,
  type ViewerName,
} from './canary/canary-web.ts';

/** Fewer than one who asks may have under way. */
const atOnce = 4;

let running: CanaryWeb;
beforeAll(async () => {
  running = await canaryWeb();
});
afterAll(() => running.stop());

/** Values for what an address must name. */
const values: Readonly<Record<string, string>> = { ...refParams(waiting), id: 'abcdefgh0001', sha: fakeSha('3') };

/** Queries with which every endpoint is asked, each with those of their parameters that it knows. */
function queries(): readonly string[] {
  const { cluster = '', kind = '', namespace = '', name = '', group = '' } = values;
  const ref = new URLSearchParams({ cluster, group, kind, namespace, name }).toString();
  const others = new URLSearchParams(refParams(own)).toString();
  const objects = [own, waiting, ...Object.values(roots)].map((of) =>
    [of.cluster, of.group, of.kind, of.namespace, of.name].join('/'),
  );
  const ofGit = Object.values(canaries).flatMap((canary) => {
    const [from, , to] = digitsOf[canary].map(fakeSha);
    const repository = encodeURIComponent(repositoryOf(canary));
    return [
      ...objects.map((object) => `object=${object}&from=${from}&to=${to}`),
      `repository=${repository}&left=clusters/${canary}&right=clusters/${canary}/right&file=file-${canary}.yaml`,
      `repository=${repository}&sha=${to}&shas=${from},${to}`,
    ];
  });
  const guesses = [canaries.elsewhere, canaries.beside, canaries.home].map((word) => word.slice(0, -1));
  return [
    '',
    'format=csv',
    'format=md',
    'format=html',
    `format=md&last=30d&cluster=${here}`,
    `at=${sampleNow - hour}`,
    `at=${sampleNow - hour}&format=csv`,
    'period=last-30-days',
    'period=last-30-days&format=csv',
    'last=30d',
    'last=30d&format=csv',
    'called=no&last=30d',
    'causes=all',
    'limit=500',
    ref,
    others,
    `${others}&at=${sampleNow - hour}`,
    `cluster=${here}`,
    `left=${here}&right=${here}`,
    `alertname=x&kind=Kustomization&name=root`,
    ...ofGit,
    ...objects.map((object) => `object=${object}`),
    `object=${objects.join(',')}`,
    ...guesses.flatMap((word) => [
      `q=${word}`,
      `fingerprint=calls-root-${word}`,
      `name=root-${word}&kind=Kustomization`,
    ]),
    // Names that are nearly those of what lies outside.
    `cluster=${there.slice(0, -1)}`,
    `namespace=${ops.slice(0, -1)}`,
    `namespace=${apps.slice(0, -1)}`,
    `by=by-canary-fa`,
    `source=there-canary-fa`,
    `label=environment%3Dcanary-fa`,
    `scope=cluster:${here}`,
    `scope=cluster:${there.slice(0, -1)}`,
    'scope=fleet',
    `kind=Kustomizatio`,
  ];
}

const Paths = z.record(
  z.string(),
  z.object({ get: z.object({ parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]) }) }),
);

const Total = z.object({ total: z.number() });

/** Every address of the API that can be asked for: a new endpoint is among them by itself. */
function addresses(): readonly string[] {
  const paths = Object.entries(Paths.parse(apiDocument().paths)).filter(([path]) => !path.endsWith('/stream'));
  const shas = Object.values(digitsOf).map(([, , last]) => fakeSha(last));
  return paths.flatMap(([path, { get }]) => {
    const known = new Set(get.parameters.filter((one) => one.in === 'query').map(({ name }) => name));
    const named = path.endsWith('/clusters/{name}') ? { ...values, name: here } : values;
    const fill = (more: Readonly<Record<string, string>>): string =>
      path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
        encodeURIComponent(more[name] ?? Object.entries(named).find(([key]) => key === name)?.[1] ?? name),
      );
    // A link from a pager carries whatever labels its alert has.
    const keeps = (name: string): boolean => known.has(name) || path.endsWith('/go');
    const asked = queries().map((query) => [...new URLSearchParams(query)].filter(([name]) => keeps(name)));
    const texts = new Set(asked.map((pairs) => new URLSearchParams(pairs).toString()));
    const filled = [...texts].map((query) => (query === '' ? fill({}) : `${fill({})}?${query}`));
    return [...filled, ...(path.includes('{sha}') ? shas.map((sha) => fill({ sha })) : [])];
  });
}

/** Asks every address, a few at once. */
async function walk(name: ViewerName, look: (address: string, answer: Answer) => void): Promise<void> {
  // Of every incident that there is: one that lies outside is asked for by its name too.
  const incidents = await running.ask('whole', '/api/v1/incidents');
  const ids = [...new Set([...incidents.body.matchAll(/"id":"(\w{12})"/g)].map(([, id = '']) => id))];
  expect(ids.length).toBeGreaterThan(2);
  const ofIncidents = ids.flatMap((id) => [
    `/api/v1/incidents/${id}`,
    `/api/v1/suspects?incident=${id}`,
    `/api/v1/commits-between?incident=${id}&object=${[own.cluster, own.group, own.kind, own.namespace, own.name].join('/')}`,
  ]);
  const all = [...addresses(), ...ofIncidents];
  for (let at = 0; at < all.length; at += atOnce)
    await Promise.all(
      all.slice(at, at + atOnce).map(async (address) => look(address, await running.ask(name, address, signs))),
    );
}

/** Without it the making of links is answered by nothing but that it must be there. */
const signs = { 'plumbline-link': 'sign' };

describe('bytes of the API', { timeout: 240_000 }, () => {
  // First: what is kept of it then must serve nobody else.
  it('hold each word for who sees everything, in most endpoints', async () => {
    const told = new Map<string, Set<string>>();
    await walk('whole', (address, { body }) => {
      const [path = ''] = address.split('?');
      for (const canary of Object.values(canaries))
        if (body.includes(canary)) told.set(canary, (told.get(canary) ?? new Set()).add(path));
    });
    for (const canary of Object.values(canaries))
      expect([canary, (told.get(canary)?.size ?? 0) >= 30]).toEqual([canary, true]);
  });

  it.each(partial)('hold nothing that lies outside of the view by %s', async (name) => {
    let answered = 0;
    const types = new Set<string>();
    const leaks: string[] = [];
    await walk(name, (address, { status, body, type }) => {
      if (status === 200) {
        answered += 1;
        types.add(type.split(';')[0] ?? '');
      }
      leaks.push(...leaksIn(name, address, body));
    });
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(190);
    expect([...types].toSorted()).toEqual(['application/json', 'text/csv', 'text/html', 'text/markdown']);
  });
});

it('answers of what lies outside as of what does not exist', { timeout: 60_000 }, async () => {
  for (const name of partial) {
    const words = async (path: string, asked: string): Promise<unknown> => {
      const { status, body } = await running.ask(name, path);
      return [status, body.replaceAll(asked, 'NAME')];
    };
    const sees = outside[name];
    const hidden = canaryObjects.filter(({ ref }) => sees.includes(canaryOf(ref)));
    expect(hidden.length).toBeGreaterThan(1);
    for (const { ref } of hidden) {
      const pathOf = (of: string): string =>
        `/api/v1/objects/${[ref.cluster, ref.group, ref.kind, ref.namespace, of].map(encodeURIComponent).join('/')}`;
      const query = (of: string): string => `/api/v1/object?${new URLSearchParams({ ...ref, name: of }).toString()}`;
      for (const path of [pathOf, query])
        expect(await words(path(ref.name), ref.name)).toEqual(await words(path('zzzzzzzz'), 'zzzzzzzz'));
    }
    const paths = [
      '/api/v1/clusters/NAME',
      '/api/v1/objects?cluster=NAME',
      '/api/v1/alarms?cluster=NAME',
      '/api/v1/report?cluster=NAME',
    ];
    const asOther = (path: string, of: string): Promise<unknown> => words(path.replace('NAME', of), of);
    for (const path of sees.includes(canaries.elsewhere) ? paths : [])
      expect(await asOther(path, there)).toEqual(await asOther(path, 'zzzzzzzzzzzzz'));
  }
});

it('counts what a fleet of nothing else would', { timeout: 60_000 }, async () => {
  for (const name of partial) {
    const alone = memoryStore();
    const seen = canaryObjects.filter(
      ({ ref }) => (name === 'everywhere' || ref.cluster === here) && !outside[name].includes(canaryOf(ref)),
    );
    for (const cluster of canaryClusters)
      if (seen.some(({ ref }) => ref.cluster === cluster.name)) alone.cluster(cluster);
    for (const object of seen) alone.object(object);
    const other = await runningWeb(null, {}, { ...alone, alarms: canaryAlarms() });
    await other.advance(5_000);
    const numbers = async (path: string): Promise<readonly [unknown, unknown]> => {
      const own = await running.ask(name, path);
      const expected = await other.get(path);
      return [JSON.parse(own.body), await expected.json()];
    };
    const [fleet, fleetAlone] = (await numbers('/api/v1/fleet')).map((body) => WireFleet.parse(body).summary);
    const figures = (summary: WireFleetSummary | undefined): unknown => {
      if (summary === undefined) return null;
      const { counts, objects, clusters, guarantee, exempt, causesTotal } = summary;
      return { counts, objects, clusters, exempt, truth: guarantee.truth, causesTotal };
    };
    expect([name, figures(fleet)]).toEqual([name, figures(fleetAlone)]);
    for (const path of ['/api/v1/objects', '/api/v1/exemptions']) {
      const [list, listAlone] = (await numbers(path)).map((body) => Total.parse(body).total);
      expect([name, path, list]).toEqual([name, path, listAlone]);
    }
    const [alarms, alarmsAlone] = (await numbers('/api/v1/alarms')).map((body) => WireAlarms.parse(body));
    expect([name, alarms?.totals, alarms?.kindsTotal]).toEqual([name, alarmsAlone?.totals, alarmsAlone?.kindsTotal]);
    await other.stop();
  }
});

it('signs links within a view alone, and to who has the role for it', async () => {
  const sign = async (name: ViewerName, scope: string, role = ''): Promise<unknown> => {
    const answer = await running.ask(name, `/api/v1/link?${new URLSearchParams({ scope }).toString()}`, {
      'x-role': role,
      ...signs,
    });
    return answer.status === 200 ? WireLink.parse(JSON.parse(answer.body)) : answer.status;
  };
  // Without keys nothing is signed to anybody, and that is said to whoever may ask.
  expect(await sign('whole', 'fleet')).toMatchObject({ why: 'not-configured' });
  expect(await sign('cluster', `cluster:${here}`)).toMatchObject({ why: 'not-configured' });
  expect(await sign('cluster', 'fleet')).toBe(404);
  expect(await sign('namespace', `cluster:${here}`)).toBe(404);
  expect(await sign('whole', 'fleet', 'viewer')).toMatchObject({ why: 'not-link-maker' });
});
