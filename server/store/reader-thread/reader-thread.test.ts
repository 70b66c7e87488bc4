import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { randomHistory } from '#test/contract/random-history.ts';
import { clusterSource, type StoreReader } from '../port/port.ts';
import { openSqliteReader } from '../sqlite/reading/reader.ts';
import { openSqliteWriter } from '../sqlite/writing/writer.ts';
import { openReaderThread } from './reader-thread.ts';

/** In it `stats`, `objectCount` and `changeCounts` take half a second, `clusters` is a fault, and `since` and `worst` end the thread that answers. */
const slowReader = new URL('./testing/slow-reader-worker.ts', import.meta.url);

async function storePath(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-reader-thread-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.close();
  return path;
}

async function opened(file?: URL): Promise<StoreReader> {
  const reader = await openReaderThread({ path: await storePath(), ...(file && { file }) });
  if ('type' in reader) throw new Error(reader.type);
  onTestFinished(() => reader.close());
  return reader;
}

it('hands over lists of durations whole, however often they are asked for', async () => {
  const path = await storePath();
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const { writes, now } = randomHistory(2, 0, 120);
  for (const write of writes) {
    const lease = await writer.acquire(clusterSource(write.cluster), 'one', 0, 1000);
    if (lease === null) throw new Error('no lease');
    if ('batch' in write) await writer.write(lease, write.batch);
    else await writer.forget(lease, write.forgottenAt);
  }
  await writer.close();
  const [threads, own] = await Promise.all([openReaderThread({ path }), openSqliteReader({ path })]);
  if ('type' in threads || 'type' in own) throw new Error('no store');
  onTestFinished(async () => void (await Promise.all([threads.close(), own.close()])));
  const [everything, nothing] = [
    { from: 0, to: now },
    { from: 0, to: 0 },
  ];
  const scope = { clusters: null };
  const ask = async ({ record }: StoreReader): Promise<readonly unknown[]> => [
    await record.absenceFigures(scope, everything, 1000),
    await record.causeFigures(scope, everything, now),
    await record.arrivalTimes(scope, everything),
    await record.arrivalTimes(scope, nothing),
  ];
  const expected = await ask(own);
  expect((await own.record.absenceFigures(scope, everything, 1000)).toNotice.length).toBeGreaterThan(0);
  expect(await ask(threads)).toEqual(expected);
  expect(await ask(threads)).toEqual(expected);
});

it('refuses a store that is not there as a reader does', async () => {
  const path = join(tmpdir(), 'plumbline-nowhere', 'plumbline.db');
  expect(await openReaderThread({ path })).toEqual({ type: 'missing', path });
});

it('refuses where its thread cannot begin', async () => {
  const path = await storePath();
  const file = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('no thread today')")}`);
  const message = 'The thread that reads the record failed: no thread today';
  expect(await openReaderThread({ path, file })).toEqual({ type: 'unusable', path, message });
});

it('answers many questions, each its own', async () => {
  const reader = await opened();
  const cluster = 'a';
  const answers = await Promise.all([
    reader.clusters(),
    reader.record.objectCount({ clusters: null }, { from: 0, to: 1 }),
    reader.record.since({ clusters: [cluster] }),
    reader.coverage(cluster, { from: 0, to: 1 }),
    reader.record.stateAt(0, { clusters: null }),
  ]);
  expect(answers).toEqual([[], 0, null, [], { clusters: [], objects: [] }]);
});

it('lets the thread that asks go on with its own work, and follow, while a question takes long', async () => {
  const reader = await opened(slowReader);
  const since = performance.now();
  let turns = 0;
  const ticking = setInterval(() => void (turns += 1), 5);
  const asked = reader.stats().then(() => 'stats');
  const followed = reader.follow(null, 10).then(({ more }) => `followed, more: ${more}`);
  expect(await Promise.race([asked, followed])).toBe('followed, more: false');
  await asked;
  clearInterval(ticking);
  expect(performance.now() - since).toBeGreaterThan(490);
  // A question that were answered here would hold it for all of its 500 ms.
  expect(turns).toBeGreaterThan(5);
});

const aMoment = { from: 0, to: 1 };
it.each([
  ['objects', ({ record }: StoreReader) => record.objectCount({ clusters: null }, aMoment)],
  ['changes', ({ record }: StoreReader) => record.changeCounts({ clusters: null }, aMoment, ['suspended'])],
])('answers what asks for rows while %s are counted', async (_, count) => {
  const reader = await opened(slowReader);
  const counted = count(reader).then(() => 'counted');
  const looked = reader.record.gaps(['a'], aMoment).then(() => 'looked');
  expect(await Promise.race([counted, looked])).toBe('looked');
  expect(await counted).toBe('counted');
});

