import { expect, it } from 'vitest';
import type { RecordedGap } from '../domain/record/figures.ts';
import { recorded } from '../domain/testing/observed.ts';
import { noShares } from '../domain/record/segments.ts';
import type { Span } from '../domain/record/span.ts';
import { endIn, mostUnseen, notSeenOf, observedTime } from './unseen.ts';

const period = { from: 100_000, to: 200_000 };
const cluster = (key: string, unobserved: number) => ({ key, shares: { ...noShares, unobserved } });

function gap(from: number, to: number | null): RecordedGap {
  return { cluster: 'c1', kind: null, from, to, state: 'unreachable', reason: null };
}

it('where most was not seen comes first, five at most, with its five longest gaps', () => {
  const clusters = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((key, at) =>
    cluster(key, at === 0 ? 0 : at === 1 ? 90 : at),
  );
  const gaps = [
    gap(110_000, 111_000),
    gap(120_000, 122_000),
    gap(130_000, 134_000),
    gap(140_000, 143_000),
    gap(150_000, 155_000),
    gap(90_000, 107_000),
    gap(190_000, 250_000),
    gap(199_000, null),
  ];
  const [first, ...others] = notSeenOf(clusters, gaps, period);
  expect(first).toEqual({
    cluster: 'c1',
    unobservedMs: 90,
    gaps: [
      [190, null],
      [100, 107],
      [150, 155],
      [130, 134],
      [140, 143],
    ].map(([from, to]) => ({
      kind: null,
      from: new Date((from ?? 0) * 1000).toISOString(),
      to: typeof to === 'number' ? new Date(to * 1000).toISOString() : null,
      state: 'unreachable',
      reason: null,
    })),
  });
  expect(others.map((one) => [one.cluster, one.unobservedMs, one.gaps])).toEqual([
    ['c6', 6, []],
    ['c5', 5, []],
    ['c4', 4, []],
    ['c3', 3, []],
  ]);
});

it('a cluster that was not seen for a millisecond is told of, one that always was is not', () => {
  expect(mostUnseen([cluster('c0', 0), cluster('c1', 1)])).toEqual(['c1']);
});

it.each([
  [null, null],
  [199_999, 199_999],
  [200_000, null],
  [200_001, null],
])('what ended at %s ended within the period at %s', (end, within) => {
  expect(endIn(end, period)).toBe(within);
});

it.each<[what: string, part: Partial<Span>, within: number, observed: number]>([
  ['it lies within the period, and a gap in it', {}, 60_000, 50_000],
  ['it reaches over both ends of the period', { from: 50_000, to: 250_000 }, 100_000, 80_000],
  ['it lasts', { to: null }, 90_000, 70_000],
  ['it is over before the first gap', { to: 120_000 }, 10_000, 10_000],
  ['nobody saw it', { verdict: 'unobserved' }, 60_000, 0],
])('time of a span that was observed, where %s', (_what, part, within, observed) => {
  const span: Span = {
    ref: recorded().ref,
    uid: 'u',
    verdict: 'diverged',
    from: 110_000,
    to: 170_000,
    onset: { time: 110_000, bound: 'exact' },
    reason: '',
    message: null,
    commit: null,
    attempted: null,
    rootCause: null,
    ...part,
  };
  const gaps = [gap(130_000, 140_000), gap(180_000, 190_000), { ...gap(110_000, 200_000), cluster: 'c2' }];
  expect(observedTime(span, gaps, period)).toEqual({ within, observed });
});
