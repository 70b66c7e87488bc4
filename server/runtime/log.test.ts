import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseForeign, textAt } from '#lib/foreign.ts';
import { lossyLines } from './log.ts';

it('lines of JSON steer no terminal that shows them, and mean the same', () => {
  const reason = 'a\u001B[2Jb\u009B31mc\u202Ed';
  const program = `
    import { createLog } from '${join(import.meta.dirname, 'log.ts')}';
    createLog('collector', 'info').info({ reason: ${JSON.stringify(reason)} }, 'said');`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toContain(String.raw`"reason":"a\u001b[2Jb\u009b31mc\u202ed"`);
  expect(textAt(parseForeign(stderr), 'reason')).toBe(reason);
});

/** A process that logs, and writes to standard error besides, into something that takes none of it. */
function logsInto(stderr: number, stdout: number | 'pipe' = 'pipe') {
  const program = `
    import { createLog } from '${join(import.meta.dirname, 'log.ts')}';
    const log = createLog('collector', 'info');
    for (let n = 0; n < 3; n += 1) {
      log.info({ n }, 'said');
      console.error('said by another');
      console.log('.');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    console.log('goes on');`;
  return spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    ...{ encoding: 'utf8', stdio: ['ignore', stdout, stderr] },
    timeout: 10_000,
  });
}

it.skipIf(!existsSync('/dev/full'))('a log that lies on a full disk ends no process', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const { status, stdout } = logsInto(full);
  expect([status, stdout]).toEqual([0, '.\n.\n.\ngoes on\n']);
  // As that of a child, whose output is its log.
  expect(logsInto(full, full).status).toBe(0);
});

it('a log that nobody reads any more ends no process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-log-'));
  const fifo = join(folder, 'fifo');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync('mkfifo', [fifo]);
  const reads = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const writes = openSync(fifo, constants.O_WRONLY);
  closeSync(reads);
  onTestFinished(() => closeSync(writes));
  const { status, stdout } = logsInto(writes);
  expect([status, stdout]).toEqual([0, '.\n.\n.\ngoes on\n']);
});

it('waits for a reader who is slow with the first line that is lost, and with no other one', () => {
  const waits: boolean[] = [];
  const write = lossyLines((_line, isPatient) => {
    waits.push(isPatient);
    throw new Error('EAGAIN');
  });
  for (let n = 0; n < 3; n += 1) write('a');
  expect(waits).toEqual([true, false, false]);
});

it('lines that could not be written are counted, and told once there is room again', () => {
  const written: string[] = [];
  let isFull = true;
  const write = lossyLines((line) => {
    if (isFull) throw new Error('ENOSPC');
    written.push(line);
  });
  write('a\n');
  write('b\n');
  isFull = false;
  write('c\n');
  write('d\n');
  expect(written.map((line) => parseForeign(line) ?? line)).toEqual([
    { level: 40, time: expect.any(String), lines: 2, msg: 'lines of the log could not be written' },
    'c\n',
    'd\n',
  ]);
});
