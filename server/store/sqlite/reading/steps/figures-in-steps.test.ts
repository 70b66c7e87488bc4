// Figures of a part of clusters are read piece by piece: they are those of the whole part, of one moment, and others are answered meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { systemClock, type Clock } from '#server/runtime/clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { randomHistory, withins, type Written } from '#test/contract/random-history.ts';
import { clusterSource, type StoreReader } from '../../../port/port.ts';
import type { RecordReader, RecordScope } from '../../../port/record-port.ts';
import { openSqliteWriter } from '../../writing/writer.ts';
import { openSqliteReader } from '../reader.ts';
import type { InSteps } from '../record/record-reader.ts';

let path: string;

beforeEach(() => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-steps-'));
  path = join(directory, 'plumbline.db');
  return () => rmSync(directory, { recursive: true });
});

const history = randomHistory(3, 0, 160);
const periods = [
  { from: 0, to: history.now },
  { from: history.now / 3 + 1, to: history.now - hour },
  { from: history.now / 2, to: history.now / 2 + hour },
];
const scopes: readonly RecordScope[] = [
  { clusters: null, namespace: 'n-0' },
  { clusters: ['a', 'c'], namespace: 'n-1' },
  ...withins.map((within) => ({ clusters: null, within })),
  ...withins.map((within) => ({ clusters: ['c', 'a'], namespace: 'n-1', within })),
];

/** By which each piece takes so long that none is larger than the first. */
function slowClock(): Clock {
  let now = 0;
  return { ...systemClock, now: () => (now += 10_000) };
}

async function write(writes: readonly Written[]): Promise<void> {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const one of writes) {
    const lease = await writer.acquire(clusterSource(one.cluster), 'one', 0, 1_000);
    if (lease === null) throw new Error('no lease');
    if ('batch' in one) await writer.write(lease, one.batch);
    else await writer.forget(lease, one.forgottenAt);
  }
  await writer.close();
}

async function opened(inSteps: InSteps): Promise<StoreReader> {
  const reader = await openSqliteReader({ path, clock: slowClock(), inSteps });
  if ('type' in reader) throw new Error(reader.type);
  onTestFinished(() => reader.close());
  return reader;
}

async function figures(record: RecordReader, scope: RecordScope, period: (typeof periods)[number]) {
  const shares: unknown[] = [];
  for (const by of ['total', 'day', 'cluster', 'kind'] as const) shares.push(await record.shares(scope, period, by));
  return {
    shares,
    worst: await record.worst(scope, period, 3),
    wallClock: await record.wallClock(scope, period, 3),
    absences: await record.absenceFigures(scope, period, hour),
    alarms: await record.alarmFigures(scope, period, hour),
  };
}

it('are the same, object by object, in pieces of some that a cluster is cut by, and all at once', async () => {
  await write(history.writes);
  let steps = 0;
  const turn = async (): Promise<void> => void (steps += 1);
  const whole = await opened({ firstPiece: 1_000_000 });
  const pieces = [await opened({ firstPiece: 1, turn }), await opened({ firstPiece: 3, turn })];
  let away = 0;
  for (const scope of scopes)
    for (const period of periods) {
      const expected = await figures(whole.record, scope, period);
      away += expected.wallClock.fleet.away;
      for (const { record } of pieces) expect(await figures(record, scope, period)).toEqual(expected);
    }
  expect(away).toBeGreaterThan(0);
  expect(steps).toBeGreaterThan(1_000);
});

it('are of the moment at which they were begun, whatever is written between two steps', async () => {
  const half = Math.floor(history.writes.length / 2);
  await write(history.writes.slice(0, half));
  const [[period], scope] = [periods, { clusters: null, namespace: 'n-0' }];
  if (period === undefined) throw new Error('no period');
  const before = await figures((await opened({})).record, scope, period);
  let left = history.writes.slice(half);
  const turn = async (): Promise<void> => {
    const now = left;
    left = [];
    await write(now);
  };
  const { record } = await opened({ firstPiece: 1, turn });
  expect(await record.absenceFigures(scope, period, hour)).toEqual(before.absences);
  expect(left).toEqual([]);
  expect(await record.absenceFigures(scope, period, hour)).not.toEqual(before.absences);
});
