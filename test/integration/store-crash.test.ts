import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { silentLog } from '#server/runtime/log.ts';
import { openSqliteReader } from '#server/store/sqlite/reader.ts';
import { openSqliteWriter } from '#server/store/sqlite/writer.ts';
import { noon, refOf } from '#test/contract/store-records.ts';

const program = fileURLToPath(new URL('store-crash-writer.ts', import.meta.url));
const kills = 10;

/** Lets a child write until it has acknowledged `enough` batches, kills it outright, and gives the acknowledged numbers. */
function writeUntilKilled(path: string, round: number, enough: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, path, String(round)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split('\n').length > enough) child.kill('SIGKILL');
    });
    child.on('close', (code) => {
      if (code !== null) reject(new Error(`the writer ended by itself: ${complaint}`));
      else resolve(said.split('\n').slice(0, -1).map(Number));
    });
  });
}

it('loses nothing acknowledged and shows nothing by halves when the writer is killed ten times', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-crash-'));
  const path = join(directory, 'plumbline.db');
  const acknowledged: number[] = [];
  const last = new Set<number>();
  for (let round = 0; round < kills; round++) {
    const numbers = await writeUntilKilled(path, round, 5 + round * 7);
    acknowledged.push(...numbers);
    last.add(Math.max(...numbers));
    const reader = await openSqliteReader({ path });
    if ('type' in reader) throw new Error(reader.type);
    const { changes } = await reader.follow(null, 100_000);
    const present = new Set(changes.flatMap((change) => (change.type === 'object' ? [change.object.ref.name] : [])));
    for (const number of acknowledged) {
      // Every third write also removes the one before it; the one that was under way when the kill came may have done so too.
      if (number % 3 === 1 && last.has(number)) continue;
      const removed = number % 3 === 1;
      expect(present.has(`app-${number}`), `app-${number} after round ${round}`).toBe(!removed);
      expect(
        await reader.transitions(refOf('a', number), { from: noon, to: noon + 10_000_000, limit: 9 }),
      ).toHaveLength(1);
    }
    const halves = [...present]
      .map((name) => Number(name.slice('app-'.length)))
      .filter((number) => number % 3 === 2 && present.has(`app-${number - 1}`));
    expect(halves).toEqual([]);
    const stats = await reader.stats();
    expect(stats.objects).toBe(present.size);
    await reader.close();
  }
  expect(acknowledged.length).toBeGreaterThan(kills * 5);

  const writer = openSqliteWriter({ path, log: silentLog });
  if ('type' in writer) throw new Error(writer.type);
  expect((await writer.load('a')).objects.length).toBeGreaterThan(0);
  await writer.close();
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
  rmSync(directory, { recursive: true });
});
