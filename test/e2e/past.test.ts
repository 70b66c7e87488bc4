import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WireCommitList } from '#lib/api/commit.ts';
import { fleetApi, WireFleet } from '#lib/api/fleet.ts';
import { objectApi, WireObjectPage } from '#lib/api/object.ts';
import { transitionsApi, WireTransitionList } from '#lib/api/transition.ts';
import { momentText } from '#lib/format/moment.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { accounts, broken, kustomizationPath } from './bed/places.ts';
import { until } from './bed/until.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

const cluster = 'us-west-2';
const path = kustomizationPath(cluster, accounts.name);

let bed: Bed;
let opened: Watched[] = [];
/** When accounts was known to be broken, and home again (ms). */
let wentAway = 0;
let cameHome = 0;

async function open(address: string, options?: WatchedOptions): Promise<Page> {
  const watched = await bed.open(address, options);
  opened.push(watched);
  return watched.page;
}

async function verdictAt(at: number | null): Promise<string> {
  const query = new URLSearchParams({ ...accounts, ...(at === null ? {} : { at: String(at) }) }).toString();
  return WireObjectPage.parse(await bed.ask(`${objectApi.path}?${query}`)).object.verdict;
}

/** When accounts was noticed to be in this verdict last. */
async function noticed(verdict: string): Promise<number> {
  const list = WireTransitionList.parse(await bed.ask(`${transitionsApi.path}?cluster=${cluster}&limit=1000`));
  const found = list.transitions.find(({ ref, to }) => ref.name === accounts.name && to === verdict);
  return Date.parse(found?.noticedAt ?? '');
}

beforeAll(async () => {
  bed = await makeBed();
  await until('accounts to be home', async () => (await verdictAt(null)) === 'converged', 60_000, 500);
  await bed.order({
    order: 'break',
    cluster,
    kustomization: accounts.name,
    message: 'kustomize build failed: no file',
  });
  await until('accounts to be broken', async () => (await verdictAt(null)) === 'diverged', 60_000, 500);
  wentAway = await noticed('diverged');
  // People write whole seconds: one of them must lie within.
  await until('it to last', () => Promise.resolve(Date.now() > wentAway + 2_500), 10_000, 100);
  await bed.order({ order: 'mend', cluster, kustomization: accounts.name });
  await until('accounts to be home again', async () => (await verdictAt(null)) === 'converged', 120_000, 500);
  cameHome = await noticed('converged');
});
afterAll(() => bed?.stop());
afterEach(async () => {
  const complaints = opened.flatMap((watched) => watched.complaints);
  await Promise.all(opened.map((watched) => watched.close()));
  opened = [];
  if (complaints.length > 0) throw new Error(`the pages did what they may not: ${complaints.join('; ')}`);
});

const pastLine = (page: Page) => page.getByRole('region', { name: 'The moment that is shown' });

describe('the record', () => {
  it('tells of a past moment what the page of that moment told, cell for cell', async () => {
    const cells = (fleet: WireFleet): readonly string[] =>
      fleet.rows.map((row) => `${row.cluster} ${row.state} ${row.cells}`).toSorted();
    // What is on its way to the store at that moment is known to the record and not yet to the page: of a quiet moment both agree.
    await until(
      'now and then to be alike',
      async () => {
        const now = WireFleet.parse(await bed.ask(fleetApi.path));
        const then = WireFleet.parse(await bed.ask(`${fleetApi.path}?at=${now.summary.asOf}`));
        return then.summary.asOf === now.summary.asOf && JSON.stringify(cells(then)) === JSON.stringify(cells(now));
      },
      60_000,
      500,
    );
  });

  it('knows to the millisecond when it was known', async () => {
    expect(await verdictAt(wentAway - 1)).toBe('converged');
    expect(await verdictAt(wentAway)).toBe('diverged');
    expect(await verdictAt(cameHome - 1)).not.toBe('converged');
    expect(await verdictAt(cameHome)).toBe('converged');
  });
});

