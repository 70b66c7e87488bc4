import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WireCommitList, WireCommitPage } from '#lib/api/commit.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { untilDrawn } from './bed/until-drawn.ts';
import type { Watched, WatchedOptions } from './bed/watched.ts';

let bed: Bed;
let opened: Watched[] = [];

const subject = 'search: a needle for the haystack';
const minutes = 120_000;
const program = join(import.meta.dirname, '..', '..', 'server', 'cli', 'plumbline.ts');

beforeAll(async () => {
  bed = await makeBed();
  await bed.order({ order: 'commit', cluster: 'us-west-2', component: 'search', subject });
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

/** Words that are seen there, with single spaces. */
async function wordsOf(place: Locator): Promise<string> {
  return (await place.innerText()).replace(/\s+/g, ' ').trim();
}

/** Opens the page of the commit from the list, with keys alone; its hash. */
async function followed(page: Page): Promise<string> {
  await untilLive(page);
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.waitForURL('**/commits');
  const link = page.getByRole('link', { name: subject });
  await link.waitFor({ timeout: minutes });
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/commits\/[0-9a-f]{40}$/);
  return page.url().slice(-40);
}

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** Runs the command beside the fleet, as CI does. */
function checkCommit(...args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const command = [program, 'check', '--url', bed.url, '--commit', ...args];
    const child = execFile(process.execPath, command, { timeout: minutes }, (_error, out, said) =>
      resolve({ code: child.exitCode, out, said }),
    );
  });
}

async function shaInList(): Promise<string> {
  const list = WireCommitList.parse(await (await fetch(`${bed.url}/api/v1/commits`)).json());
  return list.rows.find((row) => row.subject === subject)?.sha ?? '';
}

describe('plumbline check --commit', () => {
  it('waits until the commit has arrived, and tells where, for people and as the API does', async () => {
    await expect.poll(shaInList, { timeout: minutes }).toMatch(/^[0-9a-f]{40}$/);
    const sha = await shaInList();
    const waited = await checkCommit(sha, '--wait', '110s');
    expect([waited.code, waited.said.trim().split('\n').at(-1)]).toEqual([0, `Arrived: ${sha.slice(0, 7)} is out.`]);
    const [name, sentence, , head, line] = waited.out.split('\n');
    expect(name).toContain(`${sha.slice(0, 7)} ${subject}, by `);
    expect(sentence).toBe('Converged on the 1 cluster that it concerns.');
    expect(head).toMatch(/^STATE +CLUSTER +ENVIRONMENT +CAME$/);
    expect(line).toMatch(/^converged +us-west-2 +production +after \d/);
    const json = await checkCommit(sha.slice(0, 8), '--output', 'json', '--label', 'environment=production');
    expect(json.code).toBe(0);
    expect(WireCommitPage.parse(JSON.parse(json.out))).toMatchObject({ outcome: 'arrived', commit: { sha } });
    const elsewhere = await checkCommit(sha, '--cluster', 'eu-west-3', '--wait', '1m');
    expect([elsewhere.code, elsewhere.out]).toEqual([2, expect.stringContaining('It concerns no cluster')]);
  });

  it.each([
    [
      'of which no repository knows',
      ['f'.repeat(40), '--wait', '1s'],
      2,
      'Unknown: No repository that is mirrored holds',
    ],
    ['on a cluster that is not there', ['f'.repeat(40), '--cluster', 'nope'], 64, 'There is no cluster nope.'],
  ])('%s says so', async (_name, args, code, words) => {
    const ran = await checkCommit(...args);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.said).toContain(words);
  });

  it('has the API wait for a duration as for seconds, and refuse what is neither', async () => {
    const asked = async (wait: string): Promise<number> =>
      (await fetch(`${bed.url}/api/v1/commits/${'f'.repeat(40)}?wait=${wait}`)).status;
    expect(await Promise.all(['1s', '1', '31m', '1801', '-1', '1.5', ''].map(asked))).toEqual([
      ...[404, 404],
      ...[400, 400, 400, 400, 400],
    ]);
  });
});

