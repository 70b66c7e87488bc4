import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken } from './bed/places.ts';
import { until } from './bed/until.ts';
import type { WatchedOptions } from './bed/watched.ts';

let bed: Bed;
beforeAll(async () => {
  bed = await makeBed({
    before: [
      { order: 'lose', cluster: 'ap-northeast-1' },
      { order: 'forbid', cluster: 'sbx-2', kind: 'helmreleases.helm.toolkit.fluxcd.io' },
    ],
  });
});
afterAll(() => bed?.stop());

/** Opens a page, hands it to the test and sees to it that it did nothing wrong. */
async function on(path: string, check: (page: Page) => Promise<void>, options?: WatchedOptions): Promise<void> {
  const { page, complaints, close } = await bed.open(path, options);
  await page.locator('header', { hasText: ', live' }).waitFor();
  await check(page);
  await close();
  if (complaints.length > 0) throw new Error(`the page did what it may not: ${complaints.join('; ')}`);
}

async function said(main: Locator): Promise<string> {
  return (await main.innerText()).replace(/\s+/g, ' ');
}

describe('a cluster', () => {
  it('shows its feeds and controllers with their ages, and its objects worst first', () =>
    on('/clusters/eu-west-3', async (page) => {
      await page.getByRole('heading', { level: 1, name: 'eu-west-3' }).waitFor();
      const feeds = page.getByRole('region', { name: /^What is read/ }).getByRole('listitem');
      expect(await feeds.filter({ hasText: /^Kustomization/ }).innerText()).toMatch(/live\s+13\s+\d+ s/);
      const controllers = page.getByRole('region', { name: /^Controllers/ }).getByRole('listitem');
      expect(await controllers.filter({ hasText: 'kustomize-controller' }).innerText()).toMatch(/alive\s+13/);
      const first = page.getByRole('table').getByRole('row').nth(1);
      expect(await first.innerText()).toMatch(/Diverged\s+Kustomization\s+checkout/);
      await first.getByRole('link', { name: 'checkout' }).click();
      await page.waitForURL(`**${broken.path}`);
    }));

  it('that is in order folds what is converged and shows it when asked', () =>
    on('/clusters/us-west-2', async (page) => {
      const converged = page.getByRole('table').getByRole('row').filter({ hasText: 'Converged' });
      expect(await converged.count()).toBe(0);
      await page.getByRole('button', { name: 'Show them' }).click();
      await until('the converged ones', async () => (await converged.count()) > 20);
    }));

  it('draws what depends on what, the way of the fault included', () =>
    on('/clusters/eu-west-3', async (page) => {
      const graph = page.getByRole('region', { name: /^What depends on what/ });
      expect(await graph.getByRole('link').allInnerTexts()).toEqual(
        expect.arrayContaining(['control-repo', 'checkout', 'web']),
      );
      expect(await graph.locator('svg path').count()).toBeGreaterThan(0);
    }));

  it('on which a kind is forbidden says which, and the rule that is missing', () =>
    on('/clusters/sbx-2', async (page) => {
      const feeds = page.getByRole('region', { name: /^What is read/ });
      const line = feeds.getByRole('listitem').filter({ hasText: /^HelmRelease/ });
      expect(await said(line)).toMatch(/forbidden .*missing rule: get, list and watch on HelmRelease/);
      expect(await said(page.locator('main'))).toMatch(/HelmRelease cannot be read here/);
    }));

  it('that cannot be reached says so first, and nothing on it is good', () =>
    on('/clusters/ap-northeast-1', async (page) => {
      const text = await said(page.locator('body'));
      expect(text).toMatch(/Not seen \(unreachable\) for at least \d+ s: \S/);
      expect(text).toMatch(/That cannot be said/);
      expect(await page.locator('main .glyph-converged').count()).toBe(
        await page.locator('main .legend .glyph-converged').count(),
      );
    }));

  it('that is lost while its page is open turns to lost, and comes back', () =>
    on('/clusters/us-west-2', async (page) => {
      await bed.order({ order: 'lose', cluster: 'us-west-2' });
      await page.getByText(/^lost/).first().waitFor({ timeout: 30_000 });
      await until('nothing to be converged', async () => /Converged 0/.test(await said(page.locator('.legend'))));
      await bed.order({ order: 'regain', cluster: 'us-west-2' });
      await page.getByText(/^lost/).first().waitFor({ state: 'hidden', timeout: 60_000 });
    }));

  it('whose controllers have no pods tells which, and calls all stale that depends on them', () =>
    on('/clusters/stg-edge', async (page) => {
      const controllers = page.getByRole('region', { name: /^Controllers/ }).getByRole('listitem');
      const line = (name: string): Promise<string> => said(controllers.filter({ hasText: name }));
      expect(await line('source-controller')).toMatch(/no pod 12 .* 12 objects depend on it/);
      expect(await line('kustomize-controller')).toMatch(/scaled to 0 13 .* 13 objects depend on it/);
      expect(await line('helm-controller')).toMatch(/alive 5 .*v1\.6\.3 · held by helm-controller-/);
      // 12 sources, 13 Kustomizations, and the 5 HelmReleases whose charts are sources.
      expect(await said(page.locator('.legend'))).toMatch(/Stale 30 /);
    }));
});

describe('the list of objects', () => {
  const rows = (page: Page): Locator =>
    page
      .getByRole('table')
      .getByRole('row')
      .filter({ has: page.getByRole('link') });

  it('keeps its filters in the URL, through a reload, and gives them up again', () =>
    on('/objects', async (page) => {
      await page.getByRole('button', { name: /^Drifted/ }).click();
      await page.waitForURL('**/objects?verdict=drifted');
      await until('one drifted object', async () => (await rows(page).count()) === 1);
      expect(await rows(page).innerText()).toMatch(/Drifted\s+stg-us\s+HelmRelease\s+mail/);
      await page.reload();
      expect(await page.getByRole('button', { name: /^Drifted/ }).getAttribute('aria-pressed')).toBe('true');
      await until('one drifted object', async () => (await rows(page).count()) === 1);
      await page.getByRole('button', { name: /^Drifted/ }).click();
      await until('all of them', async () => (await rows(page).count()) > 20);
      expect(new URL(page.url()).search).toBe('');
    }));

  it('narrows by cluster and by text, and is worst first', () =>
    on('/objects?cluster=eu-west-3', async (page) => {
      const first = await rows(page).first().innerText();
      expect(first).toMatch(/Diverged\s+eu-west-3\s+Kustomization\s+checkout/);
      await page.getByRole('searchbox', { name: 'Search' }).fill('ingress-nginx');
      await page.waitForURL((url) => url.searchParams.get('q') === 'ingress-nginx');
      await until('only what matches', async () => {
        const shown = await rows(page).allInnerTexts();
        return shown.length > 0 && shown.every((row) => /eu-west-3/.test(row) && /ingress-nginx/.test(row));
      });
    }));

  it('names the filter that emptied it, and its way out', () =>
    on('/objects?verdict=drifted&cluster=us-west-2', async (page) => {
      expect(await said(page.locator('main'))).toMatch(/0 objects: cluster us-west-2, drifted/);
      await page
        .locator('main')
        .getByRole('button', { name: /without.*cluster us-west-2/i })
        .click();
      await page.waitForURL('**/objects?verdict=drifted');
      await until('one drifted object', async () => (await rows(page).count()) === 1);
    }));

  it('is in the HTML of the server', () =>
    bed.open('/objects?verdict=diverged', { javaScriptEnabled: false }).then(async ({ page, close }) => {
      expect(await rows(page).count()).toBe(3);
      await close();
    }));
});
