import { AxeBuilder } from '@axe-core/playwright';
import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EmbedForm } from '#lib/domain/matrix/embed-scope.ts';
import { parseScope } from '#lib/domain/matrix/embed-scope.ts';
import { embedValidity } from '#lib/draw/embed/embed-content.ts';
import { day } from '#lib/domain/time/length.ts';
import { newKey, writeKeyFile } from '#server/web/embeds/key-file.ts';
import { signedLink } from '#server/web/embeds/signed-link.ts';
import { type RunningWeb, runningWeb } from '#server/web/testing/running-web.ts';
import { sampleCluster, sampleDiverged, sampleNow, sampleObject, sampleSource } from '#server/web/testing/sample.ts';
import { launchBrowser } from '#test/browser.ts';

const key = newKey(sampleNow);
const trueSentence = 'Not so on 1 of 2 clusters: nobody is being called for 1 diverged.';

let browser: Browser;
let folder: string;
let wiki: Site;
let stranger: Site;
let web: RunningWeb;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchBrowser();
  folder = await mkdtemp(join(tmpdir(), 'plumbline-embeds-'));
  await writeKeyFile(join(folder, 'keys.yaml'), [key]);
  wiki = await startSite();
  stranger = await startSite();
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([wiki?.stop(), stranger?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  web = await runningWeb(null, { keys: join(folder, 'keys.yaml'), frameAncestors: [wiki.origin] });
  for (const name of ['eu-west-3', 'us-east-1']) {
    web.store.cluster(sampleCluster(name));
    web.store.object(sampleSource(name));
    web.store.object(sampleObject({ cluster: name, name: 'payments' }));
  }
  web.store.object(sampleDiverged({ name: 'checkout' }));
  await web.advance(500);
});
afterEach(async () => {
  await context.close();
  await web.stop();
});

interface Site {
  readonly origin: string;
  /** Shows another content from now on. */
  show(html: string): void;
  stop(): Promise<void>;
}

