import { describe, expect, it } from 'vitest';
import type { Gap } from './gap.ts';
import { layGapsOver, noShares, segmentsOf, sharesOf } from './segments.ts';
import { day as dayLength } from '../time/length.ts';
import { cutAtDays, dayOf } from '../time/utc-day.ts';
import { verdicts, type Verdict } from '../verdict/verdict.ts';

function span(verdict: Verdict, from: number, to: number | null) {
  return { verdict, from, to };
}

function gap(from: number, to: number | null): Gap {
  return { from, to, state: 'unreachable', reason: null };
}

const whole = { from: 0, to: 100 };

describe('segments', () => {
  it.each<{ name: string; spans: ReturnType<typeof span>[]; gaps: Gap[]; period: typeof whole; text: string }>([
    { name: 'nothing', spans: [], gaps: [gap(0, 50)], period: whole, text: '' },
    {
      name: 'spans cut to the period',
      spans: [span('converged', -20, 10), span('diverged', 10, null)],
      gaps: [],
      period: whole,
      text: 'converged 0-10, diverged 10-100',
    },
    {
      name: 'spans outside of it, and empty ones',
      spans: [span('converged', -20, 0), span('diverged', 5, 5), span('stale', 100, null)],
      gaps: [],
      period: whole,
      text: '',
    },
    {
      name: 'a gap within a span',
      spans: [span('converged', 10, 90)],
      gaps: [gap(20, 30)],
      period: whole,
      text: 'converged 10-20, unobserved 20-30, converged 30-90',
    },
    {
      name: 'a gap over the border of two spans',
      spans: [span('converged', 10, 50), span('diverged', 50, 90)],
      gaps: [gap(40, 60)],
      period: whole,
      text: 'converged 10-40, unobserved 40-50, unobserved 50-60, diverged 60-90',
    },
    {
      name: 'gaps that touch, reach over both ends, and one that lasts',
      spans: [span('converged', 10, 50), span('diverged', 60, null)],
      gaps: [gap(0, 20), gap(20, 30), gap(45, 70), gap(80, null)],
      period: whole,
      text: 'unobserved 10-20, unobserved 20-30, converged 30-45, unobserved 45-50, unobserved 60-70, diverged 70-80, unobserved 80-100',
    },
    {
      name: 'a gap that hides all',
      spans: [span('converged', 0, null)],
      gaps: [gap(-5, null)],
      period: whole,
      text: 'unobserved 0-100',
    },
    {
      name: 'an empty period',
      spans: [span('converged', 0, null)],
      gaps: [gap(10, 20)],
      period: { from: 15, to: 15 },
      text: '',
    },
  ])('$name', ({ spans, gaps, period, text }) => {
    const segments = segmentsOf(spans, gaps, period);
    expect(segments.map(({ verdict, from, to }) => `${verdict} ${from}-${to}`).join(', ')).toBe(text);
    for (const segment of segments) expect(segment.verdict === segment.span.verdict).toBe(segment.gap === null);
  });

  it('are what a look at every moment tells, however many gaps there are', () => {
    const gaps = Array.from({ length: 23 }, (_, index) => gap(index * 4 + 1, index * 4 + 2 + (index % 3)));
    const cut = { from: 3, to: 97 };
    for (let from = 0; from < 40; from += 3) {
      const spans = [span('converged', from, from + 31), span('diverged', from + 40, from % 2 === 0 ? null : 90)];
      const segments = segmentsOf(spans, gaps, cut);
      for (let at = 0; at < 100; at++) {
        const lasts = (one: { from: number; to: number | null }): boolean => one.from <= at && (one.to ?? 100) > at;
        const there = at < cut.from || at >= cut.to ? undefined : spans.find(lasts);
        const verdict = there === undefined ? undefined : gaps.some(lasts) ? 'unobserved' : there.verdict;
        expect(segments.filter(lasts).map((segment) => segment.verdict)).toEqual(
          verdict === undefined ? [] : [verdict],
        );
      }
    }
  });

  it('sums up to how long the object was there', () => {
    const shares = sharesOf(segmentsOf([span('converged', 10, 40), span('stale', 50, null)], [gap(20, 60)], whole));
    expect(shares).toEqual({ ...noShares, converged: 10, unobserved: 30, stale: 40 });
  });
});

it('pieces of no length are none, and nothing is begun with any time of any verdict', () => {
  const visited: (string | number | null)[][] = [];
  const cut = { from: 0, to: 20 };
  const gaps = [gap(-5, 0), gap(5, 5), gap(10, 20), gap(20, 30)];
  layGapsOver({ from: 0, to: null }, gaps, cut, (found, from, to) => visited.push([found && found.from, from, to]));
  expect(visited).toEqual([
    [null, 0, 5],
    [null, 5, 10],
    [10, 10, 20],
  ]);
  expect(noShares).toEqual(Object.fromEntries(verdicts.map((verdict) => [verdict, 0])));
});

describe('UTC days', () => {
  it.each([
    [0, 0],
    [dayLength - 1, 0],
    [dayLength, dayLength],
    [-1, -dayLength],
  ])('%d lies in the day that begins at %d', (time, day) => {
    expect(dayOf(time)).toBe(day);
  });

  it.each([
    { from: 5, to: 5, pieces: [] },
    { from: 5, to: 9, pieces: [[5, 9]] },
    { from: 0, to: dayLength, pieces: [[0, dayLength]] },
    {
      from: 7,
      to: 2 * dayLength + 1,
      pieces: [
        [7, dayLength],
        [dayLength, 2 * dayLength],
        [2 * dayLength, 2 * dayLength + 1],
      ],
    },
  ])('cuts $from to $to', ({ from, to, pieces }) => {
    expect(cutAtDays({ from, to }).map((piece) => [piece.from, piece.to])).toEqual(pieces);
  });
});
