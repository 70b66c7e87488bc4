import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteWriter } from '#server/store/sqlite/writing/writer.ts';
import { asOfVersion13, storedIncidents, writeAll } from '#test/contract/kept-incidents.ts';
import { randomHistory } from '#test/contract/random-history.ts';
import { noon } from '#test/contract/store-records.ts';

const program = fileURLToPath(new URL('store-crash-keeper.ts', import.meta.url));

/** Lets a child carry the history over, and kills it outright after so many steps and so long (ms); gives whether it came to the end. */
function carryUntilKilled(path: string, steps: number, after: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split('\n').length > steps) setTimeout(() => child.kill('SIGKILL'), after);
    });
    child.on('close', (code) => {
      if (code !== null && code !== 0) return reject(new Error(complaint));
      resolve(said.includes('done'));
    });
  });
}

it('carries stored history over to the same incidents, however often it is killed', { timeout: 120_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-carried-'));
  const [path, unharmed] = [join(directory, 'killed.db'), join(directory, 'unharmed.db')];
  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  await writeAll(writer, randomHistory(3, noon, 6_000).writes);
  await writer.close();
  asOfVersion13(path);
  copyFileSync(path, unharmed);
  expect(await carryUntilKilled(unharmed, Infinity, 0)).toBe(true);
  let kills = 0;
  while (!(await carryUntilKilled(path, 1 + (kills % 2), (kills * 3) % 7))) expect(++kills).toBeLessThan(100);
  expect(kills).toBeGreaterThan(3);
  expect(storedIncidents(path)).toEqual(storedIncidents(unharmed));
  rmSync(directory, { recursive: true });
});
