import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken, kustomizationPath } from './bed/places.ts';
import { until } from './bed/until.ts';

let bed: Bed;
beforeAll(async () => {
  bed = await makeBed();
});
afterAll(() => bed?.stop());

/** Look of the first dot of the matrix: filled is green, hollow is not sure. */
function dot(page: Page): Promise<string> {
  return page
    .getByRole('grid')
    .locator('.glyph-converged path')
    .first()
    .evaluate((path) => {
      const { fill, visibility } = getComputedStyle(path);
      return visibility === 'hidden' || path.getClientRects().length === 0
        ? 'hidden'
        : fill === 'none'
          ? 'hollow'
          : 'filled';
    });
}

/** True if every row of the matrix is hatched. */
function hatched(page: Page): Promise<boolean> {
  return page
    .getByRole('grid')
    .locator('tbody tr:has(td)')
    .evaluateAll((rows) => rows.every((row) => getComputedStyle(row).backgroundImage.includes('gradient')));
}

/** Everything on the page that the eye takes for good now: what is painted in the converged green, but for the past in a history strip. */
function greens(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--converged)';
    document.querySelector('main')?.append(probe);
    const green = getComputedStyle(probe).color;
    probe.remove();
    return [...document.querySelectorAll('main path, main rect, main circle, main line, main i, main span')].flatMap(
      (element) => {
        const { fill, stroke, backgroundColor, visibility } = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        const seen = visibility !== 'hidden' && box.width > 0;
        const drawn = element instanceof SVGGraphicsElement;
        const glyph = element.closest('.glyph') !== null;
        const painted = drawn ? fill === green || (!glyph && stroke === green) : backgroundColor === green;
        const end = element.closest('.strip')?.getBoundingClientRect().right;
        const past = end !== undefined && box.right < end - 3;
        return seen && painted && !past && !element.closest('.legend') ? [element.outerHTML.slice(0, 120)] : [];
      },
    );
  });
}

describe('a web server that is killed while a page is open', () => {
  it('is said at once; dots turn hollow past 60 s, everything is hatched past 5 min, and it mends by itself', async () => {
    const fleet = await bed.open('/', { clock: true });
    const object = await bed.open(kustomizationPath('us-west-2', 'crds'), { clock: true });
    const { page } = fleet;
    for (const one of [page, object.page]) {
      await one.locator('header', { hasText: ', live' }).waitFor();
      expect((await greens(one)).length).toBeGreaterThan(0);
    }
    expect(await dot(page)).toBe('filled');

    await bed.kill('web');
    await page.getByText('No connection to the server').waitFor({ timeout: 10_000 });
    expect(await page.getByRole('button', { name: 'Try now' }).count()).toBe(1);

    await page.clock.fastForward(61_000);
    await until('hollow dots', async () => (await dot(page)) === 'hollow');
    await page.getByText(/1 min( \d+ s)? old/).waitFor();

    for (const one of [page, object.page]) await one.clock.fastForward(5 * minute);
    await until('a hatched matrix', () => hatched(page));
    expect(await dot(page)).not.toBe('filled');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^That cannot be said now/);
    await object.page.getByText('This cannot be said now').waitFor();
    await expect.poll(() => greens(page)).toEqual([]);
    // Six minutes are less than a pixel of the week, and what was green then was green.
    await object.page.evaluate(() =>
      document.querySelectorAll('.timeline, .time-key').forEach((past) => past.remove()),
    );
    await expect.poll(() => greens(object.page)).toEqual([]);

    await bed.startWebAgain();
    await page.getByRole('button', { name: 'Try now' }).click();
    await until('the dots to be sure again', async () => (await dot(page)) === 'filled');
    expect(await page.getByText('No connection to the server').count()).toBe(0);
    await fleet.close();
    await object.close();
  });
});

describe('a collector that is killed', () => {
  it('leaves nothing green: page and API turn to unobserved within 90 s', async () => {
    const { page, complaints, close } = await bed.open('/');
    await page.locator('header', { hasText: ', live' }).waitFor();
    const counts = async () => JSON.stringify(await bed.ask('/api/v1/fleet'));
    expect(await counts()).toMatch(/"converged":[1-9]/);
    await bed.kill('collector');
    await until(
      'the API to show nothing as converged',
      async () => /^(?!.*"converged":[1-9])/.test(await counts()),
      90_000,
      500,
    );
    await expect.poll(() => greens(page), { timeout: 15_000 }).toEqual([]);
    const cell = page.getByRole('grid').locator(`a[href="${broken.path}"]`);
    expect(await cell.getAttribute('aria-label')).toMatch(/^Unobserved/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/cannot be said|not seen/);
    await page
      .getByText(/nothing heard from|collector/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
