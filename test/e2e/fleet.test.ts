import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fleetApi, WireFleet } from '#lib/api/fleet.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { verdictLabel } from '#lib/format/verdict-label.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken, kustomizationPath } from './bed/places.ts';
import { until } from './bed/until.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

const rows = [
  ...['eu-west-3', 'us-east-2', 'eu-central-1b', 'ap-south-1', 'ap-northeast-1', 'us-east-1', 'eu-central-1a'],
  ...['us-west-2', 'stg-us', 'stg-edge', 'stg-eu', 'stg-ap', 'sbx-1', 'sbx-2'],
  // What plumbline.yaml declares and is on no cluster.
  'not on a cluster',
];
const begins = new RegExp(`^(?:${verdicts.map(verdictLabel).join('|')}|not deployed here|not seen)`);

let bed: Bed;
let opened: Watched[] = [];

beforeAll(async () => {
  bed = await makeBed({ before: [{ order: 'lose', cluster: 'ap-northeast-1' }] });
});
afterAll(() => bed?.stop());
afterEach(async () => {
  const complaints = opened.flatMap((watched) => watched.complaints);
  await Promise.all(opened.map((watched) => watched.close()));
  opened = [];
  if (complaints.length > 0) throw new Error(`the pages did what they may not: ${complaints.join('; ')}`);
});

async function open(path: string, options?: WatchedOptions): Promise<Page> {
  const watched = await bed.open(path, options);
  opened.push(watched);
  return watched.page;
}

const gridOf = (page: Page): Locator => page.getByRole('grid', { name: 'Clusters by columns' });
const cellOf = (page: Page, path: string): Locator => gridOf(page).locator(`a[href="${path}"]`);

function rowsShown(page: Page): Promise<readonly string[]> {
  return gridOf(page).getByRole('rowheader').getByRole('link').allTextContents();
}

/** Waits until the page is alive: its clock says so. */
async function untilLive(page: Page): Promise<void> {
  await page.locator('header', { hasText: ', live' }).waitFor();
}

/** The accessible name of what has the focus, and its column. */
function focused(page: Page): Promise<{ readonly name: string; readonly column: number; readonly row: number }> {
  return page.evaluate(() => {
    const at = document.activeElement;
    return {
      name: at?.getAttribute('aria-label') ?? '',
      column: Number(at?.closest('[aria-colindex]')?.getAttribute('aria-colindex')),
      row: Number(at?.closest('[aria-rowindex]')?.getAttribute('aria-rowindex')),
    };
  });
}

function paperOf(page: Page): Promise<string> {
  return page.locator('html').evaluate((root) => getComputedStyle(root).backgroundColor);
}

