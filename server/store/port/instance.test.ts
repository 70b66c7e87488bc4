import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeStandby, readStandby, readWriter, sayStandby, sayWriter, writerName } from './instance.ts';

const since = Date.UTC(2026, 10, 21, 3, 12, 5);
const standby = { host: 'node-1', pid: 4711, since, seenAt: since + 10_000 };

it('is read as it was said, until it is taken back', () => {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-instance-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'plumbline.db');
  expect([readStandby(path), readWriter(path)]).toEqual([null, null]);
  sayStandby(path, standby);
  sayWriter(path, { ...standby, pid: 1 });
  expect(readStandby(path)).toEqual(standby);
  expect(readWriter(path)).toEqual({ host: 'node-1', pid: 1, since });
  sayStandby(path, null);
  expect(readStandby(path)).toBeNull();
});

it('is told as long as it says so itself', () => {
  expect(describeStandby(standby, since + 12_000)).toBe(
    'A second Plumbline (process 4711 on node-1) was started on this data directory and stands by since 03:12:05 UTC: it reads no cluster, and takes over when the one that writes the record ends.',
  );
  expect(describeStandby(standby, since + 26_000)).toBeNull();
  expect(describeStandby(null, since)).toBeNull();
});

it('that wrote is told as the writer unless it is known to have ended', () => {
  const ended = spawnSync(process.execPath, ['--version']).pid;
  expect(writerName({ host: hostname(), pid: process.pid, since })).toBe(`process ${process.pid} on ${hostname()}`);
  expect(writerName({ host: `not-${hostname()}`, pid: ended, since })).toBe(`process ${ended} on not-${hostname()}`);
  expect(writerName({ host: hostname(), pid: ended, since })).toBe(`process ${ended} on ${hostname()} wrote last`);
});
