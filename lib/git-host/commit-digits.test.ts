import { expect, it } from 'vitest';
import { commitDigits } from './commit-digits.ts';

const whole = '9f31c07d2b64a8e5f1c03b9a7d6e5f4c3b2a1908';

it.each([
  ['a whole hash', whole, whole],
  ['the first digits, with blanks', ' 9F31C07 ', '9f31c07'],
  ['a revision of Flux', `main@sha1:${whole}`, whole],
  ['a link to a git host', `https://git.example.org/acme/control/-/commit/${whole}?view=inline#note`, whole],
  ['fewer than 7 digits', '9f31c0', null],
  ['more than 64', 'a'.repeat(65), null],
  ['the name of a cluster', 'eu-west-3', null],
  ['a word', 'checkout', null],
  ['nothing', '', null],
] as const)('%s', (_name, text, digits) => {
  expect(commitDigits(text)).toBe(digits);
});
