// A disk that is full, and room again: what the pages and readyz say meanwhile, and that everybody goes on by himself.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '#server/collector/clusters/testing/until.ts';
import { batchOf, clusterOf, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { startRecordedWeb } from './running/recorded-web.ts';
import { workDirectory } from './running/running-fleet.ts';
import { clusterSource } from '#server/store/port/port.ts';

it('a full disk is said in readyz and on every page, and nobody has to be started again', async () => {
  const directory = workDirectory();
  onTestFinished(directory.remove);
  const path = join(directory.path, 'plumbline.db');
  const { recorder, synced, readyz, trouble, stop } = await startRecordedWeb(path, 450_000);
  onTestFinished(stop);

  await recorder.acquire(clusterSource('a'));
  const now = Date.now();
  const seen = clusterOf('a', { since: now, lastWordAt: now, validUntil: now + 600_000 });
  const first = withDetails([objectOf(refOf('a', 0))]);
  expect(await recorder.write('a', batchOf({ cluster: seen, objects: first }))).toEqual({ type: 'written' });
  await until('the first picture', synced);
  expect([await readyz(), await trouble()]).toEqual(['200 ok', null]);

  const writes = Array.from({ length: 20 }, (_, round) => {
    const objects = Array.from({ length: 50 }, (__, index) => objectOf(refOf('a', 1 + round * 50 + index)));
    return recorder.write('a', batchOf({ objects: withDetails(objects) }));
  });
  await until('the disk to be full', () => recorder.state().type === 'blocked');
  const said = await until('the page to know', trouble);
  expect(said).toMatch(/^Nothing is recorded since \d\d:\d\d:\d\d UTC: the disk of the record is full\. /);
  expect(await readyz()).toBe('503 the store refuses what is written: full');

  const other = new DatabaseSync(path, { timeout: 5_000 });
  onTestFinished(() => other.close());
  const room = (): void => other.exec('DELETE FROM detail');
  let written = 0;
  for (const write of writes) void write.then(({ type }) => (written += type === 'written' ? 1 : 0));
  // What is written fills the disk again and again, until all of it is there.
  await until('everything to be written', () => {
    if (recorder.state().type === 'blocked') room();
    return written === writes.length;
  });
  await until('the page to know', async () => (await trouble()) === null);
  expect(await readyz()).toBe('200 ok');
});
