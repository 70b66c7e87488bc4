import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { day } from '#lib/domain/time/length.ts';
import { describeCondition, readCondition, seeReadOnly, writeCondition, type StoreCondition } from './condition.ts';

const since = Date.UTC(2026, 10, 21, 3, 12, 5);
const full: StoreCondition = {
  type: 'refusing',
  why: 'full',
  message: 'database or disk is full',
  since,
  triedAt: since,
};

function store(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-condition-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'plumbline.db');
}

it('is read as it was told, in a file that never grows', () => {
  const path = store();
  expect(readCondition(path)).toBeNull();
  writeCondition(path, { type: 'writing' });
  const { size } = statSync(`${path}.condition`);
  writeCondition(path, { ...full, message: 'long '.repeat(500) });
  expect(readCondition(path)).toMatchObject({ type: 'refusing', why: 'full', since });
  expect(statSync(`${path}.condition`)).toMatchObject({ size, mode: 0o100600 });
  writeCondition(path, { type: 'writing' });
  expect(readCondition(path)).toEqual({ type: 'writing' });
});

it('that cannot be told is no matter', () => {
  expect(() => writeCondition('/nowhere/at/all', full)).not.toThrow();
});

it.each<readonly [string, StoreCondition | null, number, string | null]>([
  ['nobody said anything', null, 0, null],
  ['all is well', { type: 'writing' }, 0, null],
  ['full', full, 5_000, 'Nothing is recorded since 03:12:05 UTC: the disk of the record is full. '],
  [
    'read-only',
    { ...full, why: 'read-only' },
    0,
    'Nothing is recorded since 03:12:05 UTC: the record may only be read. ',
  ],
  [
    'something else, in its own words',
    { ...full, why: 'failed', message: 'disk I/O error' },
    0,
    'Nothing is recorded since 03:12:05 UTC: the record cannot be written (disk I/O error). ',
  ],
  [
    'with its day, where that is another one',
    { ...full, triedAt: since + day },
    day,
    'Nothing is recorded since 2026-11-21 03:12:05 UTC: the disk of the record is full. ',
  ],
  ['what a collector said that has ended since', full, 61_000, null],
])('in words: %s', (_, condition, later, words) => {
  const rest = 'What is shown grows old; it goes on by itself once it can.';
  expect(describeCondition(condition, since + later)).toBe(words === null ? null : `${words}${rest}`);
});

it('of a store that can be written is not seen from outside, however old it is', () => {
  const path = store();
  expect(seeReadOnly(path, since)).toBeNull();
  writeFileSync(path, '');
  utimesSync(path, since / 1000, since / 1000);
  expect(seeReadOnly(path, since + day)).toBeNull();
  writeCondition(path, { type: 'writing' });
  expect(seeReadOnly(path, since + day)).toBeNull();
});

it('of a store that nobody may write is seen from outside, since it was written last', () => {
  const path = store();
  writeFileSync(path, '');
  utimesSync(path, since / 1000, since / 1000);
  // A folder cannot be opened for writing by anybody, the administrator included.
  mkdirSync(`${path}.condition`);
  expect(seeReadOnly(path, since + 14_000)).toBeNull();
  expect(seeReadOnly(path, since + 15_000)).toMatchObject({ why: 'read-only', since });
});