describe('the fleet', () => {
  it.each([
    ['without JavaScript, from the HTML of the server', false],
    ['with JavaScript', true],
  ])('shows sentence, causes, legend and all clusters %s', async (_how, javaScriptEnabled) => {
    const page = await open('/', { javaScriptEnabled });
    if (javaScriptEnabled) await untilLive(page);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
      /^1 of 14 clusters is not seen\. (?:Not so on \d+ of 14 clusters: nobody is being called for|Not as in git on \d+ of 14 clusters:) \d+ /,
    );
    const causes = page.getByRole('list', { name: 'Causes' }).getByRole('listitem');
    const lines = (await causes.allTextContents()).map((text) => text.trim());
    expect(lines.some((text) => text.startsWith('checkout on eu-west-3 build fails'))).toBe(true);
    const legend = await page.getByRole('group', { name: 'Verdicts to show' }).getByRole('button').allTextContents();
    expect(legend.map((text) => text.replace(/ [\d,]+(?: \(\d+ declared\))?$/, ''))).toEqual(
      verdicts.map(verdictLabel),
    );
    expect(legend).toContain('Suspended 1');
    expect([...(await rowsShown(page))].sort()).toEqual([...rows].sort());
    expect(await cellOf(page, broken.path).getAttribute('aria-label')).toMatch(/^Diverged, .*BuildFailed/);
  });

  it('begins the name of every cell with its verdict', async () => {
    const page = await open('/');
    await untilLive(page);
    const names = await gridOf(page)
      .getByRole('gridcell')
      .evaluateAll((cells) =>
        cells.map((cell) => (cell.querySelector('a, button') ?? cell).getAttribute('aria-label') ?? ''),
      );
    expect(names.length).toBeGreaterThanOrEqual(14 * 15);
    expect(names.filter((name) => !begins.test(name))).toEqual([]);
  });

  it('shows a cluster that it cannot reach as lost, and none of its cells as good', async () => {
    const page = await open('/');
    await untilLive(page);
    const row = gridOf(page).getByRole('row').filter({ hasText: 'ap-northeast-1' });
    expect(await row.innerText()).toMatch(/lost/);
    const names = await row
      .getByRole('gridcell')
      .evaluateAll((cells) =>
        cells.map((cell) => (cell.querySelector('a, button') ?? cell).getAttribute('aria-label') ?? ''),
      );
    expect(names.filter((name) => /^Converged|^Unconfirmed/.test(name))).toEqual([]);
    expect(await page.getByTestId('read-out').innerText()).toMatch(/ap-northeast-1 unreachable/);
  });

  it('shows a change on a cluster without a reload, and its end', async () => {
    const page = await open('/?causes=all');
    await untilLive(page);
    const cell = cellOf(page, kustomizationPath('us-west-2', 'catalogue'));
    expect(await cell.getAttribute('aria-label')).toMatch(/^(?:Converged|Unconfirmed)/);
    await page.evaluate(() => document.documentElement.setAttribute('data-same-page', ''));
    const message = 'kustomize build failed: no such file';
    await bed.order({ order: 'break', cluster: 'us-west-2', kustomization: 'catalogue', message });
    await cell.and(page.locator('[aria-label^="Diverged"]')).waitFor({ timeout: 15_000 });
    const causes = page.getByRole('list', { name: 'Causes' });
    await causes.getByRole('link', { name: 'catalogue on us-west-2' }).waitFor();
    await bed.order({ order: 'mend', cluster: 'us-west-2', kustomization: 'catalogue' });
    await cell.and(page.locator('[aria-label^="Converged"]')).waitFor({ timeout: 15_000 });
    expect(await page.locator('html').getAttribute('data-same-page')).toBe('');
  });

  it('keeps a filter of the legend in the URL, through a reload, and gives it up again', async () => {
    const page = await open('/');
    await untilLive(page);
    const suspended = page.getByRole('button', { name: /^Suspended/ });
    await suspended.click();
    await page.waitForURL('**/?verdict=suspended');
    const shown = () => page.getByRole('grid').locator('th a').allInnerTexts();
    // Below six clusters they stand across.
    await until(
      'only what is suspended to be shown',
      async () => (await shown()).toSorted().join() === 'policy,stg-eu',
    );
    await page.reload();
    expect(await suspended.getAttribute('aria-pressed')).toBe('true');
    expect((await shown()).toSorted()).toEqual(['policy', 'stg-eu']);
    await page.getByRole('button', { name: 'Remove: rows and columns with suspended' }).click();
    await until('all clusters to be shown', async () => (await rowsShown(page)).length === rows.length);
    expect(new URL(page.url()).search).toBe('');
  });

  it('keeps the View settings in the URL and through a reload', async () => {
    const page = await open('/');
    await untilLive(page);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    const menu = page.getByRole('menu');
    await menu.getByRole('group', { name: 'A column is' }).getByRole('menuitemradio', { name: 'Reconciler' }).click();
    await menu.getByRole('group', { name: 'Order' }).getByRole('menuitemradio', { name: 'By name' }).click();
    await page.waitForURL(
      (url) => url.searchParams.get('columns') === 'reconciler' && url.searchParams.get('sort') === 'name',
    );
    const heads = () => gridOf(page).getByRole('columnheader').allInnerTexts();
    await until('a column for Flux', async () => (await heads()).includes('flux'));
    await page.reload();
    expect(await heads()).toContain('flux');
    const production = (await rowsShown(page)).filter((name) => /^(?:ap|eu|us)-/.test(name));
    expect(production).toEqual([...production].sort());
  });

  it('goes to the name filter with "/" and narrows by it', async () => {
    const page = await open('/');
    await untilLive(page);
    await page.keyboard.press('/');
    await page.keyboard.type('eu-west');
    await page.waitForURL('**/?q=eu-west');
    await until(
      'only eu-west-3 to be shown',
      async () => !(await page.locator('main').innerText()).includes('us-east-1'),
    );
  });

  it('is one tab stop, walked with the arrows, Home, End and "]"; Enter opens the object', async () => {
    const page = await open('/');
    await untilLive(page);
    const grid = gridOf(page);
    expect(await grid.locator('a, button, [tabindex]').and(page.locator(':not([tabindex="-1"])')).count()).toBe(1);
    await page.getByRole('link', { name: 'Skip the matrix' }).focus();
    await page.keyboard.press('Tab');
    const first = await focused(page);
    expect(first.column).toBe(1);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await until('the third column', async () => (await focused(page)).column === 3);
    await page.keyboard.press('ArrowDown');
    await until('the next row', async () => (await focused(page)).row === first.row + 1);
    await page.keyboard.press('End');
    const columns = Number(await grid.getAttribute('aria-colcount'));
    await until('the last column', async () => (await focused(page)).column === columns);
    await page.keyboard.press('Home');
    await until('the first column', async () => (await focused(page)).column === 1);
    await page.keyboard.press('Control+End');
    await until(
      'the last row',
      async () => (await focused(page)).row === Number(await grid.getAttribute('aria-rowcount')),
    );
    await page.keyboard.press(']');
    // What is silent comes first, whatever its verdict.
    const away = /^(?:Diverged|Drifted|Unhealthy|Stale|Behind|Waiting|Progressing)/;
    const isWorst = async (): Promise<boolean> => away.test((await focused(page)).name);
    await until('the worst', isWorst);
    const worst = await page.evaluate(() => document.activeElement?.getAttribute('href') ?? '');
    expect(await page.getByTestId('read-out').innerText()).toMatch(
      /: (?:Diverged|Drifted|Unhealthy|Stale|Behind|Waiting|Progressing)/,
    );
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=grid]') === null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    await until('the cell again', isWorst);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${worst}`);
    await page.getByRole('heading', { level: 1, name: / on / }).waitFor();
  });

  it('opens the commit that runs with Shift+Enter, where cells show it', async () => {
    const page = await open('/?q=checkout');
    await untilLive(page);
    await page
      .context()
      .route('https://github.com/**', (route) => route.fulfill({ body: 'the host of the repository' }));
    const cell = cellOf(page, broken.path);
    const commit = (await cell.innerText()).trim();
    expect(commit).toMatch(/^[0-9a-f]{7}$/);
    await cell.focus();
    await page.keyboard.press('Shift+Enter');
    // To its page here once git has named it, and to the host before.
    const [here, host] = [new RegExp(`/commits/${commit}[0-9a-f]+$`), `https://github.com/acme/fleet/commit/${commit}`];
    await page.waitForURL(({ href }) => here.test(href) || href.startsWith(host));
  });

  it('lists its keys on "?" and closes them on Escape', async () => {
    const page = await open('/');
    await untilLive(page);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys and signs' });
    await help.waitFor();
    const text = await help.innerText();
    for (const word of ['Search', 'PageDown', 'Next and previous deviation', ...verdicts.map(verdictLabel)])
      expect(text).toContain(word);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
  });

  it.each([
    ['the system asks for dark', '/', 'dark', 'rgb(18, 20, 22)'],
    ['the system asks for light', '/', 'light', 'rgb(251, 250, 247)'],
    ['the address asks for dark', '/?theme=dark', 'light', 'rgb(18, 20, 22)'],
    ['the address asks for light', '/?theme=light', 'dark', 'rgb(251, 250, 247)'],
  ] as const)('has the right paper where %s', async (_who, path, colorScheme, paper) => {
    const page = await open(path, { colorScheme });
    expect(await page.locator('header').evaluate((bar) => getComputedStyle(bar).backgroundColor)).toBe(paper);
    expect(await paperOf(page)).toBe(paper);
  });

  it('takes the theme of the address along to the next page', async () => {
    const page = await open('/?theme=dark', { colorScheme: 'light' });
    await untilLive(page);
    await page.getByRole('link', { name: 'Objects', exact: true }).click();
    await page.waitForURL('**/objects?theme=dark');
    expect(await paperOf(page)).toBe('rgb(18, 20, 22)');
  });

  it('keeps the theme that was chosen: the server draws it, so that nothing flashes', async () => {
    const page = await open('/', { colorScheme: 'light' });
    await untilLive(page);
    await page.keyboard.press('?');
    await page.getByRole('radio', { name: 'Dark' }).check();
    expect(await paperOf(page)).toBe('rgb(18, 20, 22)');
    const drawn = await (await page.request.get(new URL('/objects', page.url()).href)).text();
    expect(drawn).toContain('data-theme="dark"');
  });
});

