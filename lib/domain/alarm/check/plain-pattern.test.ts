import { expect, it } from 'vitest';
import { plainMatch } from './plain-pattern.ts';

it.each([
  ['page', 'page', true],
  ['page', 'pages', false],
  ['page|ticket', 'ticket', true],
  ['(page|ticket)', 'ticket', true],
  ['^(?:a|b)$', 'b', true],
  ['prod-.*', 'prod-', true],
  ['prod-.+', 'prod-', false],
  ['prod-.+', 'prod-eu', true],
  ['.*-eu-.*', 'prod-eu-1', true],
  ['.*a.*b.*c', 'xxaxxbxxbc', true],
  ['.*a.*b.*c', 'xxaxxbxxcb', false],
  ['a.c', 'abc', true],
  ['a.c', 'ac', false],
  [String.raw`a\.c`, 'a.c', true],
  [String.raw`a\.c`, 'abc', false],
  ['', '', true],
  ['.*', '', true],
  ['.+', '', false],
  ['a|', '', true],
  ['[ab]', 'a', null],
  ['a+', 'a', null],
  ['(a)(b)', 'ab', null],
  [String.raw`\d`, '1', null],
  ['x'.repeat(1_025), 'x', null],
])('%j matches %j: %j', (pattern, value, expected) => {
  expect(plainMatch(pattern, value)).toBe(expected);
});

it('takes no longer for a hostile pattern than its letters times those of the value', () => {
  const began = performance.now();
  expect(plainMatch(`${'.*a'.repeat(340)}b`, 'a'.repeat(1_024))).toBe(false);
  expect(performance.now() - began).toBeLessThan(2_000);
});
