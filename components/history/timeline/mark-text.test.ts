import { expect, it } from 'vitest';
import type { WireOnset } from '#lib/api/object.ts';
import type { WireLaneRow } from '#lib/api/history.ts';
import { whyText } from './mark-text.ts';

const onset: WireOnset = { time: '2026-03-04T05:06:07Z', bound: 'exact', noticedAt: '2026-03-04T05:06:07Z' };
const row: Omit<WireLaneRow, 'steady'> = {
  from: '2026-03-05T00:00:00Z',
  to: '2026-03-06T00:00:00Z',
  state: 'diverged',
  objects: 1,
  of: 1,
  reason: 'BuildFailed',
  commit: null,
  onset,
};

it.each([
  ['2026-11-21T12:00:00Z', 'BuildFailed, since 4 Mar 05:06:07 UTC'],
  // The state is of the same year as its onset, and who reads it is not.
  ['2027-01-01T00:00:00Z', 'BuildFailed, since 4 Mar 2026 05:06:07 UTC'],
])('read at %s an onset is told as %s', (now, expected) => {
  expect(whyText(row, { objects: 1 }, true, Date.parse(now))).toBe(expected);
});
