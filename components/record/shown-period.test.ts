import { describe, expect, it } from 'vitest';
import { hour } from '#lib/domain/time/length.ts';
import { chosen, panned, periodFrom, periodParams, zoomed } from './shown-period.ts';

const now = Date.UTC(2026, 10, 21, 3, 0, 0);
const period = { from: now - 10 * hour, to: now - 6 * hour };

describe('the period in an address', () => {
  it.each([
    [{}, {}],
    [{ last: '7d' }, { last: '7d' }],
    [{ last: '8d' }, {}],
    [{ from: '2026-11-20T00:00:00Z' }, { from: '2026-11-20T00:00:00Z' }],
    [
      { last: '7d', to: '2026-11-20T00:00:00Z' },
      { last: '7d', to: '2026-11-20T00:00:00Z' },
    ],
    [{ from: 'yesterday', to: '2026-11-20' }, {}],
    [{ from: '2026-11-21T00:00:00Z', to: '2026-11-20T00:00:00Z' }, {}],
    [{ last: ['7d', '6h'] }, {}],
  ])('%j asks for %j', (params, asked) => {
    expect(periodParams(periodFrom(params))).toEqual(asked);
  });
});

describe('on the timeline', () => {
  it.each([
    ['nearer', zoomed(period, 0.5, now), '2026-11-20T18:00:00Z', '2026-11-20T20:00:00Z'],
    ['farther', zoomed(period, 2, now), '2026-11-20T15:00:00Z', '2026-11-20T23:00:00Z'],
    ['nearer where it ends now', zoomed({ from: now - 6 * hour, to: now }, 0.5, now), '2026-11-21T00:00:00Z', ''],
    ['never nearer than a minute', zoomed({ from: now - 60_000, to: now }, 0.5, now), '2026-11-21T02:59:00Z', ''],
    ['earlier', panned(period, -0.5, now), '2026-11-20T15:00:00Z', '2026-11-20T19:00:00Z'],
    ['later', panned(period, 0.5, now), '2026-11-20T19:00:00Z', '2026-11-20T23:00:00Z'],
    ['never later than now', panned(period, 4, now), '2026-11-20T23:00:00Z', ''],
    [
      'what was drawn',
      chosen({ from: now - 3 * hour, to: now - hour }, now),
      '2026-11-21T00:00:00Z',
      '2026-11-21T02:00:00Z',
    ],
  ])('%s', (_name, found, from, to) => {
    expect(found).toEqual({ last: '', from, to });
  });
});
