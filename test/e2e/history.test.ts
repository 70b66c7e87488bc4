import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WireHistory } from '#lib/api/history.ts';
import { WireAbsenceList } from '#lib/api/absence.ts';
import { hour } from '#lib/domain/time/length.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken } from './bed/places.ts';
import { until } from './bed/until.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let opened: Watched[] = [];

beforeAll(async () => {
  bed = await makeBed();
  await until('the record to tell that checkout is away', async () => (await absences('name=checkout')).length > 0);
});
afterAll(() => bed?.stop());
afterEach(async () => {
  const complaints = opened.flatMap((watched) => watched.complaints);
  await Promise.all(opened.map((watched) => watched.close()));
  opened = [];
  if (complaints.length > 0) throw new Error(`the pages did what they may not: ${complaints.join('; ')}`);
});

async function absences(filter: string) {
  return WireAbsenceList.parse(await bed.ask(`/api/v1/absences?${filter}`)).rows;
}

async function open(path: string, options?: WatchedOptions): Promise<Page> {
  const watched = await bed.open(path, options);
  opened.push(watched);
  return watched.page;
}

async function untilLive(page: Page): Promise<void> {
  await page.locator('header', { hasText: ', live' }).waitFor();
}

const column = '/history?kind=Kustomization&name=checkout&last=6h';
const lanes = (page: Page) => page.locator('[data-lane]');

describe('timelines', () => {
  it.each([
    ['without JavaScript', false],
    ['with JavaScript', true],
  ])('stand on the page of an object, and a mark leads to its moment, %s', async (_how, javaScriptEnabled) => {
    const page = await open(broken.path, { javaScriptEnabled });
    const history = page.getByRole('region', { name: /^History/ });
    const mark = history.getByRole('link', { name: /diverged/i });
    expect(await mark.getAttribute('href')).toMatch(/checkout\?at=20\d\d-/);
    await mark.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/checkout?at=**');
    await page
      .getByText(/^As known at/)
      .first()
      .waitFor();
    await page.getByRole('heading', { level: 1, name: 'checkout on eu-west-3' }).waitFor();
  });

  it('of a column are one lane per cluster, reached from the head of the matrix', async () => {
    const page = await open('/');
    await untilLive(page);
    await page.getByRole('grid').getByRole('link', { name: 'checkout', exact: true }).click();
    await page.getByRole('link', { name: 'Their history' }).click();
    await page.waitForURL('**/history?kind=Kustomization&name=checkout');
    await page.getByRole('heading', { level: 1, name: 'History of Kustomization checkout on every cluster' }).waitFor();
    const known = WireHistory.parse(await bed.ask('/api/v1/history?kind=Kustomization&name=checkout'));
    expect(await lanes(page).count()).toBe(known.lanes.length);
    expect(known.lanes.map(({ title }) => title)).toContain('eu-west-3');
  });

  it('are read without JavaScript, as a table too', async () => {
    const page = await open(`${column}&table=1`, { javaScriptEnabled: false });
    expect(await lanes(page).count()).toBeGreaterThan(5);
    const row = page.getByRole('row').filter({ hasText: 'eu-west-3' }).filter({ hasText: 'Diverged' }).first();
    expect(await row.innerText()).toContain('BuildFailed');
  });

  it('are zoomed by name, by keys and by drawing, all in the URL', async () => {
    const page = await open(column);
    await untilLive(page);
    await page.getByRole('button', { name: '24 h' }).click();
    await page.waitForURL('**last=24h**');
    await page.keyboard.press('+');
    await page.waitForURL(/from=/);
    await page.locator('.timeline[aria-busy="false"]').waitFor();
    expect(page.url()).not.toContain('last=');
    const before = page.url();
    const box = await page.locator('[data-track]').first().boundingBox();
    if (box === null) throw new Error('there is no lane');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL((url) => url.href !== before && url.searchParams.has('to'));
    const { searchParams } = new URL(page.url());
    const hours = (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / hour;
    expect(hours).toBeGreaterThan(5.5);
    expect(hours).toBeLessThan(6.5);
    const drawn = page.url();
    await page.reload();
    expect(page.url()).toBe(drawn);
  });

  it('are walked along by keys, and read out', async () => {
    const page = await open('/history?cluster=eu-west-3&last=6h');
    await untilLive(page);
    expect(await page.locator('[data-event][tabindex="0"]').count()).toBe(1);
    await page.locator('[data-event][tabindex="0"]').focus();
    const name = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    expect(await page.locator('.time-read-out').innerText()).toContain(name);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-event'))).toBe(true);
  });
});

describe('absences and corrections', () => {
  it('are reached from their object, and an absence leads to its timeline', async () => {
    const page = await open(broken.path);
    await untilLive(page);
    await page.getByText('Each time that it was away').click();
    await page.getByRole('link', { name: 'All of them, with a file' }).click();
    await page.waitForURL('**/absences?cluster=eu-west-3&**name=checkout**');
    const row = page.getByRole('row', { name: /^Diverged checkout Kustomization in flux-system eu-west-3/ });
    const text = (await row.innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(/Diverged checkout Kustomization in flux-system eu-west-3 .* UTC .*ongoing BuildFailed/);
    await row.getByRole('link', { name: /UTC$/ }).click();
    await page.waitForURL('**/history?cluster=eu-west-3&**name=checkout**');
    await page.getByRole('link', { name: /diverged/i }).waitFor();
  });

  it('narrow down in the URL, and a reload shows the same', async () => {
    const page = await open('/absences');
    await untilLive(page);
    await page.getByRole('combobox', { name: 'Worst' }).selectOption('diverged');
    await page.waitForURL('**verdict=diverged**');
    await page.getByRole('searchbox', { name: 'Cluster' }).fill('eu-west-3');
    await page.waitForURL('**cluster=eu-west-3**');
    const row = page.getByRole('row', { name: /^Diverged checkout Kustomization in flux-system eu-west-3/ });
    await row.waitFor();
    await page.reload();
    await row.waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'stg-edge' }).count()).toBe(0);
  });

  it('are there as files', async () => {
    const csv = await (await fetch(`${bed.url}/api/v1/absences?cluster=eu-west-3&format=csv`)).text();
    expect(csv).toMatch(/^cluster,group,kind,.*\r\n/);
    expect(csv).toMatch(
      /eu-west-3,kustomize\.toolkit\.fluxcd\.io,Kustomization,flux-system,checkout,diverged,BuildFailed/,
    );
  });

  it('of corrections say how sure they are, and what none of them means', async () => {
    const page = await open('/corrections', { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
      /^(Drift was found and undone|No drift was seen)/,
    );
    await page.getByRole('navigation', { name: 'The record' }).getByRole('link', { name: 'Timelines' }).waitFor();
  });
});