/** Another site, as a wiki is one: it is called localhost, which is not where Plumbline is. */
async function startSite(): Promise<Site> {
  let page = '';
  const server: Server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Wiki</title><h1>Wiki</h1>${page}`);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://localhost:${port}`,
    show: (html) => void (page = html),
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function link(text: string, form: EmbedForm = 'embed', expires = sampleNow + 90 * day): string {
  const scope = parseScope(text);
  if (scope === null) throw new Error(`${text} is no scope`);
  return `${web.origin}${signedLink({ scope, form, theme: 'auto', expires, id: null }, key)}`;
}

interface Opening {
  readonly javaScriptEnabled?: boolean;
  /** Timers are in the test's hands. */
  readonly clock?: boolean;
}

async function open(url: string, { javaScriptEnabled = true, clock = false }: Opening = {}): Promise<Page> {
  context = await browser.newContext({ javaScriptEnabled, viewport: { width: 800, height: 500 } });
  if (clock) await context.clock.install();
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load' });
  return page;
}

/** The words of an embed, as its reader has them. */
async function wordsOf(page: Page | Frame): Promise<string> {
  return (await page.locator('main.embed').first().innerText()).replaceAll(/\s+/g, ' ').trim();
}

/** Takes the animations of a page to just before the end of the time for which it is good. */
async function almostOutlive(page: Page): Promise<void> {
  await page.evaluate((time) => {
    for (const animation of document.getAnimations()) animation.currentTime = time;
  }, embedValidity - 1_000);
}

/** Lets them end, at their own end exactly. */
async function outlive(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
}

/** Tells if anything on it is painted in a colour, and if it says that it is old. */
async function freshness(page: Page | Frame): Promise<'fresh' | 'old' | 'half'> {
  const grey = await page
    .locator('main.embed')
    .first()
    .evaluate((main) => getComputedStyle(main).filter === 'grayscale(1)');
  const struck = await page
    .locator('.words')
    .evaluateAll((words) => words.every((word) => getComputedStyle(word).textDecorationLine === 'line-through'));
  const said = await page.getByText('No news came since.').first().isVisible();
  if (grey && struck && said) return 'old';
  return grey || struck || said ? 'half' : 'fresh';
}

describe('an embed in a frame', () => {
  const framed = (): string =>
    `<iframe id="plumbline" src="${link('fleet').replaceAll('&', '&amp;')}" width="700" height="300"></iframe>`;

  it('of a site that may frame it is shown', async () => {
    wiki.show(framed());
    const page = await open(wiki.origin);
    const frame = page.frameLocator('#plumbline');
    await frame.getByText('Not so on 1 of 2 clusters:').waitFor();
    expect(await frame.getByRole('row').allInnerTexts()).toEqual([expect.stringContaining('eu-west-3')]);
    expect(await frame.getByRole('link', { name: 'eu-west-3' }).getAttribute('target')).toBe('_blank');
  });

  it('of any other site is refused by the browser', async () => {
    stranger.show(framed());
    const page = await open('about:blank');
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await page.goto(stranger.origin);
    await refused;
    expect(await page.frameLocator('#plumbline').getByText('Not so').count()).toBe(0);
  });

  it('renews itself in a sandbox without an origin', async () => {
    wiki.show(framed().replace('<iframe', '<iframe sandbox="allow-scripts"'));
    const page = await open(wiki.origin, { clock: true });
    const frame = page.frameLocator('#plumbline');
    await frame.getByText('Not so on 1 of 2 clusters:').waitFor();
    web.store.object(sampleObject({ name: 'checkout' }));
    await web.advance(6_000);
    await page.clock.fastForward(61_000);
    await frame.getByText('So it is, on all 2 clusters').waitFor();
    expect(await frame.getByText('Not so').count()).toBe(0);
  });
});

describe('an embed', () => {
  it('reads the same without scripts', async () => {
    const page = await open(link('label:environment=production'));
    const withScripts = await wordsOf(page);
    expect(withScripts).toContain(trueSentence);
    expect(withScripts).toContain('made 21 Nov 02:00 UTC, valid to 02:05 UTC');
    await context.close();
    const bare = await open(link('label:environment=production'), { javaScriptEnabled: false });
    expect(await wordsOf(bare)).toBe(withScripts);
    const [, renewed] = bare.frames();
    expect(renewed && (await wordsOf(renewed))).toBe(withScripts);
  });

  it('as a table of many columns scrolls the table in a narrow frame, never the page', async () => {
    for (let n = 0; n < 12; n += 1) web.store.object(sampleObject({ name: `payments-${n}` }));
    await web.advance(500);
    const page = await open(link('label:environment=production'));
    await page.setViewportSize({ width: 320, height: 420 });
    const widths = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      table: document.querySelector('.matrix')?.scrollWidth ?? 0,
    }));
    expect(widths.table).toBeGreaterThan(320);
    expect(widths.page).toBe(320);
  });

  it.each(['fleet', 'label:environment=production', 'cluster:eu-west-3'])(
    'of %s is for everybody, also when it is old',
    async (scope) => {
      const page = await open(link(scope));
      for (const grow of [almostOutlive, outlive]) {
        await grow(page);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      }
    },
  );

  it('shows news within a minute, and begins anew to be good', async () => {
    const page = await open(link('fleet'), { clock: true });
    await page.getByRole('link', { name: 'eu-west-3' }).focus();
    web.store.object(sampleObject({ cluster: 'us-east-1', name: 'more' }));
    await web.advance(6_000);
    await page.clock.fastForward(61_000);
    await page.getByText('5 converged').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('eu-west-3');
    expect(await freshness(page)).toBe('fresh');
  });

  it('greys itself out when the server has stopped, and keeps its words', async () => {
    const page = await open(link('fleet'), { clock: true });
    const before = await wordsOf(page);
    await web.stop();
    await page.clock.fastForward(61_000);
    expect(await wordsOf(page)).toBe(before);
    await almostOutlive(page);
    expect(await freshness(page)).toBe('fresh');
    await outlive(page);
    await expect.poll(() => freshness(page)).toBe('old');
    expect(await wordsOf(page)).toContain(trueSentence);
  });

  it('does so without scripts, where what renews it cannot be fetched any more', async () => {
    const page = await open(link('fleet'), { javaScriptEnabled: false });
    const [, renewed] = page.frames();
    await web.stop();
    await renewed?.goto(renewed.url()).catch(() => undefined);
    await expect.poll(() => page.frames().length).toBe(1);
    expect(await wordsOf(page)).toContain(trueSentence);
    await outlive(page);
    await expect.poll(() => freshness(page)).toBe('old');
  });

  it('grows old in time that nobody hastens, where an end is hit to a fraction of a microsecond', async () => {
    context = await browser.newContext({ javaScriptEnabled: false, bypassCSP: true });
    const page = await context.newPage();
    const end = 8;
    await page.route('**/embed/**', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(`${embedValidity / 1000}s forwards`, `${end}s forwards`);
      await route.fulfill({ response, body });
    });
    await page.goto(link('fleet'));
    expect(await freshness(page)).toBe('fresh');
    await page.waitForTimeout((end + 2) * 1_000);
    expect(await freshness(page)).toBe('old');
  });

  it('keeps its words where a proxy answers in place of the server', async () => {
    const page = await open(link('fleet'), { clock: true });
    await page.route('**/embed/**', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    );
    await page.clock.fastForward(61_000);
    await outlive(page);
    await expect.poll(() => freshness(page)).toBe('old');
    expect(await wordsOf(page)).toContain(trueSentence);
  });

  it('is closed within a minute where its key is revoked, also where it stands open', async () => {
    const page = await open(link('fleet'), { clock: true });
    await writeKeyFile(join(folder, 'keys.yaml'), [{ ...key, revoked: true }]);
    try {
      await page.clock.fastForward(61_000);
      await page.getByText('This link was withdrawn.').waitFor();
      expect(await wordsOf(page)).not.toContain('cluster');
    } finally {
      await writeKeyFile(join(folder, 'keys.yaml'), [key]);
    }
  });

  it.each([
    [
      'one byte changed',
      () => link('fleet').replace(/signature=(.)/, (_all, byte) => `signature=${byte === '_' ? '-' : '_'}`),
      'This link opens nothing',
    ],
    ['another scope', () => link('cluster:us-east-1').replace('us-east-1', 'eu-west-3'), 'This link opens nothing'],
    ['its time over', () => link('fleet', 'embed', sampleNow - day), 'This link has ended.'],
    ['no signature', () => `${web.origin}/embed/fleet`, 'This link opens nothing'],
  ])('with %s gives a short page that says so', async (_what, url, words) => {
    const page = await open(url());
    const said = await wordsOf(page);
    expect(said).toMatch(new RegExp(`^${words}`));
    expect(said.length).toBeLessThan(100);
  });
});

