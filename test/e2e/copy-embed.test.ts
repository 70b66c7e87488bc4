import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulatedKeys } from '#server/simulator/fleet/kubeconfig.ts';
import { makeFirstKey } from '#server/web/embeds/key-file.ts';
import { type Bed, makeBed } from './bed/bed.ts';
import { broken } from './bed/places.ts';

let bed: Bed;
beforeAll(async () => {
  bed = await makeBed();
});
afterAll(() => bed?.stop());

it('a page says what is missing, and once there is a key hands out links that open what it shows, and nothing else', async () => {
  const { page, complaints, close } = await bed.open('/clusters/eu-west-3');
  await page.getByRole('button', { name: 'Embed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('the file of keys is not there yet').waitFor();
  await page.keyboard.press('Escape');

  await makeFirstKey(join(bed.dataDirectory, '..', 'fleet', simulatedKeys), Date.now());
  await page.getByRole('button', { name: 'Embed' }).click();
  await dialog.getByText('No site may frame it yet.').waitFor();
  const address = (await dialog.locator('pre', { hasText: /^http/ }).innerText()).trim();
  expect(
    await dialog.getByRole('img').evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
  ).toBeGreaterThan(60);
  const sentence = await page.locator('.say').first().innerText();
  await close();
  expect(complaints).toEqual([]);

  const bare = await bed.open(address, { javaScriptEnabled: false });
  const main = bare.page.locator('main.embed').first();
  expect(await main.getByRole('heading').innerText()).toBe(sentence);
  expect(await main.getByRole('link', { name: `Kustomization flux-system/${broken.name}` }).getAttribute('href')).toBe(
    broken.path,
  );
  expect(await main.innerText()).toContain('simulated fleet');
  await bare.close();

  const other = await bed.open(address.replace('/eu-west-3?', '/us-east-1?'));
  expect(await other.page.locator('main').innerText()).toBe(
    'This link opens nothing: it is not signed, or not as it was signed.',
  );
  await other.close();
});
