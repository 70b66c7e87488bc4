import { describe, expect, it } from 'vitest';
import { isClockOff, readClock, type ClockReading, type DateSample } from './clock-skew.ts';
import { noon } from '../testing/observed.ts';
import { minute } from './length.ts';

/** An answer of a server whose clock is `ahead` (ms), asked at `at` (ms after noon), that took `took` ms and was written at its end. */
function answered(at: number, ahead: number, took = 20): DateSample {
  const sentAt = noon + at;
  return { date: Math.floor((sentAt + took + ahead) / 1_000) * 1_000, sentAt, receivedAt: sentAt + took };
}

function read(...samples: readonly DateSample[]): ClockReading | null {
  return samples.reduce<ClockReading | null>(readClock, null);
}

describe('the clock of an API server', () => {
  it.each([
    ['right', 0, 0],
    ['off by less than whole seconds can tell', 900, 0],
    ['ten minutes ahead', 10 * minute, 10 * minute],
    ['ten minutes behind', -10 * minute, -10 * minute],
  ])('%s', (_what, ahead, expected) => {
    const found = read(answered(10, ahead), answered(370, ahead), answered(5_730, ahead));
    expect(Math.abs((found?.ahead ?? Infinity) - expected)).toBeLessThanOrEqual(1_000);
    expect(Math.abs(found?.ahead ?? 1) % 1_000).toBe(0);
  });

  it('is not known by one answer', () => {
    expect(read(answered(0, 10 * minute))?.ahead).toBeNull();
  });

  it('a slow answer says less, and nothing wrong', () => {
    const found = read(answered(0, 0, 30_000), answered(40_000, 0, 30_000));
    expect(found?.ahead).toBe(0);
  });

  it('one answer that contradicts the others (a cache on the way) changes nothing, two that agree do', () => {
    const right = [answered(0, 0), answered(500, 0)];
    expect(read(...right, answered(900, -minute))?.ahead).toBe(0);
    expect(read(...right, answered(900, -minute), answered(1_500, 0), answered(1_900, -minute))?.ahead).toBe(0);
    expect(read(...right, answered(900, -minute), answered(1_400, -minute))?.ahead).toBe(-minute);
  });

  it('stays as it is while it still fits, and follows a clock that drifts', () => {
    let reading = read(answered(0, 20_000), answered(300, 20_000));
    const first = reading?.ahead;
    for (let at = 1_000; at < 5 * minute; at += 1_370) reading = readClock(reading, answered(at, 20_000));
    expect(reading?.ahead).toBe(first);
    for (let at = 5 * minute; at < 8 * 60 * minute; at += 15_000) {
      reading = readClock(reading, answered(at, 20_000 + (at - 5 * minute) * 0.0002));
    }
    expect(Math.abs((reading?.ahead ?? 0) - 25_700)).toBeLessThanOrEqual(2_500);
  });

  it('is named beyond 5 s, in either direction, and never where it is not known', () => {
    expect([null, 0, 5_000, -5_000, 6_000, -6_000].map((ahead) => isClockOff(ahead))).toEqual([
      ...[false, false, false, false],
      ...[true, true],
    ]);
  });
});

describe('what two answers leave', () => {
  const sample = (date: number, sentAt: number, receivedAt: number): DateSample => ({
    date: noon + date,
    sentAt: noon + sentAt,
    receivedAt: noon + receivedAt,
  });

  it('is what both allow, and the second between', () => {
    expect(read(sample(60_000, 0, 100))).toEqual({
      bounds: { least: 59_900, most: 61_000 },
      at: noon + 100,
      doubt: null,
      ahead: null,
    });
    expect(read(sample(60_000, 0, 100), sample(60_000, 300, 2_100))).toEqual({
      bounds: { least: 59_899, most: 60_700 },
      at: noon + 2_100,
      doubt: null,
      ahead: 60_000,
    });
  });

  it('clocks that drift apart may do so by half a millisecond in a second, and not while time stands still', () => {
    const bounds = (receivedAt: number) =>
      read(sample(60_000, 0, 0), sample(60_000 + receivedAt - 1_000, receivedAt, receivedAt))?.bounds;
    expect(bounds(2_000)).toEqual({ least: 59_999, most: 60_000 });
    expect(bounds(0)).toEqual({ least: 60_000, most: 60_000 });
    expect(read(sample(60_000, 0, 0), sample(58_999, 0, 0))?.doubt).toEqual({ least: 58_999, most: 59_999 });
  });

  it('an estimate is kept while it lies within a second of what is known', () => {
    const near = (ahead: number) => read(sample(ahead, 0, 0), sample(ahead, 0, 0))?.ahead;
    expect([1_000, 1_001, -2_000, -2_001].map(near)).toEqual([0, 2_000, 0, -2_000]);
  });
});
