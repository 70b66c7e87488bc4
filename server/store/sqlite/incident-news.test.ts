import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { randomHistory } from '#test/contract/random-history.ts';
import { noon } from '#test/contract/store-records.ts';
import { clusterSource, type StoreReader } from '../port/port.ts';
import { openSqliteReader } from './reading/reader.ts';
import { openSqliteWriter } from './writing/writer.ts';

let directory: string;
let path: string;
let reader: StoreReader;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-news-'));
  path = join(directory, 'plumbline.db');
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  for (const write of randomHistory(3, noon, 80).writes) {
    const lease = await writer.acquire(clusterSource(write.cluster), 'one', noon, 15_000);
    if (lease === null) throw new Error('no lease');
    if ('batch' in write) await writer.write(lease, write.batch);
  }
  await writer.close();
  const opened = await openSqliteReader({ path });
  if ('type' in opened) throw new Error(opened.type);
  reader = opened;
});
afterEach(async () => {
  await reader.close();
  rmSync(directory, { recursive: true });
});

function change(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

it('says to read everything again where steps behind a position are not kept any more, and only there', async () => {
  const { incidentNews } = reader.record;
  const { news, position } = await incidentNews(0, 1_000);
  expect(news.length).toBeGreaterThan(8);
  change('DELETE FROM incident_step WHERE id <= 5');
  expect(await incidentNews(4, 2)).toEqual({ news: [], position, reset: true });
  expect(await incidentNews(5, 2)).toEqual({ news: news.slice(5, 7), position: 7, reset: false });
  change('DELETE FROM incident_step');
  expect(await incidentNews(position - 1, 2)).toEqual({ news: [], position, reset: true });
  expect(await incidentNews(position, 2)).toEqual({ news: [], position, reset: false });
  expect(await incidentNews(null, 2)).toEqual({ news: [], position, reset: false });
});

it('says up to when stored history has been made into incidents', async () => {
  const { incidentsUpTo } = reader.record;
  expect(await incidentsUpTo()).toBe(null);
  change("INSERT INTO housekeeping (work, place) VALUES ('incidents-up-to', 0)");
  expect(await incidentsUpTo()).toBe(0);
  change(`UPDATE housekeeping SET place = ${noon} WHERE work = 'incidents-up-to'`);
  expect(await incidentsUpTo()).toBe(noon);
});
