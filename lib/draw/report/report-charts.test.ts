import { describe, expect, it } from 'vitest';
import { noShares } from '../../domain/record/segments.ts';
import { verdicts } from '../../domain/verdict/verdict.ts';
import { axisEnd, dayChart, distributionChart } from './report-charts.ts';
import { day } from '../../domain/time/length.ts';

const october = Date.UTC(2026, 9, 1);

const days = [
  { day: october, shares: { ...noShares, converged: 99, diverged: 1 } },
  { day: october + day, shares: { ...noShares, converged: 50, unobserved: 50 } },
  { day: october + 2 * day, shares: noShares },
  { day: october + 3 * day, shares: { ...noShares, unobserved: 100 } },
];

function marks(chart: string, fill: string): readonly { readonly y: number; readonly w: number; readonly h: number }[] {
  return [...chart.matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" style="fill:([^"]+)"/g)]
    .filter(([, y, , , found]) => found === fill && Number(y) < 150)
    .map(([, y, w, h]) => ({ y: Number(y), w: Number(w), h: Number(h) }));
}

describe('the chart of days', () => {
  const chart = dayChart(days, ['diverged'], 'light');

  it('has a bar only on the day that was not converged, as high as its share of what was observed', () => {
    // 1 % is the end of its axis: the whole of the plot.
    expect(marks(chart, 'var(--c-diverged)')).toMatchObject([{ y: 10, h: 110 }]);
  });

  it('a failure of a thousandth is seen beside one that took the day', () => {
    const uneven = [
      { day: october, shares: { ...noShares, converged: 999, diverged: 1 } },
      { day: october + day, shares: { ...noShares, converged: 10, diverged: 990 } },
    ];
    expect(marks(dayChart(uneven, ['diverged'], 'light'), 'var(--c-diverged)')[0]?.h).toBe(2);
  });

  it('shows in a lane of its own what was seen; where nothing was there, neither', () => {
    const seen = marks(chart, 'var(--c-rule)');
    const unseen = marks(chart, 'var(--c-field)');
    expect(seen.map(({ w }) => w > 0)).toEqual([true, true, false]);
    expect(unseen).toHaveLength(2);
    expect(unseen[0]?.w).toBeCloseTo((unseen[1]?.w ?? 0) / 2, 1);
  });

  it('a minute that was not seen is seen as one', () => {
    const minute = [{ day: october, shares: { ...noShares, converged: 1_000_000, unobserved: 1 } }];
    expect(marks(dayChart(minute, [], 'light'), 'var(--c-field)')).toMatchObject([{ w: 2 }]);
  });

  it('follows the browser into the dark only where it is asked to', () => {
    expect(chart).not.toContain('prefers-color-scheme');
    expect(dayChart(days, ['diverged'], 'auto')).toContain(
      '@media screen and (prefers-color-scheme:dark){svg.chart{--c-ink:',
    );
  });

  it('has a line at nothing, which carries it, and two fainter ones above', () => {
    expect(chart.match(/(?<=<path class=")[^"]+/g)).toEqual(['base', 'grid', 'grid']);
  });

  it('is drawn without patterns, which are pictures of pixels on paper, and names what it shows in lines that fit', () => {
    const all = dayChart(days, [...verdicts], 'light');
    expect(all).not.toContain('url(');
    const places = [...all.matchAll(/<text x="([\d.]+)" y="(\d+)" text-anchor="start">([a-z ]+)<\/text>/g)];
    expect(places.map(([, , , word]) => word)).toEqual(expect.arrayContaining(['diverged', 'not seen']));
    for (const [, x] of places) expect(Number(x)).toBeLessThan(700);
  });

  it('of no days at all is drawn as well', () => {
    expect(dayChart([], [], 'light')).not.toMatch(/NaN|Infinity/);
  });

  it('draws 400 days without a bar outside of it', () => {
    const many = Array.from({ length: 400 }, (_, index) => ({ day: october + index * day, shares: noShares }));
    expect(dayChart(many, [], 'light')).not.toMatch(/NaN|(?:x|y|width|height)="-/);
  });
});

it.each([
  [0, 0.001],
  [0.001, 0.001],
  [0.0101, 0.02],
  [0.61, 1],
])('an axis for %s ends at %s', (highest, end) => {
  expect(axisEnd(highest)).toBe(end);
});

it('a distribution has a bar for each count, an outline for what is still open, and escapes what it is told', () => {
  const chart = distributionChart(
    [
      { text: 'under <5> min', count: 3, open: false },
      { text: 'longer', count: 0, open: false },
      { text: 'still away', count: 1, open: true },
    ],
    'light',
  );
  expect(chart).toContain('under &lt;5&gt; min');
  expect(chart.match(/style="fill:var\(--c-ink\)"/g)).toHaveLength(1);
  expect(chart.match(/stroke-dasharray/g)).toHaveLength(1);
});

it('of a distribution the longest bar takes the whole width, the others their part; words stand before, counts behind', () => {
  const bars = [4, 1].map((count) => ({ text: `${count} of them`, count, open: false }));
  const chart = distributionChart(bars, 'light');
  const numbers = (pattern: RegExp) => [...chart.matchAll(pattern)].map((found) => found.slice(1).map(Number));
  expect(numbers(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)).toEqual([
    [160, 3, 540],
    [160, 21, 135],
  ]);
  expect(numbers(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="end"/g)).toEqual([
    [150, 13],
    [150, 31],
  ]);
  expect(numbers(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="start"/g)).toEqual([
    [708, 13],
    [303, 31],
  ]);
  expect(chart).toContain('viewBox="0 0 760 38"');
  expect(chart).toContain('<path class="base" d="M160 0V36"/>');
});

describe('the days under a chart', () => {
  it.each([
    [8, 8],
    [9, 5],
    [31, 8],
  ])('of %i at most eight are named: %i', (count, named) => {
    const many = Array.from({ length: count }, (_, index) => ({ day: october + index * day, shares: noShares }));
    const texts = [...dayChart(many, [], 'light').matchAll(/<text x="([\d.]+)" y="157"/g)].map(([, x]) => Number(x));
    expect(texts).toHaveLength(named);
    expect(texts[0]).toBe(44);
    expect(Math.max(...texts)).toBeLessThan(730);
  });

  it.each([
    [119, 2],
    [120, 1],
    [238, 1],
    [239, 0],
  ])('of %i bars each leaves a gap of %i to the next', (count, gap) => {
    const many = Array.from({ length: count }, (_, index) => ({
      day: october + index * day,
      shares: { ...noShares, converged: 1 },
    }));
    const [first] = marks(dayChart(many, [], 'light'), 'var(--c-rule)');
    expect(first?.w).toBeCloseTo(716 / count - gap, 1);
  });
});
