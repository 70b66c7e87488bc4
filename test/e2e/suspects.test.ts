import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WireIncidentList } from '#lib/api/incident.ts';
import { objectPath } from '#lib/api/paths.ts';
import { objectWords, WireSuspects } from '#lib/api/git/suspect.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { search } from './bed/places.ts';
import { until } from './bed/until.ts';
import { untilDrawn } from './bed/until-drawn.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let incident = '';
let opened: Watched[] = [];

const subject = 'search: index the archive';

async function suspicion(of: string) {
  return WireSuspects.parse(await bed.ask(`/api/v1/suspects?${of}`)).rows[0]?.suspicion ?? null;
}

beforeAll(async () => {
  bed = await makeBed();
  // Commits to others lie in the range too.
  for (const component of ['checkout', 'accounts'])
    await bed.order({ order: 'commit', cluster: 'us-west-2', component, subject: `${component}: something else` });
  await bed.order({ order: 'commit', cluster: 'us-west-2', component: 'search', subject, breaks: 'no such patch' });
  const isKnown = async (): Promise<boolean> => {
    const { rows } = WireIncidentList.parse(await bed.ask('/api/v1/incidents?cluster=us-west-2&name=search'));
    incident = rows.find(({ range }) => range !== null)?.id ?? '';
    return incident !== '' && (await suspicion(`incident=${incident}`))?.type === 'culprit';
  };
  await until('the suspect to be known', isKnown, 120_000, 1000);
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

describe('a commit that breaks what it touches', () => {
  it('is the culprit of the object and of its incident, with its author and its host', async () => {
    for (const of of [`incident=${incident}`, `object=${encodeURIComponent(objectWords(search))}`]) {
      const found = await suspicion(of);
      expect([found?.type, found?.suspects.map((one) => one.subject)]).toEqual(['culprit', [subject]]);
      expect(found?.suspects[0]?.author).toBe('Ines Moreau');
      expect(found?.suspects[0]?.href).toContain('https://github.com/acme/fleet/commit/');
    }
  });

  it.each([
    ['of the object', () => objectPath(search)],
    ['of the incident', () => `/incidents/${incident}`],
  ])('is named on the page %s, without JavaScript too', async (_name, path) => {
    const section = (page: Page) => page.getByRole('region', { name: /^The suspect/ });
    const page = await open(path());
    await section(page).getByRole('link', { name: subject }).waitFor();
    expect(await section(page).innerText()).toContain('Ines Moreau');
    const plain = await open(path(), { javaScriptEnabled: false });
    await untilDrawn(plain, section(plain).getByRole('link', { name: subject }));
  });

  it('stands in the list of incidents and on its cause', async () => {
    for (const path of ['/incidents?cluster=us-west-2', '/?causes=all']) {
      const line = (await open(path)).locator('.suspect-line', { hasText: subject });
      await line.waitFor();
      expect(await line.innerText()).toMatch(/^suspect: [0-9a-f]{7} search: index the archive, Ines Moreau$/);
    }
  });

  it.each([
    ['paper', { width: 688, height: 1017 }, 'print'],
    ['a phone', { width: 390, height: 844 }, 'screen'],
  ] as const)('leaves room for all on %s', async (_name, viewport, media) => {
    for (const path of [objectPath(search), `/incidents/${incident}`, '/incidents?cluster=us-west-2']) {
      const page = await open(path, { viewport });
      await page.emulateMedia({ media });
      await page.getByText(subject).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  });
});

/** So many times Tab at most leads to anything on a page. */
const mostTabs = 400;

/** Presses Tab until what has the focus has a name like this. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let pressed = 0; pressed < mostTabs; pressed++) {
    await page.keyboard.press('Tab');
    if (name.test(await focusedName(page))) return;
  }
  throw new Error(`no ${name} within ${mostTabs} times Tab; the last was ${await focusedName(page)}`);
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    return focused?.getAttribute('aria-label') ?? focused?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  });
}

describe('a bad commit', () => {
  const mending = 'search: put the patch back';

  it('is followed with keys alone: from the matrix to its files, its clusters, and the commit that mends it', async () => {
    const page = await open('/?q=search');
    await page.locator('header', { hasText: ', live' }).waitFor();
    await tabTo(page, /^Skip the matrix$/);
    await page.keyboard.press('Tab');
    // What is silent comes first: the next ones follow by the same key.
    await expect
      .poll(async () => {
        await page.keyboard.press(']');
        return focusedName(page);
      })
      .toMatch(/^Diverged/);
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: /^The suspect/ })
      .getByRole('link', { name: subject })
      .waitFor();
    await tabTo(page, new RegExp(`${subject}$`));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: subject }).waitFor();
    await tabTo(page, /^1 file$/);
    await page.keyboard.press('Enter');
    await page.getByText('clusters/production/us-west-2/apps/search/').waitFor();
    await tabTo(page, /^us-west-2$/);
    await page.locator('.say', { hasText: /stuck on/i }).waitFor();
    await bed.order({ order: 'commit', cluster: 'us-west-2', component: 'search', subject: mending });
    await bed.order({ order: 'mend', cluster: 'us-west-2', kustomization: 'search' });
    await page.locator('.say', { hasText: /superseded on/i }).waitFor({ timeout: 120_000 });
    await tabTo(page, new RegExp(`^[0-9a-f]{7} ${mending}$`));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: mending }).waitFor();
    await page
      .locator('.say', { hasText: 'Converged on the 1 cluster that it concerns.' })
      .waitFor({ timeout: 120_000 });
  });
});