it('answers what asks for the newest incidents while changes are counted, and by any other order after', async () => {
  const reader = await opened(slowReader);
  const counted = reader.record.changeCounts({ clusters: null }, aMoment, ['suspended']).then(() => 'counted');
  const listed = async (order: 'newest' | 'longest'): Promise<string> => {
    const asked = { scope: { clusters: null }, period: aMoment, at: 0, order };
    await reader.record.incidents(asked, { cursor: null, limit: 1 });
    return order;
  };
  const longest = listed('longest');
  expect(await Promise.race([counted, listed('newest')])).toBe('newest');
  expect(await Promise.race([longest, counted])).toBe('counted');
  expect(await longest).toBe('longest');
});

it('counts objects and changes beside each other', async () => {
  const reader = await opened(slowReader);
  const objects = reader.record.objectCount({ clusters: null }, aMoment).then(() => 'objects');
  const changes = reader.record.changeCounts({ clusters: null }, aMoment, ['suspended']).then(() => 'changes');
  const again = reader.record.objectCount({ clusters: null }, aMoment).then(() => 'objects again');
  expect(await Promise.race([again, changes])).toBe('changes');
  await Promise.all([objects, again]);
});

it.each([
  { clusters: null, within: [{ clusters: null, namespaces: ['a'] }] },
  { clusters: null, namespace: 'a' },
  { clusters: null, kind: { group: '', kind: 'Secret' } },
])('counts what lies in a part of clusters without holding what is asked of whole ones: %j', async (part) => {
  const reader = await opened(slowReader);
  const { record } = reader;
  const counted = Promise.all([
    record.changeCounts(part, aMoment, ['suspended']),
    record.objectCount(part, aMoment),
  ]).then(() => 'the part');
  const whole = Promise.all([
    record.changeCounts({ clusters: null }, aMoment, ['suspended']),
    record.objectCount({ clusters: null }, aMoment),
  ]).then(() => 'the whole');
  expect(await Promise.race([counted, whole])).toBe('the whole');
  await counted;
});

it('makes each call when its turn has come', async () => {
  const waiting: (() => void)[] = [];
  const reader = await openReaderThread({
    path: await storePath(),
    turns: () => (call) => new Promise((resolve, reject) => void waiting.push(() => void call().then(resolve, reject))),
  });
  if ('type' in reader) throw new Error(reader.type);
  onTestFinished(() => reader.close());
  const asked = reader.clusters();
  expect(waiting).toHaveLength(1);
  waiting[0]?.();
  expect(await asked).toEqual([]);
});

it('hands on a fault with its kind and its message, and goes on', async () => {
  const reader = await opened(slowReader);
  await expect(reader.clusters()).rejects.toThrow(new RangeError('no clusters today'));
  expect(await reader.record.hasObject({ clusters: null }, { from: 0, to: 1 })).toBe(false);
});

it('rejects what waits, and whatever is asked then, once its thread has died', async () => {
  const reader = await opened(slowReader);
  const waiting = [reader.record.since({ clusters: null }), reader.detail({ cluster: 'a', ...whatever })];
  const answers = await Promise.allSettled(waiting);
  const died = { status: 'rejected', reason: new Error('The thread that reads the record has ended.') };
  expect(answers).toEqual([died, died]);
  await expect(reader.follow(null, 10)).rejects.toThrow('The thread that reads the record has ended.');
  await expect(reader.clusters()).rejects.toThrow('The thread that reads the record has ended.');
});

it('rejects whatever is asked once any thread has died', async () => {
  const reader = await opened(slowReader);
  const ended = 'The thread that reads the record has ended.';
  await expect(reader.record.worst({ clusters: null }, { from: 0, to: 1 }, 1)).rejects.toThrow(ended);
  await expect(reader.coverage('a', { from: 0, to: 1 })).rejects.toThrow(ended);
  await expect(reader.follow(null, 10)).rejects.toThrow(ended);
});

it('rejects what waits when it is closed', async () => {
  const reader = await opened(slowReader);
  const asked = reader.stats();
  await Promise.all([expect(asked).rejects.toThrow('The record was closed.'), reader.close()]);
  await expect(reader.stats()).rejects.toThrow('The record was closed.');
});

const whatever = { group: '', kind: 'Secret', namespace: 'a', name: 'a' };