describe('where names are long or columns many', () => {
  it('a cause is cut in its reason, never in since when it is so', async () => {
    const page = await open('/', { viewport: { width: 1280, height: 900 } });
    await untilLive(page);
    const line = page.locator('.cause-text', { has: page.locator('.cause-since') }).first();
    const ends = await line.evaluate((text) => {
      const why = text.querySelector('.cause-why');
      const since = text.querySelector('.cause-since');
      if (why === null || since === null) return null;
      why.textContent = 'a reason without end '.repeat(40);
      return { line: text.getBoundingClientRect().right, since: since.getBoundingClientRect().right };
    });
    expect(ends?.since).toBeLessThanOrEqual(ends?.line ?? 0);
  });

  it('the heads of columns that are placed by hand do not lie over the rows', async () => {
    const page = await open('/');
    await untilLive(page);
    const [head, row] = await gridOf(page).evaluate((grid) => {
      for (const column of grid.querySelectorAll<HTMLElement>('.m-head')) column.style.position = 'absolute';
      const bottoms = [...grid.querySelectorAll('.m-head')].map((column) => column.getBoundingClientRect().bottom);
      return [Math.max(...bottoms), grid.querySelector('.m-body')?.getBoundingClientRect().top ?? 0];
    });
    expect(head).toBeLessThanOrEqual(row ?? 0);
  });
});