/** A4 between its margins, in px. */
const paper = { width: 688, height: 1017 };

describe('on paper', () => {
  it('timelines say their period and how each state is drawn, and offer nothing to press', async () => {
    const page = await open(column, { viewport: paper });
    await page.emulateMedia({ media: 'print' });
    const key = page.locator('.time-key');
    await key.getByText('Diverged').waitFor();
    expect(await key.innerText()).toMatch(/\d\d:\d\d:\d\d UTC to /);
    expect(await page.getByRole('group', { name: 'Period' }).isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'The same as a table' }).isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'Corrections' }).isVisible()).toBe(false);
  });

  it.each([
    ['paper', paper, 'print'],
    ['a tablet', { width: 820, height: 1180 }, 'screen'],
  ] as const)('absences have room for every column: on %s', async (_name, viewport, media) => {
    const page = await open('/absences', { viewport });
    await page.emulateMedia({ media });
    const rows = page.locator('.ledger.absences tbody tr');
    await rows.first().waitFor();
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(120);
    const cut = await page
      .locator('.ledger.absences th')
      .evaluateAll((heads) =>
        heads.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.innerHTML),
      );
    expect(cut).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  });
});

describe('on a phone, where a cluster has a long name', () => {
  const phone = { viewport: { width: 390, height: 844 } };
  const name = 'acme-sandbox-eu-central-1-long-region-name-0767';

  it('an absence is not pressed into a column of a few letters', async () => {
    const page = await open('/absences', phone);
    const row = page.locator('.ledger.absences tr[data-index]').first();
    await row.locator('.cluster a').evaluate((link, text) => (link.textContent = text), name);
    const lines = await row
      .locator('.cluster, .began, .length')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
    expect(Math.max(...lines)).toBeLessThan(50);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('the period of the changes stays within the screen', async () => {
    const page = await open('/changes', phone);
    const choice = page.locator('select[name=cluster]');
    await choice.evaluate((select, text) => select.append(new Option(`${text}-and-more`)), name);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
  });
});
