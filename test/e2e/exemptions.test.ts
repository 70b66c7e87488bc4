import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WireExemptionList } from '#lib/api/exemption.ts';
import { objectPath } from '#lib/api/paths.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { kustomizationPath } from './bed/places.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let opened: Watched[] = [];

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

async function untilLive(page: Page): Promise<void> {
  await page.locator('header', { hasText: ', live' }).waitFor();
}

const sentence = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();

describe('exemptions', () => {
  it('are reached from the bar, and from the line beneath the matrix', async () => {
    const page = await open('/');
    await untilLive(page);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Exemptions' }).click();
    await page.waitForURL('**/exemptions');
    expect(await sentence(page)).toMatch(
      /^[\d,]+ of [\d,]+ objects have settings that weaken the guarantee \([\d,]+ settings\)\.$/,
    );
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByRole('grid', { name: 'Clusters by columns' }).waitFor();
    await page.getByRole('link', { name: /^[\d,]+ conflicts?$/ }).click();
    await page.waitForURL('**/exemptions?tab=conflicts');
  });

  it.each([
    ['without JavaScript', false],
    ['with JavaScript', true],
  ])('say who suspended what, since when, and lead there, %s', async (_how, javaScriptEnabled) => {
    const page = await open('/exemptions?exemption=suspended', { javaScriptEnabled });
    const row = page.getByRole('row').filter({ hasText: 'policy' });
    const text = (await row.innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(/policy Kustomization in flux-system stg-eu spec\.suspend \d+ kubectl-edit \d+ \w+ \d\d:\d\d/);
    await row.getByRole('link', { name: 'policy' }).click();
    await page.getByRole('heading', { level: 1, name: 'policy on stg-eu' }).waitFor();
  });

  it('of a release reach as far as what it has applied, on its own page too', async () => {
    const release = { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease', namespace: 'mail', name: 'mail' };
    const page = await open(objectPath({ cluster: 'stg-us', ...release }));
    const weakens = page.getByRole('region', { name: /^Weakens the guarantee/ });
    expect(await weakens.innerText()).toMatch(/spec\.chart its chart is rendered by the cluster.*covers 4 objects/);
  });

  it('narrow down by kind and cluster in the URL, and a reload shows the same', async () => {
    const page = await open('/exemptions');
    await untilLive(page);
    await page.getByRole('button', { name: /^Observed only/ }).click();
    await page.waitForURL('**/exemptions?exemption=observe-only');
    await page.getByRole('combobox', { name: 'Cluster' }).fill('us-west-2');
    await page.waitForURL('**cluster=us-west-2**');
    await page.getByRole('heading', { level: 1, name: /\(1 setting\)/ }).waitFor();
    const before = await sentence(page);
    await page.reload();
    expect(await sentence(page)).toBe(before);
  });

  it('come as a file, all that match', async () => {
    const page = await open('/exemptions?exemption=suspended,observe-only');
    const href = (await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '';
    const [head, ...rows] = (await (await fetch(`${bed.url}${href}`)).text()).trimEnd().split('\r\n');
    expect(head).toMatch(/^cluster,group,kind,namespace,name,/);
    const json = (await page.getByRole('link', { name: 'JSON' }).getAttribute('href')) ?? '';
    expect(rows).toHaveLength(WireExemptionList.parse(await bed.ask(json)).total);
  });

  it('change on screen when somebody suspends something, without a reload', async () => {
    const page = await open('/exemptions?exemption=suspended');
    await untilLive(page);
    await bed.order({ order: 'suspend', cluster: 'us-west-2', kustomization: 'crds', manager: 'flux' });
    const row = page.getByRole('row').filter({ hasText: 'crds' });
    await row.waitFor({ timeout: 20_000 });
    expect(await row.innerText()).toContain('flux');
  });
});

describe('conflicts', () => {
  it('name both owners and lead to them; each owner tells of it, and that it is no drift', async () => {
    const page = await open('/exemptions?tab=conflicts');
    const row = page.getByRole('row').filter({ hasText: 'web-assets-config' });
    expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
      /web-assets-config ConfigMap in web us-east-1 catalogue and web both have applied it/,
    );
    await row.getByRole('link', { name: 'catalogue' }).click();
    await page.waitForURL(`**${kustomizationPath('us-east-1', 'catalogue')}`);
    const ownership = page.getByRole('region', { name: /^More than one manager/ });
    await ownership.getByRole('link', { name: 'web', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'web on us-east-1' }).waitFor();
  });

  it('one external resource that two managed resources manage is one', async () => {
    const page = await open('/exemptions?tab=conflicts&conflict=external-resource');
    expect(await sentence(page)).toMatch(/1 resource has more than one manager\.$/);
    const links = page.getByRole('row').filter({ hasText: 'eu-central-1a' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual(
      expect.arrayContaining(['media-moved', 'media-eu-central-1a', 'eu-central-1a']),
    );
  });
});

describe('an opt-out on the live object', () => {
  it('is never green, and says by whom', async () => {
    const release = { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease', namespace: 'external-dns' };
    const page = await open(objectPath({ cluster: 'us-west-2', name: 'external-dns', ...release }));
    const text = (await page.locator('main').innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(/Unconfirmed for/);
    expect(text).toMatch(
      /is opted out \(metadata\.annotations\[kustomize\.toolkit\.fluxcd\.io\/reconcile\] by kubectl-annotate\)/,
    );
  });
});
