import { expect, it } from 'vitest';
import { readPromDuration } from '#lib/domain/alarm/declared/prom-duration.ts';
import { literalPattern, promDuration, promString } from './promql.ts';

it.each([
  ['eu-west-3', '"eu-west-3"'],
  ['a"b', String.raw`"a\"b"`],
  [String.raw`a\b`, String.raw`"a\\b"`],
  ['two\nlines\t', String.raw`"two\nlines\t"`],
  ['\u202Etxt', String.raw`"\u202etxt"`],
  ['é', String.raw`"\u00e9"`],
  ['\u{1F600}', String.raw`"\U0001f600"`],
  ['\uD800', String.raw`"\ufffd"`],
])('%j is written as %s', (text, written) => {
  expect(promString(text)).toBe(written);
});

it('a pattern of a text matches that text alone', () => {
  expect(literalPattern('a.b|c*')).toBe(String.raw`a\.b\|c\*`);
});

it.each([
  [0, '0s'],
  [750_000, '12m30s'],
  [3_600_000, '1h'],
  [90_061_000, '1d1h1m1s'],
])('%d ms are %s, and back', (ms, text) => {
  expect([promDuration(ms), readPromDuration(text)]).toEqual([text, ms]);
});

it.each(['', '5', 'm', '5 m', '-5m', '1.5h'])('"%s" is no duration', (text) => {
  expect(readPromDuration(text)).toBeNull();
});
