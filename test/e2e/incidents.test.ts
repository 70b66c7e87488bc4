import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WireIncidentList, type WireIncident } from '#lib/api/incident.ts';
import { momentText } from '#lib/format/moment.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken } from './bed/places.ts';
import { until } from './bed/until.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let opened: Watched[] = [];

beforeAll(async () => {
  bed = await makeBed();
  await until('the record to know why checkout is away', async () => (await incidents('name=checkout')).length > 0);
  await bed.order({ order: 'lose', cluster: 'ap-northeast-1' });
  await until('the record to know the dead controllers', async () => (await incidents(dead)).length > 0, 60_000);
  await until(
    'the record to know the lost cluster',
    async () => (await incidents('cause=cluster')).length > 0,
    120_000,
  );
});
afterAll(() => bed?.stop());
afterEach(async () => {
  const complaints = opened.flatMap((watched) => watched.complaints);
  await Promise.all(opened.map((watched) => watched.close()));
  opened = [];
  if (complaints.length > 0) throw new Error(`the pages did what they may not: ${complaints.join('; ')}`);
});

/** Controllers that took down many objects. */
const dead = 'cause=controller&objects=5&order=largest';

async function incidents(filter: string): Promise<readonly WireIncident[]> {
  return WireIncidentList.parse(await bed.ask(`/api/v1/incidents?${filter}`)).rows;
}

/** The first incident that a filter keeps. */
async function firstOf(filter: string): Promise<WireIncident> {
  const [first] = await incidents(filter);
  if (first === undefined) throw new Error(`no incident of ${filter}`);
  return first;
}

async function open(path: string, options?: WatchedOptions): Promise<Page> {
  const watched = await bed.open(path, options);
  opened.push(watched);
  return watched.page;
}

async function untilLive(page: Page): Promise<void> {
  await page.locator('header', { hasText: ', live' }).waitFor();
}

/** Words that are seen there, with single spaces. */
async function wordsOf(place: Locator): Promise<string> {
  return (await place.innerText()).replace(/\s+/g, ' ').trim();
}

/** Line of an incident in the list. */
function lineOf(page: Page, { links }: WireIncident) {
  return page.locator('.ledger.incidents tr[data-index]', { has: page.locator(`a[href="${links.self}"]`) });
}

describe('the list of incidents', () => {
  it('is reached by keys; a line leads to its incident, a member of it to its object, and that back', async () => {
    const checkout = await firstOf('cluster=eu-west-3&kind=Kustomization&name=checkout');
    const page = await open('/');
    await untilLive(page);
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.waitForURL('**/incidents');
    const text = await wordsOf(lineOf(page, checkout));
    expect(text).toMatch(/^Diverged .*checkout.* UTC .*ongoing/);
    await page.getByRole('link', { name: checkout.title, exact: true }).click();
    await page.waitForURL(`**${checkout.links.self}`);
    await page.getByRole('heading', { level: 1, name: checkout.title }).waitFor();
    await page
      .getByRole('table', { name: 'What is and was in the incident' })
      .locator(`th a[href="${broken.path}"]`)
      .click();
    await page.waitForURL(`**${broken.path}`);
    const part = page.getByRole('region', { name: /^Incidents/ });
    expect(await part.getByRole('link', { name: checkout.title, exact: true }).getAttribute('href')).toBe(
      checkout.links.self,
    );
  });

  it('is one line a cause: what it took down unfolds beneath', async () => {
    const cause = await firstOf(dead);
    const page = await open('/incidents');
    await untilLive(page);
    const line = lineOf(page, cause);
    expect(await wordsOf(line)).toMatch(/^Stale /);
    await line.getByRole('button').click();
    const members = page.locator('.member-lines li');
    await members.first().waitFor();
    expect(await members.count()).toBeGreaterThanOrEqual(5);
    expect(await members.filter({ hasText: cause.clusters[0] ?? '' }).count()).toBe(await members.count());
    await line.getByRole('button').click();
    await members.first().waitFor({ state: 'detached' });
  });

  it('narrows down in the URL, and a reload shows the same', async () => {
    const cause = await firstOf(dead);
    const page = await open('/incidents');
    await untilLive(page);
    await page.getByRole('combobox', { name: 'Cause' }).selectOption('controller');
    await page.waitForURL('**cause=controller**');
    await page.getByRole('combobox', { name: 'Objects, at least' }).selectOption('5');
    await page.waitForURL('**objects=5**');
    await lineOf(page, cause).waitFor();
    await page.reload();
    await lineOf(page, cause).waitFor();
    const lines = page.locator('.ledger.incidents tr[data-index]');
    expect(await lines.count()).toBe((await incidents('cause=controller&objects=5')).length);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^Of every verdict, cause and size: /);
  });

  it('is there as a file', async () => {
    const { id } = await firstOf(dead);
    const csv = await (await fetch(`${bed.url}/api/v1/incidents?cause=controller&format=csv`)).text();
    expect(csv.split('\r\n').filter((row) => row.includes(id))).toHaveLength(1);
  });

  it('is read without JavaScript', async () => {
    const page = await open('/incidents', { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^\d+ incidents? (?:is|are) ongoing\./);
    expect(await page.locator('.ledger.incidents tr[data-index]').count()).toBe((await incidents('')).length);
  });

  it('has a new incident without a reload', async () => {
    const page = await open('/incidents');
    await untilLive(page);
    await page.evaluate(() => document.documentElement.setAttribute('data-same-page', ''));
    await bed.order({
      order: 'break',
      cluster: 'us-west-2',
      kustomization: 'search',
      message: 'kustomize build failed: the needle is missing',
    });
    await page.getByRole('link', { name: /search on us-west-2/ }).waitFor({ timeout: 60_000 });
    expect(await page.locator('html').getAttribute('data-same-page')).toBe('');
  });
});

