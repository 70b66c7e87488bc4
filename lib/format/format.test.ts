import { describe, expect, it } from 'vitest';
import { clockLabel, formatDuration, isoDuration, least } from './duration.ts';
import { countOf, formatBytes, formatCount, formatShare } from './number.ts';
import { shortCommit, shortRevision } from './revision.ts';
import { formatClock, formatDay, formatTime, parseTime, shortTime } from './time.ts';

const min = 60_000;
const h = 60 * min;
const d = 24 * h;

it.each([
  [-5, '0 s'],
  [0, '0 s'],
  [35_900, '35 s'],
  [min, '1 min'],
  [47 * min + 59_000, '47 min'],
  [h, '1 h'],
  [2 * h + 4 * min, '2 h 4 min'],
  [23 * h + 59 * min, '23 h 59 min'],
  [3 * d + 4 * h + 59 * min, '3 d 4 h'],
  [400 * d, '400 d'],
  [d, '1 d'],
  [d - 1, '23 h 59 min'],
  [h - 1, '59 min'],
  [min - 1, '59 s'],
])('%s ms lasts %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it('gives durations to machines in seconds', () => {
  expect([47 * min, 0, -1].map(isoDuration)).toEqual(['PT2820S', 'PT0S', 'PT0S']);
});

it('a clock is so much ahead or behind, and what is not exact is at least so long', () => {
  expect([10 * min, 0, -7_000].map(clockLabel)).toEqual(['10 min ahead of', '0 s ahead of', '7 s behind']);
  expect([least({ bound: 'exact' }), least({ bound: 'at-least' })]).toEqual(['', 'at least ']);
});

describe('times', () => {
  const at = Date.UTC(2026, 10, 21, 2, 12, 20, 999);
  it('are in UTC whatever the machine thinks', () => {
    expect(formatTime(at, at)).toBe('21 Nov 02:12:20 UTC');
    expect(formatClock(at)).toBe('02:12:20 UTC');
    expect(formatDay(at, at)).toBe('21 Nov');
  });
  it('carry the year only where it is another one', () => {
    expect(formatTime(at, Date.UTC(2027, 0, 1))).toBe('21 Nov 2026 02:12:20 UTC');
    expect(formatDay(at, Date.UTC(2027, 0, 1))).toBe('21 Nov 2026');
    expect([shortTime(at, at), shortTime(at, Date.UTC(2027, 0, 1)), shortTime(at, 'year')]).toEqual([
      '21 Nov 02:12',
      '21 Nov 2026 02:12',
      '21 Nov 2026 02:12',
    ]);
  });
  it('are of the months that a calendar has', () => {
    const days = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 9, 8, 7));
    const names = days.map((day) => new Date(day).toLocaleString('en', { month: 'short', timeZone: 'UTC' }));
    expect(days.map((day) => shortTime(day, day))).toEqual(names.map((name) => `9 ${name} 08:07`));
    expect(days.map((day) => formatDay(day, 'year'))).toEqual(names.map((name) => `9 ${name} 2026`));
  });
  it.each([
    ['2026-11-21T02:12:20.999Z', at],
    ['never', null],
    ['', null],
  ])('%s on the wire is %s', (text, ms) => {
    expect(parseTime(text)).toBe(ms);
  });
});

it.each([
  [0, '0'],
  [999, '999'],
  [1204, '1,204'],
  [1_000_000, '1,000,000'],
])('%s reads %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

it.each([
  [0, '0 %'],
  [0.0001, '0.1 %'],
  [0.986, '98.6 %'],
  [0.5, '50.0 %'],
  [0.99999, '99.9 %'],
  [1, '100 %'],
])('a share of %s reads %s: nothing is rounded to all or to none', (share, text) => {
  expect(formatShare(share)).toBe(text);
});

it.each([
  [1, 'object', undefined, '1 object'],
  [0, 'object', undefined, '0 objects'],
  [2, 'repository', 'repositories', '2 repositories'],
  [12, 'GitRepository', undefined, '12 GitRepositories'],
  [2, 'Policy', undefined, '2 Policies'],
  [2, 'Gateway', undefined, '2 Gateways'],
  [3, 'Ingress', undefined, '3 Ingresses'],
  [2, 'CompositeResourceDefinition', undefined, '2 CompositeResourceDefinitions'],
])('%s %s', (count, one, many, text) => {
  expect(countOf(count, one, many)).toBe(text);
});

it.each([
  ['main@sha1:2d81e5512345678901234567890123456789abcd', 'main@2d81e55'],
  ['sha1:2d81e5512345678901234567890123456789abcd', '2d81e55'],
  ['refs/heads/a@b@sha1:2d81e5512345678901234567890123456789abcd', 'refs/heads/a@b@2d81e55'],
  ['latest@sha256:1f2e3d4c5b6a79880123456789abcdef0123456789abcdef0123456789abcdef', 'latest@1f2e3d4'],
  ['6.5.1', '6.5.1'],
  ['6.5.1+sha1:xyz', '6.5.1+sha1:xyz'],
  ['', ''],
  ['2d81e5512345678901234567890123456789abcd', '2d81e55'],
])('revision %s is said %s', (revision, text) => {
  expect(shortRevision(revision)).toBe(text);
});

it.each([
  ['2d81e5512345678901234567890123456789abcd', '2d81e55'],
  ['sha1:2d81e5512345678901234567890123456789abcd', '2d81e55'],
  ['2d81', '2d81'],
])('commit %s is said %s', (commit, text) => {
  expect(shortCommit(commit)).toBe(text);
});

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [9_949, '9.9 kB'],
  [9_960, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [412_345_678, '412 MB'],
  [1_449_000_000, '1.4 GB'],
  [3_000_000_000_000_000, '3000 TB'],
])('%s bytes: %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