describe('a badge', () => {
  it('is shown by another site as a picture, and greys itself out there', async () => {
    const address = link('fleet', 'badge');
    wiki.show(`<img id="badge" src="${address.replaceAll('&', '&amp;')}" alt="">`);
    const page = await open('about:blank');
    // A picture has no clock that a test could reach: this one is good for some seconds only.
    await page.route('**/badge/**', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replaceAll(`${embedValidity / 1000}s forwards`, '8s forwards'),
      });
    });
    await page.goto(wiki.origin);
    const badge = page.locator('#badge');
    const fresh = await badge.screenshot();
    expect(await badge.evaluate((image) => image.getBoundingClientRect().height)).toBe(20);
    expect(await badge.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBeGreaterThan(
      100,
    );
    await expect.poll(async () => fresh.equals(await badge.screenshot()), { timeout: 20_000 }).toBe(false);
  });

  it('whose link opens nothing says so in a picture', async () => {
    wiki.show(`<img id="badge" src="${web.origin}/badge/fleet.svg" alt="">`);
    const page = await open(wiki.origin);
    const width = await page
      .locator('#badge')
      .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth);
    expect(width).toBeGreaterThan(60);
    await page.goto(`${web.origin}/badge/fleet.svg`);
    expect(await page.locator('svg').getAttribute('aria-label')).toBe('Plumbline: no such link');
  });
});