describe('an incident', () => {
  it.each([
    ['without JavaScript', false],
    ['with JavaScript', true],
  ])('of dead controllers tells its story, %s', async (_how, javaScriptEnabled) => {
    const cause = await firstOf(dead);
    const page = await open(cause.links.self, { javaScriptEnabled });
    const text = await wordsOf(page.locator('main'));
    expect(text).toMatch(/Stale for (?:at least )?\d+ (?:s|min)\. It reaches \d+ objects on 1 cluster/);
    expect(await page.getByRole('table', { name: 'Steps of the incident' }).getByRole('row').count()).toBeGreaterThan(
      1,
    );
    expect(await page.getByRole('table', { name: 'Reach over time' }).getByRole('row').count()).toBeGreaterThan(1);
    expect(await page.locator('.reach-line').getAttribute('d')).toMatch(/^M0 72H/);
    const causeLink = page
      .getByRole('region', { name: /^Cause/ })
      .getByRole('link')
      .first();
    expect(await causeLink.getAttribute('href')).toBe(cause.links.cause);
  });

  it('of a lost cluster is about the cluster as a whole', async () => {
    const lost = await firstOf('cause=cluster');
    const page = await open(lost.links.self);
    const row = page.getByRole('row', { name: /all of ap-northeast-1/ });
    expect(await wordsOf(row)).toMatch(/^Unobserved .*still in it/);
  });

  it('that is not there is a page that says so', async () => {
    const answer = await fetch(`${bed.url}/incidents/nothing-is-called-so`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('There is no incident nothing-is-called-so.');
  });

  it('was not there before it was noticed', async () => {
    const checkout = await firstOf('cluster=eu-west-3&name=checkout');
    const before = momentText(Date.parse(checkout.noticedAt) - 1);
    const after = momentText(Date.parse(checkout.noticedAt) + 1);
    expect((await fetch(`${bed.url}${checkout.links.self}?at=${before}`)).status).toBe(404);
    const page = await open(`/incidents?at=${after}`, { javaScriptEnabled: false });
    expect(await page.locator(`a[href^="${checkout.links.self}?at="]`).count()).toBe(1);
  });
});

/** A4 between its margins, in px. */
const paper = { width: 688, height: 1017 };

describe('room for every column', () => {
  it.each([
    ['paper', paper, 'print'],
    ['a tablet', { width: 820, height: 1180 }, 'screen'],
    ['a phone', { width: 390, height: 844 }, 'screen'],
  ] as const)('of incidents and of members is there on %s', async (_name, viewport, media) => {
    const cause = await firstOf(dead);
    for (const path of ['/incidents', cause.links.self]) {
      const page = await open(path, { viewport });
      await page.emulateMedia({ media });
      const rows = page.locator('.ledger tr[data-index]');
      await rows.first().waitFor();
      const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
      expect(Math.max(...heights)).toBeLessThan(190);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  });
});
