import { describe, expect, it } from 'vitest';
import {
  lastMoment,
  parseDayOrTime,
  periodBefore,
  periodName,
  readPeriod,
  type PeriodPreset,
} from './report-period.ts';

const now = Date.UTC(2026, 10, 22, 14, 3);
const at = (text: string): number => Date.parse(text);

describe('a preset', () => {
  it.each<[PeriodPreset, string, string, string]>([
    ['last-month', '2026-10-01T00:00Z', '2026-11-01T00:00Z', '2026-11-01T00:00Z'],
    ['this-month', '2026-11-01T00:00Z', '2026-11-22T14:03Z', '2026-12-01T00:00Z'],
    ['last-7-days', '2026-11-16T00:00Z', '2026-11-22T14:03Z', '2026-11-23T00:00Z'],
    ['last-30-days', '2026-10-24T00:00Z', '2026-11-22T14:03Z', '2026-11-23T00:00Z'],
    ['last-90-days', '2026-08-25T00:00Z', '2026-11-22T14:03Z', '2026-11-23T00:00Z'],
  ])('%s is from %s to %s', (period, from, to, end) => {
    expect(readPeriod({ period, from: '', to: '' }, now)).toEqual({
      type: 'period',
      period: { from: at(from), to: at(to), end: at(end) },
    });
  });

  it('of the month before January is December of the year before', () => {
    const read = readPeriod({ period: 'last-month', from: '', to: '' }, Date.UTC(2027, 0, 3));
    expect(read).toMatchObject({ period: { from: Date.UTC(2026, 11, 1), to: Date.UTC(2027, 0, 1) } });
  });

  it('is the last 30 days where nothing is said', () => {
    expect(readPeriod({ period: '', from: '', to: '' }, now)).toEqual(
      readPeriod({ period: 'last-30-days', from: '', to: '' }, now),
    );
  });
});

describe('a period from one time to another', () => {
  it('is cut at now, and knows where it would have ended', () => {
    expect(readPeriod({ period: '', from: '2026-11-20', to: '2026-11-27' }, now)).toEqual({
      type: 'period',
      period: { from: at('2026-11-20T00:00Z'), to: now, end: at('2026-11-27T00:00Z') },
    });
  });

  it('lasts until now where it has no end', () => {
    expect(readPeriod({ period: '', from: '2026-11-20', to: '' }, now)).toMatchObject({
      period: { to: now, end: now },
    });
  });

  it.each([
    ['', '2026-11-20', '', 'from', 'is missing: a period has a beginning'],
    ['', '2026-11-20', '2026-11-20', 'to', 'must be later than from'],
    ['', '2026-11-22T14:03:00Z', '', 'from', 'lies in the future'],
    ['', 'yesterday', '', 'from', 'must be a day such as 2026-10-01 or a time such as 2026-10-01T00:00:00Z'],
    ['', '2026-11-01', 'soon', 'to', 'must be a day such as 2026-11-01 or a time such as 2026-11-01T00:00:00Z'],
    ['', '2020-01-01', '', 'from', 'at most 1,100 days can be reported on at once'],
    ['last-month', '2026-11-01', '', 'period', 'does not go with from and to'],
  ] as const)('%s %s to %s is refused for %s: %s', (period, from, to, name, message) => {
    const asked = from === '2026-11-20' && name === 'from' ? { period, from: '', to: from } : { period, from, to };
    expect(readPeriod(asked, now)).toEqual({ type: 'wrong', name, message });
  });
});

it.each([
  ['2026-10-01', Date.UTC(2026, 9, 1)],
  ['2026-10-01T02:00:00+02:00', Date.UTC(2026, 9, 1)],
  ['2026-10-01T00:00:00.020Z', Date.UTC(2026, 9, 1) + 20],
  ['2026-10-01T00:00Z', Date.UTC(2026, 9, 1)],
  ['2026-07-31', Date.UTC(2026, 6, 31)],
  ['2026-02-29', null],
  ['2026-02-31', null],
  ['2026-10-01T00:00:00', null],
  ['1 October', null],
  ['2026-13-01', null],
])('%s is read as %s', (text, ms) => {
  expect(parseDayOrTime(text)).toBe(ms);
});

describe('the period before', () => {
  it.each([
    ['a month has the month before, however long', '2026-03-01', '2026-04-01', '2026-02-01', '2026-03-01'],
    ['anything else has as much time before it', '2026-03-01', '2026-03-31', '2026-01-30', '2026-03-01'],
  ])('%s', (_what, from, to, before, end) => {
    expect(periodBefore({ from: at(from), to: at(to) })).toEqual({ from: at(before), to: at(end) });
  });
});

it.each([
  ['2026-10-01', '2026-11-01', 'October 2026'],
  ['2026-10-24', '2026-11-23', '24 Oct to 22 Nov 2026'],
  ['2025-12-24', '2026-01-03', '24 Dec 2025 to 2 Jan 2026'],
  ['2026-10-03', '2026-10-04', '3 Oct 2026'],
  ['2026-10-03T06:30Z', '2026-10-04T18:00Z', '3 Oct 06:30 to 4 Oct 2026 18:00'],
  ['2026-10-03T06:30Z', '2026-10-05', '3 Oct 06:30 to 4 Oct 2026'],
])('%s to %s is called %s', (from, to, name) => {
  expect(periodName({ from: at(from), to: at(to) })).toBe(name);
});

it('1,100 days are reported on at once, and no more', () => {
  const asked = (from: string) => readPeriod({ period: '', from, to: '2026-11-01' }, now).type;
  expect([asked('2023-10-28'), asked('2023-10-27')]).toEqual(['period', 'wrong']);
});

it('a whole month is called by its name, of each month', () => {
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month));
  const names = months.map((from, month) => periodName({ from, to: Date.UTC(2026, month + 1) }));
  expect(names).toEqual(
    months.map((from) => `${new Date(from).toLocaleString('en', { month: 'long', timeZone: 'UTC' })} 2026`),
  );
  expect(lastMoment({ to: '2026-11-01T00:00:00Z' })).toBe(Date.UTC(2026, 10) - 1);
});
