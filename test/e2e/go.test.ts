import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { goApi, WireGo } from '#lib/api/pager/go.ts';
import { goPath } from '#lib/api/paths.ts';
import { minute } from '#lib/domain/time/length.ts';
import { momentText } from '#lib/format/moment.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { accounts, broken, kustomizationPath } from './bed/places.ts';
import { until } from './bed/until.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

const kustomizations = 'kustomizations.kustomize.toolkit.fluxcd.io';
const checkout = { cluster: broken.cluster, kind: 'Kustomization', namespace: 'flux-system', name: broken.name };
const misspelled = { ...checkout, name: 'chekout' };
/** Nobody applies it: it does not come back. */
const removed = { cluster: accounts.cluster, kind: 'Kustomization', namespace: 'flux-system', name: 'legacy' };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let bed: Bed;
let opened: Watched[] = [];
/** A second at which everything was there (ms). */
let before = 0;

async function resolved(labels: Readonly<Record<string, string>>): Promise<WireGo> {
  return WireGo.parse(await bed.ask(`${goApi.path}?${new URLSearchParams(labels).toString()}`));
}

beforeAll(async () => {
  const { cluster, namespace, name } = removed;
  const sourceRef = { kind: 'GitRepository', name: 'control-repo' };
  const object = { metadata: { name, namespace }, spec: { interval: '1m', path: './legacy', prune: true, sourceRef } };
  bed = await makeBed({ before: [{ order: 'plant', cluster, kind: kustomizations, object }] });
  await until('legacy to be seen', async () => (await resolved(removed)).outcome === 'exact', 60_000, 500);
  before = Math.ceil(Date.now() / 1000) * 1000;
  await until('that second to be over', () => Promise.resolve(Date.now() > before + 500), 5_000);
  await bed.order({ order: 'remove', cluster, kind: kustomizations, namespace, name });
  await until('legacy to be gone', async () => (await resolved(removed)).recorded[0]?.last.to === null, 60_000, 500);
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

function ask(labels: Readonly<Record<string, string>>, init: RequestInit = {}): Promise<Response> {
  return fetch(bed.url + goPath(labels), { redirect: 'manual', ...init });
}

describe('labels that name one object', () => {
  it.each([
    ['one by one', checkout],
    [
      'in one text',
      {
        labels: `{cluster="${broken.cluster}",kind="kustomizations",exported_namespace="flux-system",name="checkout"}`,
      },
    ],
  ])('%s lead to its page, and are kept by nobody', async (_how, labels) => {
    const answer = await ask(labels);
    expect([answer.status, answer.headers.get('location')]).toEqual([307, broken.path]);
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  it('lead a HEAD there too', async () => {
    expect((await ask(checkout, { method: 'HEAD' })).status).toBe(307);
  });

  it.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])('at the time of the page to that moment, whose page says so: %s', async (_how, javaScriptEnabled) => {
    const at = momentText(before);
    await until(
      'it to be more than a minute ago',
      () => Promise.resolve(Date.now() > before + minute + 1_000),
      90_000,
      500,
    );
    const page = await open(goPath({ ...removed, at: String(before / 1000) }), { javaScriptEnabled });
    expect(new URL(page.url()).pathname).toBe(kustomizationPath(removed.cluster, removed.name));
    expect(new URL(page.url()).searchParams.get('at')).toBe(at);
    const line = page.getByRole('region', { name: 'The moment that is shown' });
    expect(await line.innerText()).toMatch(/^As known at/);
    expect(await line.getByRole('link', { name: 'Back to now' }).getAttribute('href')).not.toContain('at=');
  });

  it("lead no script of another site's page", async () => {
    expect((await ask(checkout, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  });
});

const stops = [
  [
    'labels that may mean one',
    { ...checkout, namespace: 'monitoring' },
    /^The labels may mean Kustomization flux-system\/checkout on eu-west-3\.$/,
  ],
  [
    'labels that fit several',
    { kind: 'kustomization', name: 'checkout' },
    /^The labels fit 14 objects on 14 clusters\.$/,
  ],
  ['labels that fit none', misspelled, /^No Kustomization flux-system\/chekout is known on eu-west-3\.$/],
  ['an object that was removed', removed, /^No Kustomization flux-system\/legacy is known on us-west-2\.$/],
  ['a fingerprint', { fingerprint: '3b15fd163d36582e' }, /^No alert with this fingerprint is known\.$/],
  ['nothing', {}, /^No labels were given\.$/],
] as const;

describe.each(stops)('%s', (_what, labels, sentence) => {
  it('is a page, without JavaScript too', async () => {
    expect((await ask(labels)).status).toBe(200);
    const page = await open(goPath(labels), { javaScriptEnabled: false });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(sentence);
    expect(await page.getByRole('navigation', { name: 'Where to look' }).getByRole('link').count()).toBeGreaterThan(0);
  });

  it('fits a phone, and axe finds nothing', async () => {
    const page = await open(goPath(labels), phone);
    await page.locator('header', { hasText: 'UTC' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`)).toEqual([]);
  });
});

it('of an object that was removed it leads to its page of just before', async () => {
  const page = await open(goPath(removed));
  await page.getByRole('link', { name: 'As it was just before' }).click();
  await page.getByRole('heading', { level: 1, name: `${removed.name} on ${removed.cluster}` }).waitFor();
  expect(await page.getByRole('region', { name: 'The moment that is shown' }).innerText()).toMatch(/^As known at/);
});

it('what was misspelled is mended in the form, without JavaScript', async () => {
  const page = await open(goPath(misspelled), { javaScriptEnabled: false });
  await page.getByText('Look with other labels').click();
  const field = page.getByRole('textbox', { name: /^As the pager prints them/ });
  expect(await field.inputValue()).toContain('name = chekout');
  await field.fill(`cluster = ${accounts.cluster}\nkind = kustomizations\nname = ${accounts.name}`);
  await page.getByRole('button', { name: 'Find the object' }).click();
  await page.waitForURL(`**${kustomizationPath(accounts.cluster, accounts.name)}`);
});

it('hostile labels are text, and lead nowhere', async () => {
  const hostile = {
    cluster: '//evil.example/',
    kind: '"><script>alert(1)</script>',
    name: '../../x',
    constructor: 'x',
    'a\u0007b': '<img src=x onerror=alert(1)>',
  };
  const answer = await ask(hostile);
  const body = await answer.text();
  expect(answer.status).toBe(200);
  expect(body).not.toMatch(/<script>alert|<img src=x/);
  const page = await open(goPath(hostile));
  await page.locator('header', { hasText: 'UTC' }).waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  for (const href of await page
    .locator('main a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
    // Incidents of the hour lead to the host of their commits.
    expect(href).toMatch(/^(?:\/(?!\/)|https:\/\/github\.com\/acme\/fleet\/commit\/)/);
  // What turns the direction of text is refused at the door, as in every address.
  expect((await ask({ ...hostile, name: '\u202Ex' })).status).toBe(400);
});

it('the longest labels stand within a phone', async () => {
  const page = await open(
    goPath({ cluster: 'c'.repeat(1_000), name: 'n'.repeat(1_000), ['l'.repeat(400)]: 'v' }),
    phone,
  );
  await page.locator('header', { hasText: 'UTC' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

it('as many labels as an address can carry are answered, and said where they are not read', async () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`label_${n}`, 'x'.repeat(40)]));
  const page = await open(goPath({ ...misspelled, ...many }));
  expect(await page.locator('main').innerText()).toContain('84 labels were given; the first 64 are read.');
});

it('a label that is given twice is left out, said, and nobody is led on', async () => {
  const page = await open(`${goPath(checkout)}&name=other&name=again`.replace('name=checkout&', ''));
  expect(await page.getByRole('region', { name: 'Notices' }).innerText()).toMatch(/name=.* is given twice/);
});
