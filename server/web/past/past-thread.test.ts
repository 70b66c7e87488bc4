import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FleetView } from '#lib/api/fleet.ts';
import { HistoryQuery } from '#lib/api/history.ts';
import { ObjectFilter } from '#lib/api/object-filter.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { clusterSource, type StoreReader } from '#server/store/port/port.ts';
import { openSqliteReader } from '#server/store/sqlite/reading/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { randomHistory } from '#test/contract/random-history.ts';
import { noon, refOf } from '#test/contract/store-records.ts';
import * as endpoints from '../endpoints/registered.ts';
import { isRefused } from '../http/problem.ts';
import { openPastHere } from '../testing/past-here.ts';
import type { PastMoment } from '../present.ts';
import type { PastAnswers } from './past-moments.ts';
import { openPastThread } from './past-thread.ts';

const settings = { policy: defaultPolicy, repositories: [], simulated: true, gitSocket: '/nowhere/ask.sock' };
const { writes, now } = randomHistory(1, noon, 300);
const directory = mkdtempSync(join(tmpdir(), 'plumbline-past-'));
const path = join(directory, 'plumbline.db');
let reader: StoreReader;
let [there, here]: PastAnswers[] = [];

beforeAll(async () => {
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const one of writes) {
    const lease = await writer.acquire(clusterSource(one.cluster), 'one', noon, 1000);
    if (lease === null) throw new Error('no lease');
    if ('batch' in one) await writer.write(lease, one.batch);
    else await writer.forget(lease, one.forgottenAt);
  }
  await writer.close();
  const read = await openSqliteReader({ path });
  if ('type' in read) throw new Error(read.type);
  reader = read;
  there = await openPastThread(path, settings);
  here = await openPastHere(reader, settings, fakeClock(now));
});

afterAll(async () => {
  await there?.close();
  await reader.close();
  rmSync(directory, { recursive: true });
});

async function momentOf(answers: PastAnswers | undefined, at: number): Promise<PastMoment> {
  if (answers === undefined) throw new Error('nothing answers');
  return answers.moment({ at, vouched: new Map([['a', at - minute]]), part: null });
}

const csv = HistoryQuery.parse({ format: 'csv', last: '90d' });

async function fileOf(moment: PastMoment): Promise<string> {
  const file = await moment.file(endpoints.history, csv, 'http://plumbline.example.org');
  if (file === null || isRefused(file)) throw new Error('no file');
  let text = file.name;
  for await (const piece of file.lines) text += piece;
  return text;
}

describe('the thread of past moments', () => {
  it.each([noon + hour, Math.floor((noon + now) / 2), now])('answers at %d as this thread would', async (at) => {
    const [crossed, own] = [await momentOf(there, at), await momentOf(here, at)];
    const view = { ...FleetView.parse({}), causes: 'all' as const };
    const objects = ObjectFilter.parse({});
    const { cluster, ...named } = refOf('a', 1);
    expect(await crossed.ask(endpoints.fleet, view)).toEqual(await own.ask(endpoints.fleet, view));
    expect(await crossed.ask(endpoints.objects, objects)).toEqual(await own.ask(endpoints.objects, objects));
    const object = { cluster, ...named };
    expect(await crossed.ask(endpoints.object, object)).toEqual(await own.ask(endpoints.object, object));
    expect(await crossed.summary()).toEqual(await own.summary());
    expect(await fileOf(crossed)).toBe(await fileOf(own));
  });

  it('shows of a cluster for which nobody vouched then that it was not seen', async () => {
    const moment = await momentOf(there, now);
    const answer = await moment.ask(endpoints.clusters, {});
    if (isRefused(answer)) throw new Error('no clusters');
    const states = answer.clusters.map(({ name, state }) => `${name} ${state}`);
    expect(states).toContain('a unobserved');
  });

  it('gives no file where none is asked for', async () => {
    const moment = await momentOf(there, now);
    expect(await moment.file(endpoints.history, { ...csv, format: 'json' }, null)).toBeNull();
  });

  it('hands on why there is no answer', async () => {
    const moment = await momentOf(there, now);
    const refused = { type: 'not-found', what: 'There is no cluster nowhere.' };
    const asked = endpoints.cluster.described.query.parse({ name: 'nowhere' });
    expect(await moment.ask(endpoints.cluster, asked)).toMatchObject({ refused });
  });

  it('goes on where who reads a file leaves early', async () => {
    const moment = await momentOf(there, now);
    const file = await moment.file(endpoints.history, csv, null);
    if (file === null || isRefused(file)) throw new Error('no file');
    for await (const piece of file.lines) {
      expect(piece).toContain('cluster');
      break;
    }
    expect(await fileOf(moment)).toContain('history.csv');
  });

  it('is not opened where there is no store', async () => {
    await expect(openPastThread(join(directory, 'nothing.db'), settings)).rejects.toThrow('nothing.db');
  });

  it('answers nothing once it is closed', async () => {
    const closed = await openPastThread(path, settings);
    const moment = await momentOf(closed, now);
    await closed.close();
    await expect(moment.summary()).rejects.toThrow('The past is answered no more.');
  });
});
