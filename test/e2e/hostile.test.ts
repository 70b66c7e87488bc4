import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamApi } from '#lib/api/stream.ts';
import { objectsApi } from '#lib/api/object-filter.ts';
import { objectApi } from '#lib/api/object.ts';
import { fleetApi } from '#lib/api/fleet.ts';
import { clustersApi } from '#lib/api/cluster.ts';
import { linkApi, WireLink } from '#lib/api/embed.ts';
import { addressOf } from '#lib/api/endpoint.ts';
import { objectPath } from '#lib/api/paths.ts';
import { simulatedKeys } from '#server/simulator/fleet/kubeconfig.ts';
import { makeFirstKey } from '#server/web/embeds/key-file.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { canaries, hostileObjects, longName, longMessage, markup, scriptUrl } from './bed/hostile-objects.ts';
import { kustomizationPath } from './bed/places.ts';
import { until } from './bed/until.ts';

const cluster = 'sbx-1';
const paths = hostileObjects.map(({ group, kind, object }) =>
  objectPath({ cluster, group, kind, namespace: object.metadata.namespace, name: object.metadata.name }),
);

let bed: Bed;
beforeAll(async () => {
  bed = await makeBed({
    logLevel: 'debug',
    before: hostileObjects.map(({ served, object }) => ({ order: 'plant', cluster, kind: served, object })),
  });
  await makeFirstKey(join(bed.dataDirectory, '..', 'fleet', simulatedKeys), Date.now());
});
afterAll(() => bed?.stop());

/** Signed links to what a page shows. */
async function linksTo(path: string): Promise<{ readonly embed: string; readonly badge: string }> {
  const [, , ...segments] = path.split('/').map((segment) => (segment === '-' ? '' : decodeURIComponent(segment)));
  const scope = segments.length === 1 ? `cluster:${segments[0]}` : `object:${segments.join('/')}`;
  const asReader = { headers: { 'Plumbline-Link': 'sign' } };
  const link = WireLink.parse(await (await fetch(bed.url + addressOf(linkApi, { scope }), asReader)).json());
  if (link.type !== 'signed') throw new Error(`no link to ${path}: ${link.why}`);
  return link;
}

