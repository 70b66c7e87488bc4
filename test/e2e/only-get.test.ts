import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken } from './bed/places.ts';

let bed: Bed;
beforeAll(async () => {
  bed = await makeBed({ before: [{ order: 'lose', cluster: 'ap-northeast-1' }] });
});
afterAll(() => bed?.stop());

/** Number of pages that a crawl opens at most, and number of one shape: a thousand objects have the same page. */
const most = { pages: 40, ofOneShape: 5 };

/** Shape of a link, without the names in it: two pages of one shape are drawn by the same code. */
function shapeOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://plumbline');
  const [, place = '', ...rest] = pathname.split('/');
  const kind = rest.length > 2 ? `/${rest[2]}` : '';
  return `${place}/${rest.length}${kind}?${[...searchParams.keys()].toSorted().join('&')}`;
}

function linksOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.links]
      .filter((link) => link.origin === location.origin && !link.pathname.startsWith('/api/'))
      .map((link) => `${link.pathname}${link.search}`),
  );
}

/** Presses every button that can be seen, each on a page that the ones before have not changed. */
async function pressEverything(page: Page, path: string): Promise<number> {
  const buttons = page.locator(
    'button:visible, summary:visible, [role=menuitemradio]:visible, input[type=checkbox]:visible',
  );
  const count = Math.min(await buttons.count(), 40);
  for (let index = 0; index < count; index += 1) {
    const button = buttons.nth(index);
    if (!(await button.isVisible())) continue;
    await button.click({ timeout: 3000, force: true }).catch(() => undefined);
    await page.keyboard.press('Escape');
    if (new URL(page.url()).pathname !== new URL(path, page.url()).pathname) await page.goto(path);
  }
  return count;
}

const keys = [
  ...['/', 'Escape', '?', 'Escape', 'c', 'ArrowDown', 'ArrowRight', 'Home', 'End', 'Control+Home', 'Control+End'],
  ...['PageDown', 'PageUp', ']', '[', 'Enter', 'g', 'o', 'g', 'f', 'Shift+Enter', 'Delete', 'Control+s', 'F5', 'Tab'],
];

const wanted = {
  'content-security-policy': /default-src 'self'.*object-src 'none'.*frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
} as const;

describe('a browser that opens every kind of page, presses every button and every key', () => {
  it('sends nothing but GET, meets no error and no violation of the content security policy', async () => {
    const { page, complaints, requests, close } = await bed.open('/');
    const seen = new Map<string, number>();
    const visited: string[] = [];
    let level: readonly string[] = [
      '/',
      '/objects',
      '/exemptions',
      '/exemptions?tab=conflicts',
      '/?view=wall',
      '/?theme=dark',
      '/clusters/eu-west-3',
      broken.path,
    ];
    for (let depth = 0; depth <= 3; depth += 1) {
      const next: string[] = [];
      for (const path of level) {
        const shape = shapeOf(path);
        const times = seen.get(shape) ?? 0;
        if (visited.includes(path) || visited.length >= most.pages || times >= most.ofOneShape) continue;
        seen.set(shape, times + 1);
        visited.push(path);
        const response = await page.goto(path);
        expect({ path, status: response?.status() }).toEqual({ path, status: 200 });
        const headers = response?.headers() ?? {};
        const missing = Object.entries(wanted).filter(([name, value]) => !value.test(headers[name] ?? ''));
        expect({ path, missing }).toEqual({ path, missing: [] });
        expect({
          path,
          leaks: Object.keys(headers).filter((name) => /^(?:x-powered-by|server|set-cookie)$/.test(name)),
        }).toEqual({
          path,
          leaks: [],
        });
        next.push(...(await linksOn(page)));
      }
      level = next;
    }
    expect(visited.length).toBeGreaterThanOrEqual(20);
    for (const path of ['/', '/?columns=kind', '/objects', '/clusters/eu-west-3', broken.path]) {
      await page.goto(path);
      await page.locator('header', { hasText: ', live' }).waitFor();
      expect(await pressEverything(page, path)).toBeGreaterThan(0);
      await page.goto(path);
      for (const key of keys) await page.keyboard.press(key);
    }
    expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 300_000);
});

describe('whoever sends something else', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('is refused: %s', async (method) => {
    for (const path of ['/', broken.path, '/api/v1/fleet', '/objects']) {
      const response = await fetch(`${bed.url}${path}`, { method });
      expect({ path, status: response.status, allow: response.headers.get('allow') }).toEqual({
        path,
        status: 405,
        allow: 'GET, HEAD',
      });
      expect(response.headers.get('content-security-policy')).toMatch(wanted['content-security-policy']);
    }
  });
});

describe('a page of another origin', () => {
  it('cannot frame any page', async () => {
    const { page, close } = await bed.open('/');
    const other = bed.url.replace('127.0.0.1', 'localhost');
    await page.route(`${other}/framing`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${bed.url}/"></iframe>` }),
    );
    await page.goto(`${other}/framing`);
    const framed = page.frames().at(-1);
    expect(await framed?.evaluate(() => document.querySelector('main') === null)).toBe(true);
    expect(framed?.url()).not.toBe(`${bed.url}/`);
    await close();
  });
});