describe('a page of the past', () => {
  it.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('says of when it is and what was known then, %s', async (_how, javaScriptEnabled) => {
    const page = await open(`${path}?at=${momentText(wentAway)}`, { javaScriptEnabled });
    expect(await pastLine(page).innerText()).toMatch(/^As known at \d+ \w{3} \d\d:\d\d:\d\d UTC/);
    expect(await page.locator('.say').innerText()).toMatch(/^Diverged for \d+ s/);
    expect(await page.locator('header').innerText()).not.toMatch(/live|As of/);
    expect(await page.title()).toMatch(/UTC: Diverged: accounts on us-west-2/);
  });

  it('leads on at the same moment, from the matrix to an object and to its cluster, and back to now', async () => {
    const at = momentText(wentAway);
    const page = await open(`/?at=${at}`);
    await page.locator(`a[href="${path}?at=${at}"]`).first().click();
    await page.waitForURL(`**${path}?at=${at}`);
    await page.locator('.say', { hasText: 'Diverged' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(`**/?at=${at}`);
    await page.getByRole('link', { name: 'Back to now' }).click();
    await page.locator('header', { hasText: ', live' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('steps from change to change', async () => {
    const page = await open(`${path}?at=${momentText(wentAway - 1)}`);
    await page.locator('.say', { hasText: /^Converged/ }).waitFor();
    await pastLine(page).getByRole('link', { name: 'Next change' }).click();
    await page.waitForURL(`**?at=${momentText(wentAway)}`);
    await page.locator('.say', { hasText: /^Diverged/ }).waitFor();
    await pastLine(page).getByRole('link', { name: 'Previous change' }).click();
    await page.locator('.say', { hasText: /^Converged/ }).waitFor();
    expect(Date.parse(new URL(page.url()).searchParams.get('at') ?? '')).toBeLessThan(wentAway);
  });

  it('is asked for with t and a time as people write it', async () => {
    const page = await open(path);
    await page.locator('header', { hasText: ', live' }).waitFor();
    await page.keyboard.press('t');
    const [day, clock] = momentText(wentAway + 1000).split(/[T.Z]/);
    await page.getByRole('textbox', { name: 'As known at' }).fill(`${day} ${clock}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**?at=${day}T${clock}Z`);
    await page.locator('.say', { hasText: /^Diverged/ }).waitFor();
    expect(await pastLine(page).innerText()).toContain(`${clock} UTC`);
  });

  it('of commits tells what was recorded of one by then, and of a branch that it is not told', async () => {
    const at = momentText(cameHome);
    const isMirrored = async (): Promise<boolean> =>
      WireCommitList.parse(await bed.ask('/api/v1/commits?limit=1')).rows.length > 0;
    await until('a commit to be known', isMirrored, 120_000, 1_000);
    const [commit] = WireCommitList.parse(await bed.ask('/api/v1/commits?limit=1')).rows;
    const all = await open(`/commits?at=${at}`, { javaScriptEnabled: false });
    expect(await pastLine(all).innerText()).toMatch(/^As known at/);
    expect(await all.getByRole('heading', { level: 1 }).innerText()).toMatch(/is not told\.$/);
    expect(await all.getByText(commit?.subject ?? '').count()).toBe(0);
    const one = await open(`${commit?.self ?? ''}?at=${at}`);
    await one.getByRole('heading', { level: 1, name: commit?.subject ?? '', exact: true }).waitFor({ timeout: 60_000 });
    expect(await pastLine(one).innerText()).toMatch(/^As known at/);
    expect(await one.locator('.say').innerText()).toMatch(/^(?:By then|It is dated later)/);
    const { violations } = await new AxeBuilder({ page: one }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await one.getByRole('link', { name: 'Where it is now' }).click();
    await one.waitForURL(`**${commit?.self ?? ''}`);
  });

  it('of before the record says since when there is one', async () => {
    const page = await open('/?at=2020-01-01T00:00:00Z');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
      /^The record begins at .* UTC: nothing is known of 1 Jan 2020 00:00:00 UTC\.$/,
    );
    await page.getByRole('link', { name: 'The beginning of the record' }).click();
    await pastLine(page).waitFor();
  });
});

const light = {};
const dark = { colorScheme: 'dark' } as const;
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

it.each<[string, WatchedOptions, () => string]>([
  ['the fleet', light, () => `/?at=${momentText(wentAway)}`],
  ['the fleet, dark', dark, () => `/?at=${momentText(wentAway)}`],
  ['the fleet on a phone', phone, () => `/?at=${momentText(wentAway)}`],
  ['a cluster', light, () => `/clusters/${cluster}?at=${momentText(wentAway)}`],
  ['an object on a phone', phone, () => `${path}?at=${momentText(wentAway)}`],
  ['a moment before the record', light, () => '/?at=2020-01-01T00:00:00Z'],
  ['what changed', light, () => '/changes?last=6h'],
  ['what changed, on a phone', phone, () => '/changes?last=6h'],
])('%s: axe finds nothing, and nothing stands out of the window', async (_what, options, address) => {
  const page = await open(address(), options);
  await page.getByRole('main').waitFor();
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join('; ')}`);
  expect(found).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});

it('is of its moment on paper too', async () => {
  const page = await open(`${path}?at=${momentText(wentAway)}`);
  await page.emulateMedia({ media: 'print' });
  expect(await pastLine(page).innerText()).toMatch(/^As known at \d+ \w{3} \d\d:\d\d:\d\d UTC/);
  expect(await page.getByRole('link', { name: 'Back to now' }).isVisible()).toBe(false);
  await page.locator('footer', { hasText: /at=\S+ as known at \d+/ }).waitFor();
});

describe('what changed between two moments', () => {
  it('is reached from the line at the top of a page of the past, and leads to what was known then', async () => {
    const page = await open(`${path}?at=${momentText(wentAway - 1)}`);
    await pastLine(page).getByRole('link', { name: 'What changed since' }).click();
    await page.waitForURL(`**/changes?from=*cluster=${cluster}`);
    const rows = page.getByRole('row').filter({ hasText: accounts.name });
    await rows.first().waitFor();
    const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts.some((text) => /Converged\s*→\s*Diverged.*accounts/.test(text))).toBe(true);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(
      /to now on us-west-2: \d+ changes? of verdict/,
    );
    await rows
      .filter({ hasText: /→\s*Diverged/ })
      .getByRole('link', { name: accounts.name })
      .click();
    await page.locator('.say', { hasText: /^Diverged/ }).waitFor();
    await pastLine(page).waitFor();
  });

  it.each([
    ['/changes?from=2019-01-01T00:00:00Z&to=2019-01-02T00:00:00Z', /nothing changed that was seen/],
    ['/changes?cluster=nowhere', /^There is no cluster nowhere/],
    ['/changes?from=soon', /^"soon" cannot be read as a time/],
  ])('%s says why there is nothing', async (address, words) => {
    const page = await open(address);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(words);
  });
});

describe('keys on an object', () => {
  it('lead from deviation to deviation, and back', async () => {
    const page = await open(broken.path);
    await page.locator('header', { hasText: ', live' }).waitFor();
    await page.keyboard.press(']');
    await page.waitForURL((url) => url.pathname !== broken.path);
    await page.locator('.say').waitFor();
    const other = new URL(page.url()).pathname;
    await page.keyboard.press('[');
    await page.waitForURL((url) => url.pathname !== other);
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname === other);
    expect(await page.locator('.say').innerText()).not.toMatch(/^Converged/);
  });
});
