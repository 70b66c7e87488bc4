import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { firstRow, text } from './rows/cells.ts';
import { copyStore } from './copy-store.ts';
import { prepare } from './database.ts';
import { smallFile } from './small-file.ts';

const schema = 'CREATE TABLE kept (word TEXT PRIMARY KEY) STRICT; PRAGMA user_version = 1;';

/** A file that holds "before", over which a process was killed while it wrote "after" and much more. */
function cutShort(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-small-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'list.db');
  const using = smallFile({ path, schema, version: 1 });
  using('write', null, (database) => {
    database.exec("INSERT INTO kept VALUES ('before')");
    return null;
  });
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(path)});
    database.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE; INSERT INTO kept VALUES ('after')");
    for (let n = 0; n < 3000; n += 1) database.exec("INSERT INTO kept VALUES ('" + n + "')");
    process.kill(process.pid, 'SIGKILL');`;
  expect(spawnSync(process.execPath, ['-e', program]).signal).toBe('SIGKILL');
  expect(existsSync(`${path}-journal`)).toBe(true);
  return path;
}

function wordsIn(path: string) {
  return smallFile({ path, schema, version: 1 })('read', null, (database) => [
    text(firstRow(prepare(database, "SELECT group_concat(word, ' ') FROM kept"))?.[0]),
  ]);
}

it('a write that was killed is taken back by whoever reads next', () => {
  expect(wordsIn(cutShort())).toEqual(['before']);
});

it('a write that was killed is taken back before a copy', () => {
  const path = cutShort();
  expect(copyStore(path, `${path}.copy`, 'own')).toEqual({ type: 'copied' });
  expect(wordsIn(`${path}.copy`)).toEqual(['before']);
});

it('what comes from elsewhere is never written: it is no backup', () => {
  const path = cutShort();
  expect(copyStore(path, `${path}.copy`, 'elsewhere')).toMatchObject({ type: 'failed' });
  expect(existsSync(`${path}-journal`)).toBe(true);
});
