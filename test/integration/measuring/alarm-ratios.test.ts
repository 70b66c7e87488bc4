// What the store of alarm sources promises, only as ratios of one run: a machine may be slow, and busy with other things.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { factKey, type AlarmFact } from '#lib/domain/alarm/fact.ts';
import { parseForeign } from '#lib/foreign.ts';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { quantile } from '#test/bench/measure/quantile.ts';
import { alarmBatchOf, alarmLease, alarmSourceOf, alertOf, callOf } from '#test/contract/alarms/alarm-records.ts';
import { noon, refOf } from '#test/contract/store-records.ts';

const directory = mkdtempSync(join(tmpdir(), 'plumbline-alarm-ratios-'));
const count = 20_000;
const facts: readonly AlarmFact[] = Array.from({ length: count }, (_, number) => alertOf(number));
/** Measured 4 to 5; what is written or read several times over is beyond it. */
const jsonFactor = 12;
/** Measured 0.01; looking at all facts is beyond it. */
const changeShare = 0.1;
/** Measured 1 to 4: one seek more in a deeper tree. Looking at all calls is beyond it. */
const objectFactor = 15;
let stores = 0;

afterAll(() => {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function opened() {
  const path = join(directory, `alarms-${stores++}.db`);
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  return { writer, reader, lease: await alarmLease(writer, 'prom') };
}

/** CPU of this thread that a task takes (µs), by which all of it is done: what others do on the machine is not in it. */
async function cpuOf(task: () => Promise<void>): Promise<number> {
  const before = process.threadCpuUsage();
  await task();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** The CPU to write facts in one batch, and to follow them. */
async function wayOf(put: readonly AlarmFact[]): Promise<number> {
  const { writer, reader, lease } = await opened();
  const cpu = await cpuOf(async () => {
    await writer.writeAlarms(lease, alarmBatchOf({ source: alarmSourceOf('prom'), put }));
    expect((await reader.follow(null, 100_000)).changes).toHaveLength(put.length + 1);
  });
  await Promise.all([reader.close(), writer.close()]);
  return cpu;
}

async function bestOf(turns: number, measure: () => Promise<number>): Promise<number> {
  const found: number[] = [];
  for (let turn = 0; turn < turns; turn++) found.push(await measure());
  return quantile(found, 0);
}

/** The CPU to make JSON of the facts and to read it. */
function jsonOf(): Promise<number> {
  return cpuOf(async () => {
    let fields = 0;
    for (const fact of facts) fields += Object.keys(parseForeign(JSON.stringify(fact)) ?? {}).length;
    expect(fields).toBeGreaterThan(count);
  });
}

describe('20,000 facts in one batch', () => {
  it(`are written and followed for less than ${jsonFactor} times as much CPU as their JSON alone`, async () => {
    expect((await bestOf(5, () => wayOf(facts))) / (await bestOf(5, jsonOf))).toBeLessThan(jsonFactor);
  });

  it(`of which 20 change cost less than ${changeShare} of it to tell`, async () => {
    const { writer, reader, lease } = await opened();
    const whole = await cpuOf(async () => {
      await writer.writeAlarms(lease, alarmBatchOf({ put: facts }));
      await reader.follow(null, 100_000);
    });
    let { cursor } = await reader.follow(null, 100_000);
    let state: 'pending' | 'firing' = 'firing';
    const changed = await bestOf(5, async () => {
      state = state === 'firing' ? 'pending' : 'firing';
      const put = Array.from({ length: 20 }, (_, number) => alertOf(number * 7, state));
      const removed = [factKey(alertOf(0))];
      return cpuOf(async () => {
        await writer.writeAlarms(lease, alarmBatchOf({ put, removed }));
        const answer = await reader.follow(cursor, 100_000);
        expect(answer.changes).toHaveLength(20);
        ({ cursor } = answer);
      });
    });
    await Promise.all([reader.close(), writer.close()]);
    expect(changed / whole).toBeLessThan(changeShare);
  });
});

/** Times that sixty objects are asked for: the CPU of a thread is told in ticks of some milliseconds, and that of a few reads as none. */
const rounds = 25;

/** The CPU to read the calls for sixty objects again and again, where each has 5 of so many: the best of three. */
async function cpuOfCalls(objects: number): Promise<number> {
  const { writer, reader, lease } = await opened();
  for (let round = 0; round < 5; round++) {
    const calls = Array.from({ length: objects }, (_, number) =>
      callOf('prom', number, round * 1_000, { to: noon + round * 1_000 + 500 }),
    );
    await writer.writeAlarms(lease, alarmBatchOf({ calls }));
  }
  const range = { from: noon, to: noon + 10_000, at: noon + 10_000 };
  const best = await bestOf(3, () =>
    cpuOf(async () => {
      let found = 0;
      for (let asked = 0; asked < 60 * rounds; asked++)
        found += (await reader.record.callsOf(refOf('eu', asked % 60), range, 10)).length;
      expect(found).toBe(300 * rounds);
    }),
  );
  await Promise.all([reader.close(), writer.close()]);
  return best;
}

describe('calls for an object', () => {
  it(`are read for less than ${objectFactor} times as much CPU where there are a hundred times as many`, async () => {
    const few = await cpuOfCalls(200);
    expect(few).toBeGreaterThan(0);
    expect((await cpuOfCalls(20_000)) / few).toBeLessThan(objectFactor);
  });
});
