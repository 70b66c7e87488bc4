import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Bed, makeBed } from './bed/bed.ts';
import { untilDrawn } from './bed/until-drawn.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let opened: Watched[] = [];

const minutes = 120_000;
const sides = 'left=clusters/production/eu-west-3&right=clusters/production/us-east-2';
const table = { name: 'Files of both directories' };

beforeAll(async () => {
  bed = await makeBed();
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

/** Polls until the repository is mirrored. */
async function untilMirrored(): Promise<void> {
  const asked = async (): Promise<number> => {
    const answer: unknown = await (await fetch(`${bed.url}/api/v1/compare?${sides}`)).json();
    return JSON.stringify(answer).includes('"different":0,') ? 0 : JSON.stringify(answer).split('"status"').length - 1;
  };
  await expect.poll(asked, { timeout: minutes }).toBeGreaterThan(0);
}

it('is reached from the commits, offers pairs, and leads with keys alone to the lines that differ', async () => {
  await untilMirrored();
  const page = await open('/commits');
  await page.locator('header', { hasText: ', live' }).waitFor();
  await page.getByRole('link', { name: 'Compare two directories' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/compare');
  const pair = page.getByRole('link', { name: 'clusters/production', exact: true }).first();
  await pair.waitFor();
  expect(await pair.getAttribute('href')).toContain('right=clusters/staging');
  await page.getByRole('textbox', { name: 'Left', exact: true }).fill('clusters/production/eu-west-3');
  await page.getByRole('textbox', { name: 'Right', exact: true }).fill('clusters/production/us-east-2');
  await page.keyboard.press('Enter');
  const file = page.getByRole('table', table).getByRole('link', { name: 'apps/checkout/kustomization.yaml' });
  await file.waitFor();
  await file.focus();
  await page.keyboard.press('Enter');
  const lines = page.getByRole('table', { name: 'Lines of apps/checkout/kustomization.yaml' });
  await lines.getByText('only left:').first().waitFor();
  expect(await lines.locator('[data-side="left"]').first().innerText()).toContain('\u2212');
});

it('is read without JavaScript, and its form works so', async () => {
  await untilMirrored();
  const page = await open('/compare', { javaScriptEnabled: false });
  await page.getByRole('textbox', { name: 'Left', exact: true }).fill('clusters/production/eu-west-3');
  await page.getByRole('textbox', { name: 'Right', exact: true }).fill('clusters/production/us-east-2');
  await page.getByRole('button', { name: 'Compare' }).click();
  await untilDrawn(page, page.getByRole('table', table));
  await page.getByRole('link', { name: 'apps/checkout/kustomization.yaml' }).click();
  await untilDrawn(page, page.getByRole('table', { name: /^Lines of/ }).filter({ hasText: 'only right:' }));
});

it('says of a directory that is not there that it is not', async () => {
  await untilMirrored();
  const page = await open('/compare?left=clusters/production&right=clusters/nowhere', { javaScriptEnabled: false });
  await untilDrawn(page, page.getByRole('heading', { level: 1, name: /^There is no clusters\/nowhere at / }));
});

/** A4 between its margins, in px. */
const paper = { width: 688, height: 1017 };

it.each([
  ['paper', paper, 'print'],
  ['a tablet', { width: 820, height: 1180 }, 'screen'],
  ['a phone', { width: 390, height: 844 }, 'screen'],
] as const)('has room for every column and line on %s', async (_name, viewport, media) => {
  await untilMirrored();
  for (const path of ['/compare', `/compare?${sides}&file=apps/checkout/kustomization.yaml`]) {
    const page = await open(path, { viewport });
    await page.emulateMedia({ media });
    await page.locator('.ledger tr[data-index]').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  }
});
