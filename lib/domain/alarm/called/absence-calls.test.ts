import { describe, expect, it } from 'vitest';
import { firstCall, isFirstExact, isLate, overdueParts, standingOf } from './absence-calls.ts';

const list = (...times: number[]): Float64Array => Float64Array.from(times);
/** Away, and known, from 100 to 200, with its deadline at 120. */
const times = {
  openedAt: 100,
  noticedAt: 100,
  end: 200,
  deadline: 120,
  overdue: list(120, 200),
  called: list(),
  unknown: list(),
};
const all = { from: 0, to: 1_000 };

describe('overdue time', () => {
  it.each<[string, Partial<typeof times>, readonly [number, number, number]]>([
    ['is silent', {}, [0, 80, 0]],
    ['is called', { called: list(110, 130) }, [10, 70, 0]],
    ['is unknown', { unknown: list(0, 140) }, [0, 60, 20]],
    ['is called where it would be unknown', { called: list(110, 130), unknown: list(0, 140) }, [10, 60, 10]],
    ['lies in pieces', { overdue: list(120, 130, 180, 200), called: list(125, 185) }, [10, 20, 0]],
  ])('%s', (_, change, [called, silent, unknown]) => {
    expect(overdueParts({ ...times, ...change }, all)).toEqual({ called, silent, unknown });
  });

  it('is cut to a period', () => {
    const parts = overdueParts({ ...times, called: list(0, 150), unknown: list(150, 160) }, { from: 140, to: 190 });
    expect(parts).toEqual({ called: 10, silent: 30, unknown: 10 });
  });
});

describe('an absence past its deadline', () => {
  it.each<[string, Partial<typeof times>, number | null, string]>([
    ['was called for by no one', {}, null, 'never'],
    ['was called for in time', { called: list(110, 115) }, 110, 'inTime'],
    ['by a call that lasted as it began', { called: list(0, 101) }, 100, 'inTime'],
    ['was called for at the deadline', { called: list(120, 130) }, 120, 'late'],
    ['was called for late', { called: list(0, 50, 199, 300) }, 199, 'late'],
    ['was called for before and after it only', { called: list(0, 100, 200, 300) }, null, 'never'],
    ['is not known after its deadline', { unknown: list(130, 131) }, null, 'unknown'],
    ['is not known as it begins', { unknown: list(0, 101) }, null, 'unknown'],
    ['is not known as it ends', { unknown: list(199, 900) }, null, 'unknown'],
    ['is known all of its time', { unknown: list(0, 100, 200, 900) }, null, 'never'],
  ])('%s', (_, change, first, standing) => {
    expect(firstCall({ ...times, ...change })).toBe(first);
    expect(standingOf({ ...times, ...change })).toBe(standing);
  });

  it.each<[string, Partial<typeof times>, string, boolean]>([
    ['all that time was known', { called: list(150, 160) }, 'late', true],
    [
      'it was unknown before it began, and after the call',
      { called: list(150, 160), unknown: list(0, 100, 150, 300) },
      'late',
      true,
    ],
    ['it was unknown as it began', { called: list(150, 160), unknown: list(0, 101) }, 'unknown', false],
    ['it was unknown up to the deadline', { called: list(150, 160), unknown: list(119, 120) }, 'unknown', false],
    [
      'it was unknown from before the deadline on',
      { called: list(150, 160), unknown: list(119, 150) },
      'unknown',
      false,
    ],
    ['it was unknown from the deadline on', { called: list(150, 160), unknown: list(120, 150) }, 'late', false],
    ['it was unknown right before the call', { called: list(150, 160), unknown: list(149, 150) }, 'late', false],
    [
      'the call came at the deadline, out of the unknown',
      { called: list(120, 130), unknown: list(110, 120) },
      'unknown',
      false,
    ],
    ['the call came in time, out of the unknown', { called: list(119, 130), unknown: list(110, 119) }, 'inTime', false],
    ['the call lasted as it began', { called: list(0, 130), unknown: list(0, 200) }, 'inTime', true],
  ])('was called for at a time that may not be the first: %s', (_, change, standing, isExact) => {
    expect([standingOf({ ...times, ...change }), isFirstExact({ ...times, ...change })]).toEqual([standing, isExact]);
  });

  it('has no exact first call where it has none', () => {
    expect(isFirstExact(times)).toBe(false);
  });

  it.each([
    [100, 200, 100, true],
    [0, 120, 100, false],
    [0, 121, 100, true],
    [199, 300, 100, true],
    [200, 300, 100, false],
    [0, 150, 150, false],
  ])('from %i to %i, noticed at %i: %s', (from, to, noticedAt, expected) => {
    expect(isLate({ ...times, noticedAt }, { from, to })).toBe(expected);
  });
});
