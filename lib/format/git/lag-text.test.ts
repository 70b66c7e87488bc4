import { expect, it } from 'vitest';
import { type LagUnknown, lagUnknowns } from '../../domain/commit/lag.ts';
import { minute } from '../../domain/time/length.ts';
import { lagParts, lagText, lagUnknownText } from './lag-text.ts';

const now = Date.parse('2026-11-21T03:00:00Z');

function behind(commits: number, touching: number, minutes: number | null = 12, atLeast = false): string {
  const oldestAt = minutes === null ? null : now - minutes * minute;
  return lagText({ type: 'known', branch: 'main', commits, touching, atLeast, oldestAt }, now);
}

it.each([
  [behind(0, 0, null), 'at the newest commit of main'],
  [behind(1, 0, null), '1 commit behind, which does not touch this path'],
  [behind(3, 0, null), '3 commits behind, none touches this path'],
  [behind(1, 1), '1 commit behind, which touches this path and waits for 12 min'],
  [behind(3, 1), '3 commits behind, 1 touches this path and waits for 12 min'],
  [behind(3, 2), '3 commits behind, 2 touch this path, the oldest waits for 12 min'],
  [behind(3, 2, null), '3 commits behind, 2 touch this path'],
  [behind(3, 1, 12, true), '3 commits behind, at least 1 touches what it builds from and waits for 12 min'],
  [
    behind(4, 2, 12, true),
    '4 commits behind, at least 2 touch what it builds from, the oldest of these waits for 12 min',
  ],
  [behind(4, 2, null, true), '4 commits behind, at least 2 touch what it builds from'],
  // The clock of who committed is ahead.
  [behind(2, 2, -5), '2 commits behind, 2 touch this path, the oldest waits for 0 s'],
])('%s', (text, expected) => expect(text).toBe(expected));

it('leads to those that touch the path, and to the oldest', () => {
  const parts = lagParts(
    { type: 'known', branch: 'main', commits: 3, touching: 2, atLeast: false, oldestAt: now },
    now,
  );
  expect(parts.filter(({ to }) => to !== null)).toEqual([
    { text: '2 touch this path', to: 'touching' },
    { text: 'the oldest', to: 'oldest' },
  ]);
});

it('is said to be unknown, each time with why, and never in numbers', () => {
  const texts = lagUnknowns.map((why: LagUnknown) => lagText({ type: 'unknown', why, branch: 'main' }, now));
  expect(new Set(texts).size).toBe(lagUnknowns.length);
  for (const text of texts) expect(text).toMatch(/^how far behind is not known: \D+$/);
  expect(lagUnknownText('rewritten', null)).toBe('its branch does not hold the commit that it runs');
});