describe('objects that mean harm', () => {
  it.each(paths.map((path) => [path.split('/').slice(-3).join(' ').slice(0, 60), path]))(
    'are shown as text: %s',
    async (_name, path) => {
      const { page, complaints, close } = await bed.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const harm = await page.evaluate(() => ({
        ran: document.documentElement.hasAttribute('data-harmed'),
        planted: document.querySelectorAll('main script, main iframe, main img[src="x"], main [onerror], main [onload]')
          .length,
        links: [...document.links].map((link) => link.protocol).filter((protocol) => !/^https?:$/.test(protocol)),
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      expect(harm).toEqual({ ran: false, planted: 0, links: [], wide: 0 });
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it('say their words whole, with the markup in them as text', async () => {
    const { page, close } = await bed.open(kustomizationPath(cluster, 'markup'));
    expect(await page.locator('main').innerText()).toContain(markup);
    await close();
  });

  it('have no link from a javascript: repository, and say its address', async () => {
    const path = objectPath({
      cluster,
      group: 'source.toolkit.fluxcd.io',
      kind: 'GitRepository',
      namespace: 'flux-system',
      name: 'script',
    });
    const { page, close } = await bed.open(path);
    expect(await page.locator(`a[href^="javascript" i]`).count()).toBe(0);
    expect(await page.locator('main').innerText()).toContain(scriptUrl);
    await close();
  });

  it('cannot hide in letters that are not seen or turn the direction of what follows', async () => {
    const { page, close } = await bed.open(kustomizationPath(cluster, 'turned'));
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    await close();
  });

  it.each([
    ['the desk', { width: 1440, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ])('do not break the layout with the longest name and a long message on %s', async (_where, viewport) => {
    const { page, close } = await bed.open(kustomizationPath(cluster, longName), { viewport });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBe(0);
    expect(await page.locator('main').innerText()).toContain(longMessage.slice(0, 200));
    await close();
  });

  it.each([longName, 'markup', 'turned'])('are shown as text in an embed and a badge: %s', async (name) => {
    const { embed, badge } = await linksTo(kustomizationPath(cluster, name));
    const shown = [
      { path: embed, width: 390 },
      { path: badge, width: 800 },
    ];
    for (const { path, width } of shown) {
      const { page, complaints, close } = await bed.open(path, { viewport: { width, height: 300 } });
      const harm = await page.evaluate(() => ({
        ran: document.documentElement.hasAttribute('data-harmed'),
        planted: document.querySelectorAll('main script, main iframe, main img, [onerror], [onload]').length,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      expect(harm).toEqual({ ran: false, planted: 0, wide: 0 });
      expect(complaints).toEqual([]);
      await close();
    }
  });

  it('do not break the fleet page or the cluster’s row', async () => {
    const { page, complaints, close } = await bed.open('/?cluster=sbx-1');
    await page.locator('header', { hasText: ', live' }).waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wide).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** Traces in a page of what somebody else put there. */
function harmIn(page: Page) {
  return page.evaluate(() => ({
    ran: document.documentElement.hasAttribute('data-harmed'),
    planted: document.querySelectorAll('main script, main iframe, main img[src="x"], main [onerror], main [onload]')
      .length,
    links: [...document.links].map((link) => link.protocol).filter((protocol) => !/^https?:$/.test(protocol)),
    turned: /[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText),
  }));
}
const noHarm = { ran: false, planted: 0, links: [], turned: false };

describe('lists and reports of objects that mean harm', () => {
  const today = `from=${new Date().toISOString().slice(0, 10)}`;

  it.each([
    `/reports?${today}&cluster=${cluster}`,
    `/reports/spans?${today}&cluster=${cluster}&verdict=diverged`,
    `/incidents?cluster=${cluster}`,
    `/absences?cluster=${cluster}`,
    `/changes?cluster=${cluster}`,
    `/exemptions?cluster=${cluster}`,
    `/history?cluster=${cluster}`,
  ])('are shown as text: %s', async (path) => {
    const { page, complaints, close } = await bed.open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await harmIn(page)).toEqual(noHarm);
    expect(complaints).toEqual([]);
    await close();
  });

  it('are a file of HTML that runs nothing, wherever it is opened', async () => {
    const html = await (await fetch(`${bed.url}/api/v1/report?${today}&cluster=${cluster}&format=html`)).text();
    expect(html).toContain('markup');
    const { page, close } = await bed.open('/healthz');
    await page.setContent(html);
    expect(await harmIn(page)).toEqual(noHarm);
    await close();
  });
});

describe('addresses that mean harm', () => {
  const script = encodeURIComponent(markup);

  it.each(
    [
      `/commits?branch=--output%3D%2Ftmp%2Fx&path=${script}`,
      '/commits?path=..%2F..%2F..%2Fetc%2Fpasswd',
      '/commits?path=%3A(glob)**&branch=refs%2F..%2F..%2FHEAD',
      `/compare?left=${script}&right=..%2F..&leftAt=-c&rightAt=%40%7Bu%7D&file=%00`,
      `/objects?q=${script}`,
      `/changes?from=${script}`,
      `/reports?label=${script}&cluster=${script}`,
    ].map((path) => [path.slice(0, 40), path] as const),
  )('show pages that are ours: %s', async (_name, path) => {
    const { page, close } = await bed.open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await harmIn(page)).toEqual(noHarm);
    await close();
  });

  const answers: readonly (readonly [path: string, status: number])[] = [
    ['/api/v1/commits?branch=--all', 200],
    ['/api/v1/commits?branch=a&branch=b', 400],
    ['/api/v1/commits?limit=101', 400],
    [`/api/v1/commits?path=${'a'.repeat(1_025)}`, 400],
    ['/api/v1/commits?after=--all', 400],
    ['/api/v1/commits/..%2F..', 400],
    ['/api/v1/commits/--all0000', 400],
    ['/api/v1/commits/0000000?wait=1801', 400],
    ['/api/v1/compare?left=..%2F..&leftAt=--output%3Dx', 200],
    ['/api/v1/compare?repository=file%3A%2F%2F%2Fetc', 404],
    ['/api/v1/compare?repository=ext%3A%3Ash%20-c%20id', 404],
    ['/api/v1/lag?limit=5001', 400],
    ['/api/v1/running?x=1', 400],
    [`/api/v1/commit-names?sha=${Array.from({ length: 101 }, () => 'a'.repeat(40)).join(',')}`, 400],
    [`/api/v1/suspects?object=${Array.from({ length: 101 }, (_, n) => `a/b/c/d/${n}`).join(',')}`, 400],
    ['/api/v1/suspects?wait=1501', 400],
    ['/api/v1/suspects?incident=..%2F..%2Fx', 200],
    [`/api/v1/suspects?object=${'%25'.repeat(4_000)}`, 400],
    [`/api/v1/commits?path=${'a'.repeat(20_000)}`, 431],
  ];
  it.each(answers.map(([path, status]) => [path.slice(0, 60), path, status] as const))(
    'are answered as what they are: %s',
    async (_name, path, status) => {
      const response = await fetch(`${bed.url}${path}`);
      expect(response.status).toBe(status);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('are kept by no cache for another host, encoding or query', async () => {
    for (const path of ['/', '/commits', '/reports', '/api/v1/clusters', '/api/v1/commits', '/api/v1/running']) {
      const response = await fetch(`${bed.url}${path}`, {
        headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher', Forwarded: 'host=evil.example' },
      });
      const text = await response.text();
      expect({
        path,
        kept: response.headers.get('cache-control')?.includes('no-store'),
        said: text.includes('evil.example'),
      }).toEqual({ path, kept: true, said: false });
      expect(response.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    }
  });
});

describe('secrets that were planted in objects', () => {
  /** All answers of a stream within its first moments: it is live, so it is read until the first tick. */
  async function streamed(query: string): Promise<string> {
    const ended = new AbortController();
    const response = await fetch(`${bed.url}${streamApi.path}?${query}`, { signal: ended.signal });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (/^event: (?:tick|reset)/m.test(text)) break;
    }
    ended.abort();
    return text;
  }

  function found(text: string): readonly string[] {
    return canaries.filter((canary) => text.includes(canary));
  }

  it('are in no page', async () => {
    for (const path of ['/', '/objects', `/clusters/${cluster}`, ...paths]) {
      const response = await fetch(`${bed.url}${path}`);
      const { status } = response;
      expect({ path, status, found: found(await response.text()) }).toEqual({ path, status: 200, found: [] });
    }
  });

  it('are in no embed and no badge', async () => {
    for (const path of [`/clusters/${cluster}`, ...paths]) {
      const { embed, badge } = await linksTo(path);
      for (const one of [embed, badge]) {
        const response = await fetch(`${bed.url}${one}`);
        const { status } = response;
        expect({ path, status, found: found(await response.text()) }).toEqual({ path, status: 200, found: [] });
      }
    }
  });

  it('are in no answer of the API', async () => {
    const objects = paths.map((path) => {
      const [group = '', kind = '', namespace = '', name = ''] = path.split('/').slice(3).map(decodeURIComponent);
      const query = new URLSearchParams({ cluster, group, kind, namespace: namespace === '-' ? '' : namespace, name });
      return `${objectApi.path}?${query.toString()}`;
    });
    for (const path of [
      fleetApi.path,
      clustersApi.path,
      `${clustersApi.path}/${cluster}`,
      `${objectsApi.path}?cluster=${cluster}&limit=2000`,
      ...objects,
    ]) {
      const response = await fetch(`${bed.url}${path}`);
      const { status } = response;
      expect({ path, status, found: found(await response.text()) }).toEqual({ path, status: 200, found: [] });
    }
  });

  it('are in no stream', async () => {
    const after = encodeURIComponent('2020-01-01T00:00:00Z');
    for (const query of ['topic=fleet', 'topic=summary', `topic=cluster&cluster=${cluster}`])
      expect({ query, found: found(await streamed(`${query}&after=${after}`)) }).toEqual({ query, found: [] });
  });

  it('are neither in the store nor in any log', async () => {
    const entries = await readdir(bed.dataDirectory, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toContain('plumbline.db');
    const kept: string[] = [];
    for (const { parentPath, name } of files) kept.push((await readFile(join(parentPath, name))).toString('latin1'));
    await until('the planted objects to be kept', () => kept.join('').includes(longName), 1000);
    expect(found(kept.join('\n'))).toEqual([]);
    expect(bed.logs().length).toBeGreaterThan(100);
    expect(found(bed.logs())).toEqual([]);
  });
});
