// A disk that goes read-only under the running record, and one that is so when Plumbline starts: what is said, and that
// all goes on by itself once it can be written.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '#server/collector/clusters/testing/until.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { batchOf, clusterOf, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { freeze, thaw, whyNotFreeze } from './running/frozen.ts';
import { startRecordedWeb } from './running/recorded-web.ts';
import { workDirectory } from './running/running-fleet.ts';
import { clusterSource } from '#server/store/port/port.ts';

const noFreeze = whyNotFreeze();
const notShown = noFreeze === null ? '' : ` (NOT SHOWN HERE: ${noFreeze})`;
if (noFreeze !== null) process.stderr.write(`A disk that goes read-only under a running process is${notShown}\n`);

it.skipIf(noFreeze !== null)(
  `a disk that goes read-only is said in readyz and on every page, and nothing that waited is lost${notShown}`,
  async () => {
    const directory = workDirectory();
    onTestFinished(directory.remove);
    const path = join(directory.path, 'plumbline.db');
    const { recorder, synced, readyz, trouble, stop } = await startRecordedWeb(path);
    onTestFinished(stop);
    await recorder.acquire(clusterSource('a'));
    const now = Date.now();
    const seen = clusterOf('a', { since: now, lastWordAt: now, validUntil: now + 600_000 });
    const first = withDetails([objectOf(refOf('a', 0))]);
    expect(await recorder.write('a', batchOf({ cluster: seen, objects: first }))).toEqual({ type: 'written' });
    await until('the first picture', synced);
    expect([await readyz(), await trouble()]).toEqual(['200 ok', null]);

    freeze(directory.path);
    let frozen = true;
    onTestFinished(() => {
      if (frozen) thaw(directory.path);
    });
    const writes = Array.from({ length: 20 }, (_, round) =>
      recorder.write('a', batchOf({ objects: withDetails([objectOf(refOf('a', 1 + round))]) })),
    );
    await until('the disk to refuse', () => recorder.state().type === 'blocked');
    expect(await readyz()).toBe('503 the store refuses what is written: read-only');
    const said = await until('the page to know', trouble, 30_000);
    expect(said).toMatch(/^Nothing is recorded since \d\d:\d\d:\d\d UTC: the record may only be read\. /);

    thaw(directory.path);
    frozen = false;
    const results = await Promise.all(writes);
    expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['written']));
    await until('the page to know', async () => (await trouble()) === null);
    expect(await readyz()).toBe('200 ok');
    const reader = await openSqliteReader({ path });
    if ('type' in reader) throw new Error(reader.type);
    onTestFinished(reader.close);
    expect(await reader.stats()).toMatchObject({ objects: 1 + writes.length });
  },
);
