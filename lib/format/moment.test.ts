import { describe, expect, it } from 'vitest';
import { momentText, parseMoment, readMoment } from './moment.ts';

const now = Date.UTC(2026, 10, 21, 2, 59, 14);

describe('a moment in an address', () => {
  it.each([
    ['2026-11-21T02:12:20Z', Date.UTC(2026, 10, 21, 2, 12, 20)],
    ['2026-11-21T02:12:20.042Z', Date.UTC(2026, 10, 21, 2, 12, 20, 42)],
    ['2026-11-21t03:12:20+01:00', Date.UTC(2026, 10, 21, 2, 12, 20)],
    ['2026-11-21T00:42:20-01:30', Date.UTC(2026, 10, 21, 2, 12, 20)],
    [String(now), now],
    ['0', 0],
  ])('%s', (text, at) => {
    expect(parseMoment(text)).toBe(at);
  });

  it.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21T02:12:20',
    '2026-02-31T00:00:00Z',
    '2026-11-21T24:00:00Z',
    '2026-11-21T02:60:00Z',
    '2026-13-01T00:00:00Z',
    '-5',
    '1e12',
    '9999999999999999',
    '2026-11-21T02:12:20Z ',
    ' ',
  ])('is not "%s"', (text) => {
    expect(parseMoment(text)).toBeNull();
  });

  it.each([0, now, now + 7])('%d is read as it was written', (at) => {
    expect(parseMoment(momentText(at))).toBe(at);
  });

  it('has milliseconds only where there are any', () => {
    expect(momentText(now)).toBe('2026-11-21T02:59:14Z');
    expect(momentText(now + 7)).toBe('2026-11-21T02:59:14.007Z');
  });
});

describe('a moment as people write it', () => {
  it.each([
    ['2026-11-21 02:12', '2026-11-21T02:12:00Z'],
    ['2026-11-21 2:12:20 UTC', '2026-11-21T02:12:20Z'],
    ['2026-11-21T02:12', '2026-11-21T02:12:00Z'],
    ['2026-11-20', '2026-11-20T00:00:00Z'],
    ['21 Nov 02:12:20 UTC', '2026-11-21T02:12:20Z'],
    ['21 November 2025, 02:12', '2025-11-21T02:12:00Z'],
    ['24 Dec 20:00', '2025-12-24T20:00:00Z'],
    ['1 oct', '2026-10-01T00:00:00Z'],
    ['02:12', '2026-11-21T02:12:00Z'],
    ['3:12', '2026-11-20T03:12:00Z'],
    ['today 03:12', '2026-11-21T03:12:00Z'],
    ['yesterday 02:12', '2026-11-20T02:12:00Z'],
    ['2 h ago', '2026-11-21T00:59:14Z'],
    ['-90m', '2026-11-21T01:29:14Z'],
    ['1.5h', '2026-11-21T01:29:14Z'],
    ['3 d', '2026-11-18T02:59:14Z'],
    ['  2026-11-21T02:12:20Z ', '2026-11-21T02:12:20Z'],
    ['2026-11-21T03:12:20+01:00', '2026-11-21T02:12:20Z'],
  ])('%s', (text, at) => {
    expect(readMoment(text, now)).toBe(Date.parse(at));
  });

  it.each(['', 'soon', '25:00', '12:61', '31 Feb', '32 Jan 2026', '2026-02-30 10:00', '21 Foo 10:00', '2 weeks', 'Z'])(
    'is not "%s"',
    (text) => {
      expect(readMoment(text, now)).toBeNull();
    },
  );
});

it('a day is named by each month, whole or by its first three letters', () => {
  for (let month = 0; month < 12; month++) {
    const day = Date.UTC(2025, month, 3);
    const name = new Date(day).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
    expect([readMoment(`3 ${name} 2025`, now), readMoment(`3 ${name.slice(0, 3)} 2025 00:00`, now)]).toEqual([
      day,
      day,
    ]);
  }
  expect(readMoment('3 Foo 2025', now)).toBeNull();
});

it('what lies ahead today was yesterday or last year, what is now is now', () => {
  expect(readMoment('02:59:14', now)).toBe(now);
  expect(readMoment('02:59:15', now)).toBe(now + 1_000 - 24 * 3_600_000);
  expect(readMoment('21 nov 02:59:14', now)).toBe(now);
  expect(readMoment('21 nov 02:59:15', now)).toBe(Date.UTC(2025, 10, 21, 2, 59, 15));
});
