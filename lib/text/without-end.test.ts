import { expect, it } from 'vitest';
import { withoutEnd } from './without-end.ts';

it.each([
  ['a/b//', '/', 'a/b'],
  ['a, .', '., ', 'a'],
  ['//', '/', ''],
  ['', '/', ''],
])('"%s" without "%s" at its end is "%s"', (text, letters, left) => {
  expect(withoutEnd(text, letters)).toBe(left);
});
