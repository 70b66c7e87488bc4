// A day that is not over, of all clusters: read from what stood as it began, held against what each cluster comes to on its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { day as dayLength } from '#lib/domain/time/length.ts';
import { dayOf } from '#lib/domain/time/utc-day.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterNames, kinds, randomOf } from '#test/contract/random-history.ts';
import { batchOf, noon, objectOf, transitionOf, withDetails } from '#test/contract/store-records.ts';
import { clusterSource, type StoreWriter, type WriteBatch } from '../port/port.ts';
import type { RecordReader, RecordScope } from '../port/record-port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openRollupReader } from './reading/record/record-rollups.ts';
import { openScopes } from './reading/record/record-scope.ts';
import { openStood } from './reading/snapshots.ts';
import { openSqliteWriter } from './writing/writer.ts';

const [minute, hour] = [60_000, 3_600_000];
const today = dayOf(noon);
const forever = { spans: 10_000 * dayLength, messages: 10_000 * dayLength };
let directory: string;
let path: string;
let writer: StoreWriter;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-open-day-'));
  path = join(directory, 'plumbline.db');
  const opened = openSqliteWriter({ path, log: silentLog });
  if ('type' in opened) throw new Error(opened.type);
  writer = opened;
});

afterEach(async () => {
  await writer.close();
  rmSync(directory, { recursive: true });
});

async function write(cluster: string, change: Partial<WriteBatch>): Promise<void> {
  const lease = await writer.acquire(clusterSource(cluster), 'one', noon, 1000);
  if (lease === null) throw new Error('no lease');
  expect(await writer.write(lease, batchOf(change))).toEqual({ type: 'written' });
}

/** Thirty objects that turn, come and go all the time, from a day before today on; the day before is rolled up as soon as it is over. */
async function writeDays(seed: number): Promise<void> {
  const random = randomOf(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const now = new Map<string, Verdict | null>();
  let rolled = false;
  for (let at = today - dayLength + minute; at < today + dayLength; at += minute + below(10 * minute)) {
    if (!rolled && at >= today) {
      // One row of the very moment at which the day begins.
      at = below(2) === 0 ? today : at;
      while ((await writer.keep(forever, today)).more);
      rolled = true;
    }
    const cluster = clusterNames[below(3)] ?? 'a';
    const ref = { cluster, ...(kinds[below(2)] ?? kinds[0]), namespace: 'n', name: `x-${below(5)}` };
    const key = JSON.stringify(ref);
    const from = now.get(key) ?? null;
    const to = from !== null && below(5) === 0 ? null : (verdicts[below(verdicts.length)] ?? 'converged');
    if (from === to) continue;
    now.set(key, to);
    const transitions = [transitionOf(ref, at, { noticedAt: at, from, to })];
    if (to === null) await write(cluster, { at, removed: [{ ref, at }], transitions });
    else {
      const onset = { time: at, bound: 'exact', noticedAt: at } as const;
      await write(cluster, { at, objects: withDetails([objectOf(ref, { verdict: to, onset })]), transitions });
    }
  }
  for (const [at, observed] of [
    [today + 2 * hour, false],
    [today + 5 * hour, true],
  ] as const) {
    const state = observed ? 'live' : 'unreachable';
    await write('b', { at, coverage: [{ cluster: 'b', kind: null, at, observed, state, reason: null }] });
  }
  const database = new DatabaseSync(path);
  expect(database.prepare('SELECT DISTINCT to_day FROM rollup_range').all()).toMatchObject([{ to_day: today }]);
  // That is what is to be read, and not each object for itself.
  const scopes = openScopes(database);
  const everything = { clusters: null, kind: null, namespace: null, name: null, places: null };
  expect(openStood(scopes, openRollupReader(scopes)).at(everything, today)).not.toBeNull();
  database.close();
}

async function sharesOf(record: RecordReader, scope: RecordScope, to: number): Promise<readonly number[]> {
  const [total] = await record.shares(scope, { from: today, to }, 'total');
  return verdicts.map((verdict) => total?.shares[verdict] ?? 0);
}

it.each([1, 2, 3, 4])('comes to what its clusters come to (seed %d)', async (seed) => {
  await writeDays(seed);
  const reader = await openSqliteReader({ path });
  if ('type' in reader) throw new Error(reader.type);
  for (const to of [today + minute, today + 3 * hour, today + 11 * hour + 7, today + dayLength])
    for (const part of [{}, ...kinds.map((kind) => ({ kind }))]) {
      const each = await Promise.all(
        clusterNames.map((name) => sharesOf(reader.record, { ...part, clusters: [name] }, to)),
      );
      const added = verdicts.map((_, position) => each.reduce((sum, shares) => sum + (shares[position] ?? 0), 0));
      expect(added.some((time) => time > 0)).toBe(true);
      expect(await sharesOf(reader.record, { ...part, clusters: null }, to)).toEqual(added);
    }
  await reader.close();
});
