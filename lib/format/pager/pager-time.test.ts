import { expect, it } from 'vitest';
import { parsePagerTime } from './pager-time.ts';

const at = Date.UTC(2026, 10, 21, 3, 12, 0);

it.each([
  ['2026-11-21T03:12:00Z', at],
  ['2026-11-21T03:12:00.123456789Z', at + 123],
  ['2026-11-21T04:12:00+01:00', at],
  ['2026-11-21T04:12:00 01:00', at],
  ['1795230720', at],
  ['1795230720.5', at + 500],
  ['1795230720123', at + 123],
  [' 1795230720 ', at],
  ['2026-11-21 03:12:00 +0000 UTC', at],
  ['2026-11-21 03:12:00 0000 UTC', at],
  ['2026-11-21 04:12:00.5 +0100 CET', at + 500],
  ['2026-11-21 03:12:00 +0000 UTC m=+0.012345', at],
  ['yesterday', null],
  ['2026-02-31T00:00:00Z', null],
  ['-5', null],
  ['1e9', null],
  ['<no value>', null],
  ['', null],
])('%s', (text, expected) => {
  expect(parsePagerTime(text)).toBe(expected);
});
