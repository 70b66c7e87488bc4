import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { alarmSource, clusterSource, type StoreReader } from '#server/store/port/port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { alarmBatchOf, alarmSourceOf, alertOf, alertsOf, callOf } from '#test/contract/alarms/alarm-records.ts';
import { batchOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import type { CommitSample } from './commit-loop.ts';
import { startRecorder, type RecorderDeps } from './recorder.ts';

async function start(change: Partial<RecorderDeps> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-recorder-alarms-'));
  const path = join(directory, 'plumbline.db');
  const recorder = await startRecorder({ path, holder: 'one', clock: systemClock, log: silentLog, ...change });
  if ('type' in recorder) throw new Error(recorder.type);
  onTestFinished(async () => {
    await recorder.stop();
    rmSync(directory, { recursive: true });
  });
  async function reading<T>(task: (reader: StoreReader) => Promise<T>): Promise<T> {
    const reader = await openSqliteReader({ path });
    if ('type' in reader) throw new Error(reader.type);
    try {
      return await task(reader);
    } finally {
      await reader.close();
    }
  }
  return { path, recorder, reading };
}

it('writes what waits of an alarm source as one, and loads it, what waits included', async () => {
  const samples: CommitSample[] = [];
  const { recorder, reading } = await start({ onCommit: (sample) => void samples.push(sample) });
  await recorder.acquire(alarmSource('prom'));
  const prom = recorder.alarms('prom');
  const outcomes = Array.from({ length: 30 }, (_, round) =>
    prom.write(alarmBatchOf({ source: alarmSourceOf('prom', { cut: [`round ${round}`] }), put: [alertOf(round)] })),
  );
  void prom.write(alarmBatchOf({ calls: [callOf('prom', 1, 0)] }));
  const source = alarmSourceOf('prom', { cut: ['round 29'] });
  expect(await prom.load()).toEqual({ source, facts: alertsOf(30), openCalls: [callOf('prom', 1, 0)] });
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set([{ type: 'written' }]));
  expect(samples.reduce((sum, { batches }) => sum + batches, 0)).toBeLessThan(4);
  const { changes } = await reading((reader) => reader.follow(null, 100));
  expect(changes).toHaveLength(31);
});

it('lets nobody write an alarm source that it does not hold, whatever cluster it holds of that name', async () => {
  const { recorder } = await start();
  await recorder.acquire(clusterSource('prom'));
  const lost = { type: 'lost', why: 'fenced' };
  expect(await recorder.alarms('prom').write(alarmBatchOf())).toMatchObject(lost);
  expect(await recorder.alarms('prom').forget(noon)).toMatchObject(lost);
});

it('loses of an alarm source what another took, and says so', async () => {
  const sources: string[] = [];
  const { path, recorder } = await start({ onLost: ({ type, name }) => void sources.push(`${type}/${name}`) });
  await recorder.acquire(alarmSource('a'));
  await recorder.acquire(clusterSource('a'));
  const other = openSqliteWriter({ path, log: silentLog });
  if ('type' in other) throw new Error(other.type);
  expect(await other.acquire(alarmSource('a'), 'two', Date.now() + 120_000, 60_000)).toMatchObject({ epoch: 2 });
  await other.close();
  const objects = withDetails([objectOf(refOf('a', 1))]);
  const [alarms, cluster] = await Promise.all([
    recorder.alarms('a').write(alarmBatchOf({ put: alertsOf(1) })),
    recorder.write('a', batchOf({ objects })),
  ]);
  expect([alarms.type, cluster.type, sources]).toEqual(['lost', 'written', ['alarm-source/a']]);
});

it('has room for clusters, however much of an alarm source waits', async () => {
  const { recorder } = await start({ capacity: 100 });
  await recorder.acquire(alarmSource('prom'));
  await recorder.acquire(clusterSource('a'));
  const written = recorder.alarms('prom').write(alarmBatchOf({ put: alertsOf(5_000) }));
  expect([recorder.pending().rows > 5_000, recorder.room('a')]).toEqual([true, null]);
  const objects = withDetails([objectOf(refOf('a', 1))]);
  expect(await Promise.all([written, recorder.write('a', batchOf({ objects }))])).toEqual([
    { type: 'written' },
    { type: 'written' },
  ]);
});

it('forgets an alarm source in its turn and gives up its lease', async () => {
  const { path, recorder, reading } = await start();
  await recorder.acquire(alarmSource('prom'));
  const prom = recorder.alarms('prom');
  void prom.write(alarmBatchOf({ source: alarmSourceOf('prom'), put: alertsOf(3) }));
  expect(await prom.forget(noon)).toEqual({ type: 'written' });
  expect(await reading((reader) => reader.alarmSources())).toEqual([]);
  expect((await reading((reader) => reader.follow(null, 9))).changes).toEqual([]);
  const other = openSqliteWriter({ path, log: silentLog });
  if ('type' in other) throw new Error(other.type);
  expect(await other.acquire(alarmSource('prom'), 'two', noon, 1_000)).toMatchObject({ epoch: 2 });
  await other.close();
});

it('takes nothing more of an alarm source once it stops', async () => {
  const { recorder } = await start();
  await recorder.acquire(alarmSource('prom'));
  const prom = recorder.alarms('prom');
  const outcome = prom.write(alarmBatchOf({ put: alertsOf(3) }));
  await recorder.stop();
  expect([(await outcome).type, await prom.load()]).toEqual(['written', null]);
  expect(await prom.write(alarmBatchOf())).toMatchObject({ type: 'lost', why: 'stopped' });
});
