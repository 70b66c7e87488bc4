import { describe, expect, it } from 'vitest';
import { day, hour } from '#lib/domain/time/length.ts';
import { periodOf, vouchedUntil } from './period.ts';

const now = Date.UTC(2026, 10, 21, 2);
const ago = (ms: number): string => new Date(now - ms).toISOString();
const asked = { from: '', to: '', last: '24h' } as const;

describe('the period of a query', () => {
  it.each([
    ['6h', 6 * hour],
    ['24h', day],
    ['7d', 7 * day],
    ['30d', 30 * day],
    ['90d', 90 * day],
  ] as const)('is the last %s', (last, length) => {
    expect(periodOf({ ...asked, last }, now)).toEqual({ from: now - length, to: now });
  });

  it('counts "last" back from its end, and ends now at the latest', () => {
    expect(periodOf({ ...asked, to: ago(day) }, now)).toEqual({ from: now - 2 * day, to: now - day });
    expect(periodOf({ ...asked, from: ago(hour), to: ago(-day) }, now)).toEqual({ from: now - hour, to: now });
  });

  it('is of 1,100 days at most', () => {
    expect(periodOf({ ...asked, from: ago(1_100 * day) }, now)).toEqual({ from: now - 1_100 * day, to: now });
  });

  it.each([
    ['is not longer', { from: ago(1_100 * day + 1) }, 'is more than 1,100 days before "to"'],
    ['does not begin now', { from: ago(0) }, 'is not in the past'],
    ['does not begin later', { from: ago(-hour) }, 'is not in the past'],
    ['does not begin at its end', { from: ago(hour), to: ago(hour) }, 'is not before "to"'],
    ['does not begin after its end', { from: ago(hour), to: ago(2 * hour) }, 'is not before "to"'],
  ])('%s', (_name, rest, message) => {
    const period = periodOf({ ...asked, ...rest }, now);
    expect(period).toEqual({ type: 'bad-parameter', name: 'from', message });
  });
});

it.each<[what: string, times: readonly (number | null)[], names: readonly string[] | null, until: number]>([
  ['the last word of all', [20, 30, 10], null, 30],
  ['of those that are named', [20, 30, 10], ['c', 'a'], 20],
  ['of those of which there is a word', [null, 1], null, 1],
  ['nobody of whom there is a word', [null, 1], ['a'], Infinity],
  ['nobody', [], null, Infinity],
])('clusters are vouched for until %s', (_what, times, names, until) => {
  const clusters = times.map((validUntil, index) => ({ name: 'abc'.charAt(index), validUntil }));
  expect(vouchedUntil(clusters, names)).toBe(until);
});
