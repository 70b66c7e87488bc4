import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WireReport } from '#lib/api/report.ts';
import { runCommandLine } from '#server/cli/program.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { until } from './bed/until.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let folder: string;
let opened: Watched[] = [];

/** Today, and nothing else: the bed's record is as old as the bed. */
const today = () => `from=${new Date().toISOString().slice(0, 10)}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-reports-'));
  bed = await makeBed({ before: [{ order: 'lose', cluster: 'ap-northeast-1' }] });
  await until('a figure of the report', async () => {
    const { figures } = WireReport.parse(await bed.ask(`/api/v1/report?${today()}`));
    return figures.absences.opened > 0 && figures.suspendedMs > 0;
  });
});
afterAll(async () => {
  await bed?.stop();
  await rm(folder, { recursive: true, force: true });
});
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

describe('the report', () => {
  it('is reached from the bar and by its keys; its period stands in the address and a reload shows the same', async () => {
    const page = await open('/');
    await page.locator('header', { hasText: ', live' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.waitForURL('**/reports');
    await page.getByRole('heading', { level: 1, name: /^Drift report, / }).waitFor();
    const heading = page.getByRole('heading', { level: 1 });
    const former = await heading.innerText();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.waitForURL('**/reports?period=last-7-days');
    await page.getByRole('button', { name: 'Last 7 days', pressed: true }).waitFor();
    // The report of before stays until the other one has come.
    await heading.filter({ hasNotText: former }).waitFor();
    const title = await heading.innerText();
    await page.reload();
    expect(await heading.innerText()).toBe(title);
  });

  it('says since when there is a record, and that the fleet is simulated', async () => {
    const page = await open('/reports');
    const text = await page.getByRole('article').innerText();
    expect(text).toMatch(/The record begins on .* UTC: \d+ d .* of \d+ d .* are not recorded\./);
    expect(text).toContain('The fleet and its history are simulated');
    expect(text).toMatch(/for [\d.]+ % of the object time observed, what was in git was what was running\./);
  });

  it.each([
    ['without JavaScript', false],
    ['with JavaScript', true],
  ])('has its charts, %s', async (_how, javaScriptEnabled) => {
    const page = await open(`/reports?${today()}`, { javaScriptEnabled });
    const chart = page
      .locator('.report-days')
      .getByRole(javaScriptEnabled ? 'application' : 'img')
      .first();
    await chart.waitFor();
    expect((await chart.boundingBox())?.height).toBeGreaterThan(100);
  });

  it('a number leads to the spans that it comes from, which add up to it', async () => {
    const page = await open(`/reports?${today()}`);
    const row = page.getByRole('row', { name: /^Object time switched off on purpose/ });
    const link = row.getByRole('link');
    const figure = await link.innerText();
    await link.click();
    await page.waitForURL('**/reports/spans?**verdict=suspended');
    await page.getByRole('heading', { level: 1, name: `${figure}: suspended` }).waitFor();
    const sum = await page.getByText(/spans?, newest first, which add up to/).innerText();
    expect(sum).toContain(`which add up to ${figure}`);
    await page.getByRole('link', { name: 'The report' }).click();
    await page.getByRole('heading', { level: 1, name: /^Drift report, / }).waitFor();
  });

  it('commits that arrived are listed, with how long they took', async () => {
    const page = await open(`/reports/arrivals?${today()}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/arrived/);
  });

  it.each([
    ['/reports?from=monday', /In the address, "from" must be a day/],
    ['/reports?period=yesterday', /In the address, "period" must be one of last-month/],
    ['/reports/spans?verdict=broken', /In the address, "verdict" must be verdicts/],
    ['/reports/arrivals?limit=x', /In the address, "limit"/],
  ])('%s says what of it cannot be read', async (path, message) => {
    const page = await open(path);
    await page.getByText(message).first().waitFor();
    expect(await page.getByRole('link', { name: 'Report on the last 30 days' }).isVisible()).toBe(true);
  });

  it('on paper it is the report alone', async () => {
    const page = await open(`/reports?${today()}`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('search').isVisible()).toBe(false);
    expect(await page.getByRole('article').isVisible()).toBe(true);
    expect(await page.getByText('As a file:').isVisible()).toBe(false);
    const sizes = await page
      .getByRole('article')
      .locator(':visible')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    // 8 pt: smaller is not read on paper.
    expect(Math.min(...sizes)).toBeGreaterThan(10.6);
    const paper = await page.pdf({ format: 'A4' });
    // A <pattern> becomes a picture of pixels there: 6 MB.
    expect(paper.length).toBeLessThan(1_500_000);
  });
});

describe('the file', () => {
  it('of HTML is whole in itself: opened from disk it asks for nothing, and its anchors lead somewhere', async () => {
    const html = await (await fetch(`${bed.url}/api/v1/report?${today()}&format=html`)).text();
    const path = join(folder, 'report.html');
    await writeFile(path, html);
    const page = await bed.browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`file://${path}`);
    expect(asked).toEqual([`file://${path}`]);
    await page
      .getByRole('link', { name: /^\d.* %$/ })
      .nth(1)
      .waitFor();
    await page.locator('a[href="#not-seen"]').first().click();
    expect(await page.locator('#not-seen').isVisible()).toBe(true);
    await page.close();
  });

  it('is made by the command line from the same store, while it is written', async () => {
    const output = join(folder, 'report.json');
    const said: string[] = [];
    const code = await runCommandLine(
      ['report', '--data', bed.dataDirectory, '--from', today().slice(5), '--output', output],
      { out: () => undefined, say: (line) => void said.push(line) },
    );
    expect([code, said]).toEqual([0, []]);
    const made = WireReport.parse(JSON.parse(await readFile(output, 'utf8')));
    const { from, to } = made.period;
    const { figures } = WireReport.parse(await bed.ask(`/api/v1/report?from=${from}&to=${to}`));
    expect(made.figures.shares).toEqual(figures.shares);
  });
});
