import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { randomHistory } from '#test/contract/random-history.ts';
import { clusterSource, type StoreReader } from '../port/port.ts';
import { openSqliteReader } from '../sqlite/reading/reader.ts';
import { openSqliteWriter } from '../sqlite/writing/writer.ts';
import { inLanes, lanesAtOnce } from './reader-lanes.ts';

const { writes, now } = randomHistory(3, 0, 120);
const period = { from: 0, to: now };
const large = { clusters: null, within: [{ clusters: null, namespaces: ['n-0', 'n-1', ''] }] };
const small = { clusters: ['a'], namespace: 'n-1' };

/** A store, read in lanes object by object; `open` and `closed` count the lanes. */
async function readInLanes() {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-lanes-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const write of writes) {
    const lease = await writer.acquire(clusterSource(write.cluster), 'one', 0, 1_000);
    if (lease === null) throw new Error('no lease');
    if ('batch' in write) await writer.write(lease, write.batch);
  }
  await writer.close();
  let slow = 0;
  const clock = { ...systemClock, now: () => (slow += 10_000) };
  const counted = { open: 0, most: 0 };
  const own = await openSqliteReader({ path });
  if ('type' in own) throw new Error(own.type);
  const lanes = inLanes(
    own,
    async (inSteps) => {
      const lane = await openSqliteReader({ path, clock, inSteps: { ...inSteps, firstPiece: 1 } });
      if ('type' in lane) return lane;
      counted.most = Math.max(counted.most, (counted.open += 1));
      return { ...lane, close: () => ((counted.open -= 1), lane.close()) };
    },
    clock,
  );
  onTestFinished(() => lanes.close());
  const whole = await openSqliteReader({ path });
  if ('type' in whole) throw new Error(whole.type);
  onTestFinished(() => whole.close());
  return { lanes, whole, counted };
}

it('answers what is short, and figures of less, while figures of much are not told yet', async () => {
  const { lanes, whole } = await readInLanes();
  const told: string[] = [];
  const ask = async (name: string, question: Promise<unknown>): Promise<void> => void told.push((await question, name));
  await Promise.all([
    ask('much', lanes.record.shares(large, period, 'total')),
    ask('less', lanes.record.worst(small, period, 1)),
    ask('short', lanes.record.hasObject(small, period)),
  ]);
  expect(told).toEqual(['short', 'less', 'much']);
  const figures = async ({ record }: StoreReader): Promise<readonly unknown[]> => [
    await record.shares(large, period, 'day'),
    await record.worst(large, period, 3),
    await record.wallClock(large, period, 3),
    await record.absenceFigures(large, period, hour),
    await record.alarmFigures(large, period, hour),
  ];
  expect(await figures(lanes)).toEqual(await figures(whole));
});

it('opens no more lanes than answer at once, and keeps two of them', async () => {
  const { lanes, counted } = await readInLanes();
  const scopes = Array.from({ length: 40 }, (_, n) => ({ ...large, clusters: ['a', 'b', 'c', `none-${n}`] }));
  await Promise.all(scopes.map((scope) => lanes.record.absenceFigures(scope, period, hour)));
  expect(counted.most).toBeGreaterThan(2);
  expect(counted.most).toBeLessThanOrEqual(lanesAtOnce + 2);
  expect(counted.open).toBe(2);
  await lanes.close();
  expect(counted.open).toBe(0);
});

it('is a fault of the question where no lane can be opened, and of no other one', async () => {
  const { whole } = await readInLanes();
  const lanes = inLanes(
    whole,
    async () => ({ type: 'unusable', path: 'plumbline.db', message: 'no memory today' }),
    systemClock,
  );
  await expect(lanes.record.worst(small, period, 1)).rejects.toThrow('no memory today');
  expect(await lanes.record.hasObject(small, period)).toBe(true);
});
