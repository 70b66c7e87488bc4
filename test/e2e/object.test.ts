import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken, kustomizationPath } from './bed/places.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let opened: Watched[] = [];

beforeAll(async () => {
  bed = await makeBed({
    before: [
      { order: 'lose', cluster: 'ap-northeast-1' },
      { order: 'forbid', cluster: 'sbx-2', kind: 'helmreleases.helm.toolkit.fluxcd.io' },
    ],
  });
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

async function untilLive(page: Page): Promise<void> {
  await page.locator('header', { hasText: ', live' }).waitFor();
}

describe('an object', () => {
  it('is reached from its cell, and the way back leads to the matrix', async () => {
    const page = await open('/');
    await untilLive(page);
    await page.getByRole('grid').locator(`a[href="${broken.path}"]`).click();
    await page.waitForURL(`**${broken.path}`);
    await page.getByRole('heading', { level: 1, name: 'checkout on eu-west-3' }).waitFor();
    await page.goBack();
    await page.getByRole('grid', { name: 'Clusters by columns' }).waitFor();
    await page.goForward();
    await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link', { name: 'fleet' }).click();
    await page.getByRole('grid', { name: 'Clusters by columns' }).waitFor();
  });

  it.each([
    ['without JavaScript', false],
    ['with JavaScript', true],
  ])(
    'whose build fails says so, with figures, conditions and what waits for it, %s',
    async (_how, javaScriptEnabled) => {
      const page = await open(broken.path, { javaScriptEnabled });
      const main = page.locator('main');
      const text = (await main.innerText()).replace(/\s+/g, ' ');
      expect(text).toMatch(/Diverged for (?:at least )?\d+ (?:s|min)/);
      expect(text).toMatch(
        /build of clusters\/production\/eu-west-3\/apps\/checkout fails, last tried at [0-9a-f]{7}/i,
      );
      expect(text).toMatch(/It worked at [0-9a-f]{7}, (?:first failed|was failing) at [0-9a-f]{7}[.,]/);
      expect(text).toMatch(/The cluster runs [0-9a-f]{7}/);
      expect(text).toMatch(/1 object waits for (?:it|this one)/);
      const figures = page.getByRole('term');
      for (const name of [/^Since/, /^Running/, /^Broke between/, /^Last attempt/])
        expect(await figures.filter({ hasText: name }).count()).toBe(1);
      const conditions = page.getByRole('table', { name: 'Conditions' });
      expect(await conditions.getByRole('row').filter({ hasText: 'BuildFailed' }).innerText()).toMatch(
        /no such file or directory/,
      );
      expect(
        await page
          .getByRole('region', { name: /^What depends on it/ })
          .getByRole('link')
          .allInnerTexts(),
      ).toEqual(['web']);
      expect(
        await page
          .getByRole('region', { name: /^What it depends on/ })
          .getByRole('link')
          .allInnerTexts(),
      ).toContain('control-repo');
    },
  );

  it('links its commits to their pages, those to the host of the repository, and its path there', async () => {
    const page = await open(broken.path);
    const links = page.locator('main a[href^="/commits/"]').filter({ visible: true, hasText: /^\s*[0-9a-f]{7}\s*$/ });
    await expect.poll(() => links.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    const [first] = await links.all();
    const sha = (await first?.innerText())?.trim() ?? '';
    expect(await first?.getAttribute('href')).toMatch(new RegExp(`^/commits/${sha}[0-9a-f]{33}$`));
    expect(await page.locator('main a[href^="https://github.com/acme/fleet/tree/"]').count()).toBeGreaterThan(0);
    await first?.click();
    await page.locator('main a[href^="https://github.com/acme/fleet/commit/"]').first().waitFor();
  });

  it('that waits names what it waits for as its root cause, and leads there', async () => {
    const page = await open(kustomizationPath('eu-west-3', 'web'));
    expect((await page.locator('main').innerText()).replace(/\s+/g, ' ')).toMatch(/Waiting for/);
    await page
      .getByRole('region', { name: /^Root cause/ })
      .getByRole('link')
      .click();
    await page.waitForURL(`**${broken.path}`);
    await page.getByRole('heading', { level: 1, name: 'checkout on eu-west-3' }).waitFor();
  });

  it('that is suspended says by what and by whom', async () => {
    const page = await open(kustomizationPath('stg-eu', 'policy'));
    expect(await page.getByRole('region', { name: /^Suspended/ }).innerText()).toMatch(/spec\.suspend.*kubectl-edit/s);
  });

  it('changes on screen when it changes on its cluster, without a reload', async () => {
    const page = await open(kustomizationPath('us-west-2', 'mail'));
    await untilLive(page);
    await page.evaluate(() => document.documentElement.setAttribute('data-same-page', ''));
    const message = 'kustomize build failed: the hammer is missing';
    await bed.order({ order: 'break', cluster: 'us-west-2', kustomization: 'mail', message });
    await page.getByText('the hammer is missing').first().waitFor({ timeout: 15_000 });
    await page
      .getByText(/^Diverged for/)
      .first()
      .waitFor();
    await bed.order({ order: 'mend', cluster: 'us-west-2', kustomization: 'mail' });
    await page
      .getByText(/^Converged for/)
      .first()
      .waitFor({ timeout: 15_000 });
    expect(await page.locator('html').getAttribute('data-same-page')).toBe('');
  });

  it('has commands that only read, and gives them to the clipboard', async () => {
    const page = await open(broken.path, { permissions: ['clipboard-read', 'clipboard-write'] });
    const region = page.getByRole('region', { name: /^Look closer/ });
    const commands = await region.locator('code').allInnerTexts();
    expect(commands.length).toBeGreaterThanOrEqual(3);
    for (const command of commands)
      expect(command).toMatch(/^(?:flux (?:get|events|tree|logs)|kubectl (?:get|describe)) /);
    await region.getByRole('button').first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(commands[0]);
  });
});

describe('what is not there', () => {
  it.each([
    ['an object', kustomizationPath('eu-west-3', 'chekout'), 'checkout'],
    ['a cluster', '/clusters/eu-west-4', 'eu-west-3'],
  ])('%s: the nearest name is told and linked, with a 404', async (_what, path, nearest) => {
    expect((await fetch(`${bed.url}${path}`)).status).toBe(404);
    const page = await open(path);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await page.locator('main').getByRole('link', { name: nearest }).first().click();
    await page.getByRole('heading', { level: 1, name: new RegExp(nearest) }).waitFor();
  });

  it.each(['/nothing', '/clusters/a/b', '/objects/x'])('%s: the way home stays', async (path) => {
    expect((await fetch(`${bed.url}${path}`)).status).toBeGreaterThanOrEqual(400);
    const page = await open(path);
    await page.getByRole('link', { name: 'Plumbline', exact: true }).click();
    await page.getByRole('grid', { name: 'Clusters by columns' }).waitFor();
  });
});
