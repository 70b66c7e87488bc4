import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changesApi, WireChangeList } from '#lib/api/change.ts';
import { objectApi, WireObjectPage } from '#lib/api/object.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { accounts, kustomizationPath } from './bed/places.ts';
import { until } from './bed/until.ts';
import type { Watched } from './bed/watched.ts';

const cluster = 'us-west-2';
let bed: Bed;
let opened: Watched[] = [];

/** Record of the cluster, in words, newest first. */
async function recorded(): Promise<readonly string[]> {
  const list = WireChangeList.parse(await bed.ask(`${changesApi.path}?cluster=${cluster}`));
  return list.changes.map(({ text }) => text);
}

async function accountsPage(): Promise<WireObjectPage> {
  const { group, kind, namespace, name } = accounts;
  const query = new URLSearchParams({ cluster, group, kind, namespace, name });
  return WireObjectPage.parse(await bed.ask(`${objectApi.path}?${query}`));
}

/** Number of other clusters that run the commit of accounts, once that is not `former` any more. */
async function othersBeyond(former: string | null): Promise<number> {
  const { object, elsewhere } = await accountsPage();
  const arrived =
    object.verdict === 'converged' && object.commit !== former && object.commit === elsewhere.atCommit?.commit;
  return arrived ? (elsewhere.atCommit?.converged ?? 0) : 0;
}

async function open(at: string): Promise<Page> {
  const watched = await bed.open(at);
  opened.push(watched);
  return watched.page;
}

beforeAll(async () => {
  bed = await makeBed();
  await bed.order({ order: 'upgrade', cluster, controller: 'kustomize-controller' });
  await until(
    'the upgrade to be recorded',
    async () => {
      const texts = (await recorded()).filter((text) => text.startsWith('kustomize-controller'));
      return texts.length === 2;
    },
    120_000,
    1_000,
  );
  const { commit } = (await accountsPage()).object;
  await bed.order({ order: 'commit', cluster, component: 'accounts', subject: 'accounts: split the ingress' });
  await until('others to run the commit', async () => (await othersBeyond(commit)) >= 2, 60_000, 500);
  await bed.order({
    order: 'break',
    cluster,
    kustomization: 'accounts',
    message: 'kustomize build failed: no such file',
  });
  await until('it to break', async () => (await accountsPage()).object.verdict === 'diverged', 60_000, 500);
});
afterAll(() => bed?.stop());
afterEach(async () => {
  const complaints = opened.flatMap((watched) => watched.complaints);
  await Promise.all(opened.map((watched) => watched.close()));
  opened = [];
  if (complaints.length > 0) throw new Error(`the pages did what they may not: ${complaints.join('; ')}`);
});

describe('what changed before it broke', () => {
  it('stands on the page of the object: the commit, the upgrade, each with how long before; and that it is only here', async () => {
    const page = await open(kustomizationPath(cluster, accounts.name));
    await page.locator('.say', { hasText: 'Diverged' }).waitFor();
    const section = page.getByRole('region', { name: /^What changed before/ });
    await section.getByRole('row').filter({ hasText: 'Revision' }).first().waitFor();
    const rows = (await section.getByRole('row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(
      rows.find((row) => /Revision [0-9a-f]{7} → [0-9a-f]{7} control-repo GitRepository, source/.test(row)),
    ).toMatch(/UTC (?:\d+ s before|at that moment)/);
    expect(rows.find((row) => row.includes('kustomize-controller v1.9.4 → v1.9.5'))).toMatch(
      /(?:between \d+ \w+ and|up to|about) \d+ \w+ before/,
    );
    expect(rows.some((row) => row.includes('kustomize-controller restarted: its lease changed hands'))).toBe(true);
    const said = (await page.locator('.say').innerText()).replace(/\s+/g, ' ');
    expect(said).toMatch(/\d+ (?:of \d+ )?other clusters (?:run|at) [0-9a-f]{7}/);
  });

  it('names who switched an object off, and comes by itself to a page that stands open', async () => {
    const page = await open(kustomizationPath(cluster, 'external-dns'));
    await page.locator('header', { hasText: ', live' }).waitFor();
    await bed.order({ order: 'suspend', cluster, kustomization: 'external-dns', manager: 'kubectl-edit' });
    const row = page
      .getByRole('region', { name: /^What changed before/ })
      .getByRole('row')
      .filter({ hasText: 'Suspended by spec.suspend; Spec edited' });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/(?:at that moment|\d s before)[\s\S]*this object[\s\S]*kubectl-edit/);
  });

  it('is a part of the API, and read only', async () => {
    const texts = await recorded();
    expect(texts).toContain('kustomize-controller v1.9.4 → v1.9.5');
    expect(new Set(texts).size).toBe(texts.length);
    expect((await fetch(`${bed.url}${changesApi.path}`, { method: 'POST' })).status).toBe(405);
  });
});
