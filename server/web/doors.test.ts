import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isNormalTarget } from '#lib/domain/address/normal-path.ts';
import * as paths from '#lib/api/paths.ts';
import { parseScope, scopePath } from '#lib/domain/matrix/embed-scope.ts';
import { parseConfig } from '#server/config/load-config.ts';
import { hostileTargets } from '#test/hostile/targets.ts';
import type { PageMount } from './request-handler.ts';
import { memoryStore } from './testing/memory-reader.ts';
import { rawRequest } from './testing/raw-request.ts';
import { runningWeb, type RunningWeb } from './testing/running-web.ts';

let web: RunningWeb;
let pages: string[];

beforeAll(async () => {
  const mount: PageMount = {
    handle: async (request, response) => {
      pages.push(request.url ?? '');
      response.end('page');
    },
    close: () => Promise.resolve(),
  };
  web = await runningWeb(mount, undefined, memoryStore(), 'https://plumbline.example.org');
});
beforeEach(() => {
  pages = [];
});
afterAll(() => web.stop());

describe('an address', () => {
  it.each(hostileTargets)('%j is refused before anything is asked', async (target) => {
    const { status, type, body } = await rawRequest(web.origin, target);
    expect([status, type]).toEqual([400, 'application/problem+json; charset=utf-8']);
    expect(JSON.parse(body)).toMatchObject({ type: '/problems/bad-address', status: 400 });
    expect(pages).toEqual([]);
  });

  it('whose page is asked for with a state of the router that Next cannot read is refused, before Next writes of it', async () => {
    const ask = async (state: string): Promise<number> => {
      const answer = await fetch(`${web.origin}/clusters`, { headers: { RSC: '1', 'Next-Router-State-Tree': state } });
      await answer.text();
      return answer.status;
    };
    expect([await ask('x'), await ask(''), await ask('%5B%5D')]).toEqual([400, 400, 400]);
    expect(pages).toEqual([]);
    expect(await ask('%5B%22%22%2C%7B%7D%5D')).toBe(200);
  });

  it('is made by these functions alone', () => {
    const others = ['refFromSegments', 'refParams'];
    const makers = [
      'absences',
      'alarms',
      'changes',
      'cluster',
      'commit',
      'commits',
      'compare',
      'corrections',
      'exemptions',
      'go',
      'history',
      'incident',
      'incidents',
    ];
    const known = [...[...makers, 'list', 'object', 'reports'].map((name) => `${name}Path`), 'pathAt', ...others];
    // A new one goes into the list below, too.
    expect(Object.keys(paths).toSorted()).toEqual(known.toSorted());
  });

  it('that our pages link to passes, whatever Kubernetes calls an object', async () => {
    const ref = { cluster: 'eu@1:x', group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', namespace: '', name: '' };
    const names = [
      'system:node',
      "a b!'()*~",
      'caf\u00e9',
      'a..b',
      '...',
      '-',
      '\u{1f600}',
      'x;y=z,&$+@',
      'a[0]',
      'a?b#c',
    ];
    const query = { q: '../%2e\\', from: '2026-11-21T02:12:20Z', label: 'a/b=c' };
    const filtered = [
      paths.goPath,
      paths.commitsPath,
      paths.comparePath,
      paths.historyPath,
      paths.absencesPath,
      paths.alarmsPath,
      paths.incidentsPath,
      paths.correctionsPath,
      paths.listPath,
    ];
    const ofTime = [paths.exemptionsPath, paths.changesPath, paths.reportsPath];
    const made = [
      ...names.flatMap((name) => [
        paths.objectPath({ ...ref, name }),
        paths.clusterPath(name),
        paths.incidentPath(name),
      ]),
      ...[...filtered, ...ofTime].map((path) => path(query)),
      ...(['/spans', '/arrivals'] as const).map((part) => paths.reportsPath(query, part)),
      paths.pathAt('/objects?q=..', '2026-11-21T02:12:20Z'),
    ];
    for (const path of made) {
      expect([path, isNormalTarget(path)]).toEqual([path, true]);
      const { status, body } = await rawRequest(web.origin, path);
      expect([path, status, body]).toEqual([path, 200, 'page']);
    }
    expect(pages).toEqual(made);
  });

  it('of an object whose name no path can carry leads to its cluster, another for each', async () => {
    const ref = { cluster: 'eu', group: '', kind: 'Pod', namespace: 'x', name: 'x' };
    const names = ['a/b', '/', 'a%2eb', '.', '..', 'a\\b', 'a\u0000', 'a\u202eb'];
    const made = names.flatMap((name) => [
      paths.objectPath({ ...ref, name }),
      paths.objectPath({ ...ref, namespace: name }),
      paths.objectPath({ ...ref, group: name }),
    ]);
    expect(new Set(made).size).toBe(made.length);
    for (const path of made) {
      // A browser keeps the fragment to itself.
      const [asked = '', fragment = ''] = path.split('#', 2);
      expect([path, asked, fragment === '']).toEqual([path, '/clusters/eu', false]);
    }
  });

  it('that a signed link carries passes; a scope that none could carry is none', () => {
    const scopes = ['fleet', 'label:topology.kubernetes.io/region=eu', 'label:a=b c', 'cluster:eu@1:x', 'column:a/b/c'];
    const object = 'object:c/rbac.authorization.k8s.io/ClusterRole//system:node';
    for (const text of [...scopes, object, 'figure:converged/last-7-days/label:a=b']) {
      const scope = parseScope(text);
      expect([text, scope !== null && isNormalTarget(scopePath(scope, 'embed'))]).toEqual([text, true]);
      expect([text, scope !== null && isNormalTarget(scopePath(scope, 'badge'))]).toEqual([text, true]);
    }
    for (const text of ['label:a=b/c', 'label:a=b\\c', 'label:a=%2e', 'cluster:..', 'column:a/../b', 'label:a=\u202eb'])
      expect([text, parseScope(text)]).toEqual([text, null]);
  });

  it('of the picture scaler of Next leads nowhere: no page uses it', async () => {
    for (const path of ['/_next/image?url=%2Fx.png&w=64&q=75', '/_next/image/', '/_next/image'])
      expect((await rawRequest(web.origin, path)).status).toBe(404);
    expect(pages).toEqual([]);
  });

  it("of Next's own page of faults leads nowhere", async () => {
    for (const path of ['/_global-error', '/_global-error/', '/_global-error.rsc', '/_global-error?x=1'])
      expect([path, (await rawRequest(web.origin, path)).status]).toEqual([path, 404]);
    expect(pages).toEqual([]);
  });

  it('with an upgrade is answered like any other', async () => {
    const upgrade = ['Host: localhost', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: x'];
    const headers = [...upgrade, 'Connection: upgrade'];
    expect((await rawRequest(web.origin, '/api/v1/nothing', headers)).status).toBe(404);
    expect((await rawRequest(web.origin, '/%2e%2e/_next', headers)).status).toBe(400);
  });
});

const everywhere = ['/', '/api/v1/clusters', '/api/v1/link?scope=fleet', '/api/v1/stream?topic=summary'];

describe('a host', () => {
  const asked = async (path: string, ...headers: string[]): Promise<number> =>
    (await rawRequest(web.origin, path, headers)).status;

  it.each(['evil.example', 'evil.example:3000', '127.0.0.1.evil.example', 'localhost.evil.example', 'x.localhost', ''])(
    '"%s" is served nothing',
    async (host) => {
      for (const path of [...everywhere, '/healthz', '/readyz', '/embed/fleet', '/badge/fleet.svg'])
        expect([path, await asked(path, `Host: ${host}`)]).toEqual([path, 421]);
      expect(pages).toEqual([]);
    },
  );

  it('is refused in words that say what to do', async () => {
    const { type, body } = await rawRequest(web.origin, '/', ['Host: evil.example']);
    expect(type).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({
      type: '/problems/misdirected',
      detail: expect.stringContaining('publicUrl of plumbline.yaml'),
    });
  });

  it('that is given twice is none', async () => {
    expect(await asked('/api/v1/clusters', 'Host: localhost', 'Host: evil.example')).toBe(421);
    expect(await asked('/api/v1/clusters', 'Host: localhost', 'X-Forwarded-Host: evil.example')).toBe(200);
  });

  it.each(['localhost', 'localhost:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:3000', 'plumbline.example.org:443'])(
    '%s is served',
    async (host) => {
      for (const path of ['/', '/api/v1/clusters', '/healthz', '/readyz'])
        expect([path, await asked(path, `Host: ${host}`)]).toEqual([path, 200]);
    },
  );

  it.each(['10.1.2.3:3000', '[fd00::1]:3000', '169.254.169.254'])(
    '%s, a pod for a probe, hears that it lives and nothing else',
    async (host) => {
      for (const path of ['/healthz', '/readyz'])
        expect(await rawRequest(web.origin, path, [`Host: ${host}`])).toMatchObject({ status: 200, body: 'ok\n' });
      for (const path of everywhere) expect([path, await asked(path, `Host: ${host}`)]).toEqual([path, 421]);
    },
  );
});

describe('a page of another site', () => {
  const asked = async (path: string, mode: string, dest: string, site = 'cross-site'): Promise<number> => {
    const fetched = [`Sec-Fetch-Site: ${site}`, `Sec-Fetch-Mode: ${mode}`, `Sec-Fetch-Dest: ${dest}`];
    return (await rawRequest(web.origin, path, ['Host: localhost', ...fetched])).status;
  };

  it.each([
    ['no-cors', 'script'],
    ['no-cors', 'image'],
    ['cors', 'empty'],
    ['navigate', 'iframe'],
    ['navigate', 'embed'],
    ['websocket', 'empty'],
    ['same-origin', 'document'],
  ])('may load nothing by %s as %s', async (mode, dest) => {
    for (const path of everywhere) expect([path, await asked(path, mode, dest)]).toEqual([path, 403]);
    expect(pages).toEqual([]);
  });

  it.each(['cross-site', 'same-site', 'same-origin, cross-site', 'none, same-site'])(
    'opens no window on anything but a page where the browser says %s',
    async (site) => {
      for (const path of [...everywhere.slice(1), '/api', '/healthz', '/readyz', '/api/v1/openapi.json'])
        expect([path, await asked(path, 'navigate', 'document', site)]).toEqual([path, 403]);
      expect(await asked('/', 'navigate', 'document', site)).toBe(200);
    },
  );

  it.each([
    ['no-cors', 'script'],
    ['cors', 'empty'],
    ['navigate', 'iframe'],
  ])('of a sibling host or another port may load nothing by %s as %s', async (mode, dest) => {
    for (const path of everywhere) expect([path, await asked(path, mode, dest, 'same-site')]).toEqual([path, 403]);
    expect(pages).toEqual([]);
  });

  it('signs no link, for it cannot send our own header', async () => {
    const get = (...more: string[]) => rawRequest(web.origin, '/api/v1/link?scope=fleet', ['Host: localhost', ...more]);
    expect(await get()).toMatchObject({ status: 403, body: expect.stringContaining('Plumbline-Link') });
    expect((await get('Sec-Fetch-Site: same-origin')).status).toBe(403);
    expect((await get('Plumbline-Link: sign', 'Sec-Fetch-Site: cross-site')).status).toBe(403);
    expect((await get('Plumbline-Link: sign', 'Sec-Fetch-Site: same-origin')).status).toBe(200);
  });

  it('may link to a page, and show embeds and badges', async () => {
    expect(await asked('/', 'navigate', 'document')).toBe(200);
    // Without a key no link opens: what answers is the embed itself.
    expect(await asked('/embed/fleet', 'navigate', 'iframe')).toBe(403);
    const { body } = await rawRequest(web.origin, '/embed/fleet', ['Host: localhost', 'Sec-Fetch-Site: cross-site']);
    expect(body).toContain('This link opens nothing');
  });

  it.each(['same-origin', 'none'])('is none where the browser says %s', async (site) => {
    expect(await asked('/api/v1/clusters', 'cors', 'empty', site)).toBe(200);
  });
});

describe('metrics', () => {
  it.each(['Host: localhost', 'Host: 127.0.0.1:3000', 'Host: plumbline.example.org'])(
    'are not where the pages are, whoever asks: a proxy that says nothing cannot be told from this machine (%s)',
    async (host) => {
      expect((await rawRequest(web.origin, '/metrics', [host])).body).not.toContain('plumbline_');
    },
  );

  it('are on a port of loopback, for this machine by its own names', async () => {
    const asked = async (...headers: string[]) => (await rawRequest(web.ownOrigin, '/metrics', headers)).status;
    expect(await asked('Host: 127.0.0.1:9465')).toBe(200);
    expect(await asked('Host: plumbline.example.org')).toBe(421);
    expect(await asked('Host: rebound.example.net:9465')).toBe(421);
    expect(await asked('Host: localhost', 'Sec-Fetch-Site: cross-site')).toBe(403);
  });
});

describe('links in what is kept elsewhere', () => {
  it('are signed for no reader where plumbline.yaml says nothing of it', async () => {
    const plain = parseConfig('embeds: { keys: ./keys.yaml }', '/nowhere');
    if (plain.type === 'invalid') throw new Error('no configuration');
    const other = await runningWeb(null, plain.config.embeds);
    onTestFinished(other.stop);
    const headers = ['Host: localhost', 'Plumbline-Link: sign'];
    const { status, body } = await rawRequest(other.origin, '/api/v1/link?scope=fleet&days=365', headers);
    expect([status, JSON.parse(body)]).toEqual([200, { type: 'not-signed', why: 'off' }]);
  });

  it('begin with publicUrl, whatever the request says of its host', async () => {
    const path = '/api/v1/report?period=last-7-days&format=md';
    const { body } = await rawRequest(web.origin, path, ['Host: localhost:9', 'X-Forwarded-Proto: http']);
    expect(body).toContain('<https://plumbline.example.org/reports');
    expect(body).not.toContain('localhost');
  });
});
