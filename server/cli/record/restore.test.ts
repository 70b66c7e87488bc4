import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { batchOf, clusterOf, noon, objectOf, refOf, withDetails } from '#test/contract/store-records.ts';
import { makeStoreOfVersion } from '#test/contract/store-of-version.ts';
import { silentLog } from '../../runtime/log.ts';
import { firstVersion, storeVersion } from '../../store/migrations/index.ts';
import { clusterSource } from '../../store/port/port.ts';
import { openSqliteReader } from '../../store/sqlite/reading/reader.ts';
import { takeWriterLock } from '../../store/sqlite/writing/writer-lock.ts';
import { openSqliteWriter } from '../../store/sqlite/writing/writer.ts';
import { accessBook } from '../../web/access/access-book.ts';
import { linkList } from '../../web/embeds/link-list.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'plumbline-restore-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** A data directory with so many objects. */
async function recorded(objects: number): Promise<string> {
  const data = folder();
  const writer = openSqliteWriter({ path: join(data, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'one', noon, 60_000);
  if (lease === null) throw new Error('no lease');
  const all = Array.from({ length: objects }, (_, number) => objectOf(refOf('a', number)));
  await writer.write(lease, batchOf({ cluster: clusterOf('a'), objects: withDetails(all) }));
  await writer.close();
  return data;
}

/** Id of a store and number of its objects; null where it cannot be read. */
async function read(data: string): Promise<{ readonly id: string; readonly objects: number } | null> {
  const reader = await openSqliteReader({ path: join(data, 'plumbline.db') });
  if ('type' in reader) return null;
  const { changes } = await reader.follow(null, 10_000);
  await reader.close();
  const database = new DatabaseSync(join(data, 'plumbline.db'), { readOnly: true });
  const id = String(database.prepare('SELECT id FROM store').get()?.['id']);
  database.close();
  return { id, objects: changes.filter(({ type }) => type === 'object').length };
}

function run(from: string, data: string, replace = false) {
  const lines: string[] = [];
  const line = (text: string): number => lines.push(text);
  return { code: restore({ from, data, replace }, {}, noon, { out: line, say: line }), text: lines.join('\n') };
}

async function backedUp(objects: number): Promise<string> {
  const to = join(folder(), 'copy');
  const silent = { out: () => undefined, say: () => undefined };
  expect(backup({ data: await recorded(objects), output: to }, {}, silent)).toBe(0);
  return to;
}

it('puts a backup into an empty data directory, and the collector goes on from there', async () => {
  const [from, data] = [await backedUp(40), folder()];
  expect(run(from, data)).toMatchObject({ code: 0, text: expect.stringContaining('The backup has no signed links.') });
  expect((await read(data))?.objects).toBe(40);
  expect(statSync(join(data, 'plumbline.db')).mode & 0o777).toBe(0o600);
  const writer = openSqliteWriter({ path: join(data, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('a'), 'another', noon + 60_001, 60_000);
  expect(lease).not.toBe(null);
  await writer.close();
});

it('replaces a record only where it is told to, and is another store to who had that one open', async () => {
  const [from, data] = [await backedUp(40), await recorded(7)];
  const before = await read(data);
  expect(run(from, data)).toMatchObject({ code: 64, text: expect.stringContaining('--replace') });
  expect(await read(data)).toEqual(before);
  expect(run(from, data, true).code).toBe(0);
  const [after, kept] = [await read(data), await read(from)];
  expect(after?.objects).toBe(40);
  expect(new Set([before?.id, after?.id, kept?.id]).size).toBe(3);
});

it('leaves nothing of the log of the one that it replaces', async () => {
  const [from, data] = [await backedUp(40), folder()];
  const other = await recorded(0);
  // One that was killed: what it wrote last is in the log alone.
  const writer = openSqliteWriter({ path: join(other, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  const lease = await writer.acquire(clusterSource('b'), 'one', noon, 60_000);
  if (lease === null) throw new Error('no lease');
  await writer.write(lease, batchOf({ cluster: clusterOf('b'), objects: withDetails([objectOf(refOf('b', 1))]) }));
  for (const end of ['', '-wal']) copyFileSync(join(other, `plumbline.db${end}`), join(data, `plumbline.db${end}`));
  await writer.close();
  expect(statSync(join(data, 'plumbline.db-wal')).size).toBeGreaterThan(0);
  expect(run(from, data, true).code).toBe(0);
  expect(readdirSync(data).toSorted()).toEqual(['plumbline.db', 'plumbline.db.writer', 'plumbline.db.writer.json']);
  expect((await read(data))?.objects).toBe(40);
});

it('replaces one that is damaged', async () => {
  const [from, data] = [await backedUp(40), folder()];
  writeFileSync(join(data, 'plumbline.db'), 'this is no store');
  expect(run(from, data, true).code).toBe(0);
  expect((await read(data))?.objects).toBe(40);
});

it('does nothing while a collector writes', async () => {
  const [from, data] = [await backedUp(40), await recorded(7)];
  const lock = takeWriterLock(join(data, 'plumbline.db'), { host: 'node-1', pid: 4711, since: noon });
  if (lock.type !== 'taken') throw new Error(lock.type);
  expect(run(from, data, true)).toMatchObject({ code: 69, text: expect.stringContaining('process 4711 on node-1') });
  lock.release();
  expect((await read(data))?.objects).toBe(7);
});

it('refuses one of a newer version, and says what to do', async () => {
  const [from, data] = [await backedUp(40), await recorded(7)];
  const database = new DatabaseSync(join(from, 'plumbline.db'));
  database.exec(`PRAGMA user_version = ${storeVersion + 1}`);
  database.close();
  const { code, text } = run(from, data, true);
  expect(code).toBe(69);
  const versions = `has version ${storeVersion + 1}, this program knows ${storeVersion}`;
  expect(text).toBe(
    `Nothing was restored: the store at ${join(from, 'plumbline.db')} ${versions}: start the newer program again, or restore a backup from before it.`,
  );
  expect((await read(data))?.objects).toBe(7);
});

it('takes one of an older version, which the collector brings to today', async () => {
  const [today, from, data] = [await backedUp(40), folder(), folder()];
  makeStoreOfVersion(firstVersion, join(today, 'plumbline.db'), join(from, 'plumbline.db'));
  expect(run(from, data)).toMatchObject({ code: 0, text: expect.stringContaining(`version ${firstVersion}`) });
  const writer = openSqliteWriter({ path: join(data, 'plumbline.db'), log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writer.close();
  expect((await read(data))?.objects).toBe(40);
});

it('restores nothing of a backup that is damaged, cut short, or not there', async () => {
  const data = await recorded(7);
  const damaged = await backedUp(2_000);
  const path = join(damaged, 'plumbline.db');
  const file = new DatabaseSync(path);
  const pages = Number(file.prepare('PRAGMA page_count').get()?.['page_count']);
  file.close();
  const { size } = statSync(path);
  const bytes = readFileSync(path);
  // From the middle on nothing is what it was.
  bytes.fill(0xa5, Math.floor(pages / 2) * (size / pages));
  writeFileSync(path, bytes);
  expect(run(damaged, data, true)).toMatchObject({ code: 69, text: expect.stringMatching(/^Nothing was restored: /) });
  writeFileSync(path, bytes.subarray(0, Math.floor(size / 3)));
  expect(run(damaged, data, true)).toMatchObject({ code: 69, text: expect.stringMatching(/^Nothing was restored: /) });
  expect(run(folder(), data, true)).toMatchObject({ code: 69, text: expect.stringContaining('there is no store') });
  expect((await read(data))?.objects).toBe(7);
  expect(existsSync(join(data, 'plumbline.db.restoring'))).toBe(false);
});

it.each([
  ['trigger', 'CREATE TRIGGER t AFTER UPDATE ON store BEGIN DELETE FROM object; END'],
  // Of two transitions to one verdict the second would be left out without a word.
  ['generated column', 'ALTER TABLE transition ADD COLUMN only INTEGER GENERATED ALWAYS AS (to_verdict)'],
  [
    'table that leaves rows out',
    'DROP TABLE change; CREATE TABLE change (cluster INTEGER, object INTEGER UNIQUE ON CONFLICT IGNORE)',
  ],
  ['table that refuses rows', 'ALTER TABLE transition ADD COLUMN only INTEGER CHECK (to_verdict < 2)'],
  ['unique index', 'CREATE UNIQUE INDEX once ON detail (object)'],
  ['index of an expression', 'CREATE INDEX slow ON object (abs(seq) + 1)'],
  ['view', 'CREATE VIEW v AS SELECT 1'],
])('restores nothing, and runs nothing, of a file with a %s, which Plumbline never made', async (_what, sql) => {
  const [from, data] = [await backedUp(40), await recorded(7)];
  const database = new DatabaseSync(join(from, 'plumbline.db'));
  database.exec(sql);
  database.close();
  const { code, text } = run(from, data, true);
  expect([code, text]).toEqual([
    69,
    expect.stringContaining(`it has a trigger, a view, an index or a rule that Plumbline never makes`),
  ]);
  expect((await read(data))?.objects).toBe(7);
});

it('opens no link again that was revoked since, where the list is still there', async () => {
  const [from, data] = [await backedUp(1), folder()];
  const link = { scope: 'fleet', key: 'k', by: 'command' as const, madeAt: noon, endsAt: noon + 86_400_000 };
  const kept = linkList(join(from, 'links.db')).keep(link);
  if (kept.type !== 'kept') throw new Error(kept.type);
  expect(run(from, data)).toMatchObject({ code: 0, text: expect.stringContaining('revoke it anew') });
  const list = linkList(join(data, 'links.db'));
  expect(list.standing(kept.link.id)).toBe('open');
  list.revoke([kept.link.id], noon + 1);
  expect(run(from, data, true)).toMatchObject({ code: 0, text: expect.stringContaining('stay') });
  expect(linkList(join(data, 'links.db')).standing(kept.link.id)).toBe('revoked');
});

it('believes no token again that was revoked since, where the list is still there', async () => {
  const [from, data] = [await backedUp(1), folder()];
  const rights = { roles: ['viewer'] as const, everything: true, grants: [], teams: [] };
  const times = { madeAt: noon, endsAt: noon + 86_400_000, revokedAt: null };
  const token = { id: '0123456789ab', name: 'ci', hash: 'ab'.repeat(32), ...rights, ...times };
  expect(accessBook(join(from, 'access.db')).keepToken(token)).toEqual({ type: 'kept' });
  expect(run(from, data)).toMatchObject({ code: 0, text: expect.stringContaining('revoke those tokens') });
  const book = accessBook(join(data, 'access.db'));
  book.revokeToken(token.id, noon + 1);
  expect(run(from, data, true)).toMatchObject({ code: 0, text: expect.stringContaining('ended sessions in') });
  expect(accessBook(join(data, 'access.db')).token(token.id)).toMatchObject({ token: { revokedAt: noon + 1 } });
});

it('puts a list in place whole or not at all, wherever it is killed', async () => {
  const [from, data] = [await backedUp(1), folder()];
  const many = Array.from({ length: 20_000 }, (_, number) => number.toString(16).padStart(16, '0'));
  linkList(join(from, 'links.db')).revoke(many, noon);
  const program = `
    import { restore } from '${join(import.meta.dirname, 'restore.ts')}';
    restore(${JSON.stringify({ from, data })}, {}, ${noon}, { out() {}, say() {} });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const here = join(data, 'links.db');
  while (!existsSync(here) && child.exitCode === null) await setImmediate();
  child.kill('SIGKILL');
  await ended;
  expect(linkList(here).standing(many[0] ?? '')).toBe('revoked');
});

it('takes no notice of what a restore that was killed has left of a list', async () => {
  const [from, data] = [await backedUp(1), folder()];
  linkList(join(from, 'links.db')).revoke(['0123456789abcdef'], noon);
  writeFileSync(join(data, 'links.db.restoring'), 'half');
  expect(run(from, data)).toMatchObject({ code: 0 });
  expect(linkList(join(data, 'links.db')).standing('0123456789abcdef')).toBe('revoked');
  expect(readdirSync(data).filter((name) => name.includes('restoring'))).toEqual([]);
});

it('says so where the data directory cannot be made', async () => {
  const [from, data] = [await backedUp(1), folder()];
  writeFileSync(join(data, 'file'), '');
  const { code, text } = run(from, join(data, 'file', 'data'));
  expect([code, text]).toEqual([69, expect.stringMatching(/^Nothing was restored: /)]);
});