describe('on paper', () => {
  /** The numbers in "and 3 more causes, 12 objects"; 0 where nothing of the kind is printed. */
  async function unprinted(page: Page): Promise<number> {
    const texts = await page
      .locator('.causes')
      .getByText(/more cause/)
      .filter({ visible: true })
      .allTextContents();
    expect(texts.length).toBeLessThanOrEqual(1);
    return Number(/^and (\d+) more cause/.exec(texts[0] ?? '')?.[1] ?? 0);
  }

  it.each([
    ['A4 upright', 718],
    ['A4 across', 1047],
  ])('%s: every cause is printed, or how many are not', async (_paper, width) => {
    const page = await open('/', { viewport: { width, height: 1000 } });
    await untilLive(page);
    await page.emulateMedia({ media: 'print' });
    const lines = page.locator('.causes .cause:not(.cause-more, .cause-compact)').filter({ visible: true });
    await until('the causes on paper to be as many as the API tells', async () => {
      const { causesTotal } = WireFleet.parse(await bed.ask(fleetApi.path)).summary;
      return causesTotal > 5 && (await lines.count()) + (await unprinted(page)) === causesTotal;
    });
    expect(await unprinted(page)).toBeGreaterThan(0);
    const cut = await lines
      .locator('.cause-text')
      .evaluateAll((texts) =>
        texts.filter((text) => text.scrollWidth > text.clientWidth).map((text) => text.textContent),
      );
    expect(cut).toEqual([]);
  });

  it('with all of them unfolded none is left to count', async () => {
    const page = await open('/?causes=all', { viewport: { width: 718, height: 1000 } });
    await untilLive(page);
    await page.emulateMedia({ media: 'print' });
    const lines = page.locator('.causes .cause:not(.cause-more, .cause-compact)').filter({ visible: true });
    await until('every cause to be printed', async () => {
      const { causes } = WireFleet.parse(await bed.ask(`${fleetApi.path}?causes=all`)).summary;
      return causes.length > 5 && (await lines.count()) === causes.length;
    });
    expect(await unprinted(page)).toBe(0);
  });
});
