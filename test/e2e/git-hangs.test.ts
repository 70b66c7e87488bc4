import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitNamesApi } from '#lib/api/commit.ts';
import { WireObjectPage } from '#lib/api/object.ts';
import { objectPath, refParams } from '#lib/api/paths.ts';
import { WireIncidentList } from '#lib/api/incident.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { search } from './bed/places.ts';
import { until } from './bed/until.ts';

const subject = 'search: a commit that breaks it';
const pages = 15;

let bed: Bed;

beforeAll(async () => {
  bed = await makeBed();
  await bed.order({ order: 'commit', cluster: 'us-west-2', component: 'search', subject, breaks: 'no such patch' });
  const isKnown = async (): Promise<boolean> => {
    const { rows } = WireIncidentList.parse(await bed.ask('/api/v1/incidents?cluster=us-west-2&name=search'));
    return rows.some(({ range }) => range !== null);
  };
  await until('the object to break in a range', isKnown, 120_000, 1_000);
});
afterAll(async () => {
  bed?.halt('git', false);
  await bed?.stop();
});

it('pages that are read without JavaScript say that git is late, and have a way to load them again', async () => {
  const { object } = WireObjectPage.parse(await bed.ask(`/api/v1/object?${new URLSearchParams(refParams(search))}`));
  const plain = { javaScriptEnabled: false };
  const paths = [
    '/commits',
    `/commits/${object.commit ?? ''}`,
    '/compare?left=clusters&right=apps',
    objectPath(search),
  ];
  for (const path of paths) {
    bed.halt('git', true);
    await bed.kill('web');
    await bed.startWebAgain();
    await until('the object to be read', async () => (await fetch(`${bed.url}${objectPath(search)}`)).ok, 60_000, 250);
    const { page, complaints, close } = await bed.open(path, plain);
    const again = page.getByRole('link', { name: 'Load again' });
    expect([path, await again.count()]).toEqual([path, 1]);
    bed.halt('git', false);
    const isTold = async (): Promise<boolean> => {
      await again.click();
      return (await again.count()) === 0;
    };
    await until('the page to be told by git', isTold, 120_000, 1_000);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    expect(complaints).toEqual([]);
    await close();
  }
});

it('pages come without what git tells while it hangs, not one after the other waiting for it, and fill it in later', async () => {
  // A web process that was told nothing yet.
  bed.halt('git', true);
  await bed.kill('web');
  await bed.startWebAgain();
  const path = objectPath(search);
  await until('the object to be read', async () => (await fetch(`${bed.url}${path}`)).ok, 60_000, 250);
  const { object } = WireObjectPage.parse(await bed.ask(`/api/v1/object?${new URLSearchParams(refParams(search))}`));
  let isOver = false;
  const waits = fetch(`${bed.url}${commitNamesApi.path}?sha=${object.commit ?? ''}`).then((response) => {
    isOver = true;
    return response;
  });
  const came: string[] = [];
  for (let page = 0; page < pages && !isOver; page += 1) came.push(await (await fetch(`${bed.url}${path}`)).text());
  // One question to git takes until it is given up; meanwhile all of the pages have come.
  expect([came.length, isOver]).toEqual([pages, false]);
  expect(came.every((text) => text.includes('search') && !text.includes(subject))).toBe(true);
  const { page, close } = await bed.open(path);
  await page.locator('header', { hasText: ', live' }).waitFor();
  expect(await page.getByText(subject).count()).toBe(0);
  bed.halt('git', false);
  await waits;
  await page.getByRole('link', { name: subject }).first().waitFor({ timeout: 120_000 });
  await close();
});