describe('a commit', () => {
  it('is followed from the keys to the cluster that it concerns, and is seen to arrive without a reload', async () => {
    const page = await open('/');
    await followed(page);
    await page.getByRole('heading', { level: 1, name: subject }).waitFor();
    await page.evaluate(() => document.documentElement.setAttribute('data-same-page', ''));
    await page
      .locator('.say', { hasText: 'Converged on the 1 cluster that it concerns.' })
      .waitFor({ timeout: minutes });
    expect(await page.locator('html').getAttribute('data-same-page')).toBe('');
    const line = page.locator('.ledger.standing tr[data-index]');
    expect(await line.count()).toBe(1);
    expect(await wordsOf(line)).toMatch(/^Converged us-west-2 production after \d+ (?:s|min) /);
    await line.getByRole('button').click();
    const object = page.locator('.standing-objects').getByRole('link', { name: 'search', exact: true });
    expect(await object.getAttribute('href')).toContain('/clusters/us-west-2/');
  });

  it('is found by its first digits, and by a search for them; is read without JavaScript', async () => {
    const sha = await followed(await open('/'));
    const page = await open(`/commits/${sha.slice(0, 8)}`, { javaScriptEnabled: false });
    await untilDrawn(page, page.getByRole('heading', { level: 1, name: subject, exact: true }));
    const search = await open(`/objects?q=${sha.slice(0, 8)}`, { javaScriptEnabled: false });
    const way = search.getByRole('link', { name: `Is commit ${sha.slice(0, 7)} out?` });
    expect(await way.getAttribute('href')).toBe(`/commits/${sha.slice(0, 8)}`);
  });

  it.each([
    ['of which no repository knows', 'f'.repeat(40), 404, `No repository holds a commit ${'f'.repeat(40)}.`],
    ['that is none', 'checkout', 404, 'checkout is no commit.'],
  ])('%s has a page that says so', async (_name, digits, status, words) => {
    const statusOnceTold = async (): Promise<number | null> => {
      const answer = await fetch(`${bed.url}/commits/${digits}`);
      return (await answer.text()).includes(words) ? answer.status : null;
    };
    // On a busy machine git may be late for the page.
    await expect.poll(statusOnceTold, { timeout: 60_000 }).toBe(status);
  });
});

describe('the list of commits', () => {
  it('narrows down to a path in the URL, and a reload shows the same', async () => {
    const page = await open('/commits');
    await untilLive(page);
    await page.getByRole('searchbox', { name: 'Path' }).fill('nothing-is-called-so');
    await page.waitForURL('**path=nothing**');
    await page.getByText('No commit touches').waitFor();
    await page.reload();
    await page.getByText('No commit touches').waitFor();
  });
});

/** A4 between its margins, in px. */
const paper = { width: 688, height: 1017 };

describe('room for every column', () => {
  it.each([
    ['paper', paper, 'print'],
    ['a tablet', { width: 820, height: 1180 }, 'screen'],
    ['a phone', { width: 390, height: 844 }, 'screen'],
  ] as const)('of commits and of clusters is there on %s', async (_name, viewport, media) => {
    const sha = await followed(await open('/'));
    for (const path of ['/commits', `/commits/${sha}`]) {
      const page = await open(path, { viewport });
      await page.emulateMedia({ media });
      await page.locator('.ledger tr[data-index]').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  });
});

describe('names of commits', () => {
  it('lead from the object that runs one to its page, with the lag by its path; without JavaScript too', async () => {
    const sha = await followed(await open('/'));
    const path = '/clusters/us-west-2/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/search';
    const page = await open(path);
    await untilLive(page);
    const running = page.locator('.figures > div', { hasText: 'Running' });
    await running.getByText(subject).waitFor({ timeout: minutes });
    await running.getByText(/at the newest commit of main|this path/).waitFor({ timeout: minutes });
    expect(await wordsOf(running)).toContain('mirror fetched');
    const link = running.getByRole('link', { name: sha.slice(0, 7) });
    expect(await link.getAttribute('href')).toBe(`/commits/${sha}`);
    await link.click();
    await page.getByRole('heading', { level: 1, name: subject }).waitFor();
    const plain = await open(path, { javaScriptEnabled: false });
    await untilDrawn(plain, plain.locator('.figures', { hasText: subject }));
  });

  it('stand in the matrix that is coloured by commit, and in its legend', async () => {
    const sha = await followed(await open('/'));
    const page = await open('/?colour=commit');
    await untilLive(page);
    const legend = page.getByRole('region', { name: 'Commits by colour' });
    await legend.getByText(subject).waitFor({ timeout: minutes });
    const cell = page.locator('.m-cell', { hasText: sha.slice(0, 7) }).first();
    await cell.waitFor();
    expect(await cell.getAttribute('class')).toMatch(/m-shade-\d/);
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      const other = await open('/?colour=commit', { viewport });
      await other.getByRole('region', { name: 'Commits by colour' }).waitFor();
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  });
});
