import { expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [9_949, '9.9 kB'],
  [9_960, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [412_345_678, '412 MB'],
  [1_449_000_000, '1.4 GB'],
  [3_000_000_000_000_000, '3000 TB'],
])('%s bytes: %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
