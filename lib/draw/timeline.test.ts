import { describe, expect, it } from 'vitest';
import { marksOf, tickEvery, worstOf, type Stretch, type TimelineState } from './timeline.ts';

const period = { from: 0, to: 1000 };
const stretch = (from: number, to: number, state: TimelineState): Stretch => ({ from, to, state });
const shown = (marks: readonly { from: number; to: number; state: string; events: number }[]): string[] =>
  marks.map(({ from, to, state, events }) => `${from}-${to} ${state}${events === 1 ? '' : ` x${events}`}`);

describe('marks of a lane', () => {
  it.each<[string, Stretch[], string[]]>([
    [
      'what is long enough stands at its true scale',
      [stretch(0, 400, 'converged'), stretch(400, 430, 'diverged'), stretch(430, 1000, 'converged')],
      ['0-400 converged', '400-430 diverged', '430-1000 converged'],
    ],
    [
      'one that is too short stands alone',
      [stretch(0, 400, 'converged'), stretch(400, 401, 'stale'), stretch(401, 1000, 'converged')],
      ['0-400 converged', '400-401 stale', '401-1000 converged'],
    ],
    [
      'short neighbours are one mark under the worst of them, and counted',
      [
        stretch(0, 400, 'converged'),
        stretch(400, 402, 'behind'),
        stretch(402, 405, 'converged'),
        stretch(405, 406, 'diverged'),
        stretch(406, 1000, 'converged'),
      ],
      ['0-400 converged', '400-406 diverged x2', '406-1000 converged'],
    ],
    [
      'gathering ends where the mark is wide enough',
      [
        ...Array.from({ length: 10 }, (_, n) => stretch(n * 20, n * 20 + 20, n % 2 === 0 ? 'waiting' : 'converged')),
        stretch(200, 1000, 'converged'),
      ],
      ['0-40 waiting', '40-80 waiting', '80-120 waiting', '120-160 waiting', '160-200 waiting', '200-1000 converged'],
    ],
    [
      'what is not seen hides nothing worse, and is never hidden by what is in order',
      [
        stretch(0, 500, 'converged'),
        stretch(500, 501, 'unobserved'),
        stretch(501, 502, 'converged'),
        stretch(502, 1000, 'converged'),
      ],
      ['0-500 converged', '500-502 unobserved', '502-1000 converged'],
    ],
    ['what lies outside falls away', [stretch(-50, 0, 'stale'), stretch(0, 1000, 'converged')], ['0-1000 converged']],
  ])('%s', (_name, stretches, marks) => {
    expect(shown(marksOf(stretches, period, 100))).toEqual(marks);
  });

  it('are never more than the pixels, however much happened, and lose no event', () => {
    const many = Array.from({ length: 100_000 }, (_, n) =>
      stretch(n / 100, (n + 1) / 100, n % 2 === 0 ? 'converged' : 'stale'),
    );
    const marks = marksOf(many, period, 300);
    expect(marks.length).toBeLessThanOrEqual(300);
    expect(marks.reduce((sum, { events }) => sum + events, 0)).toBe(50_000);
    expect(marks[0]?.from).toBe(0);
    expect(marks.at(-1)?.to).toBe(1000);
  });
});

describe('several objects as one lane', () => {
  it.each<[string, Stretch[][], string[]]>([
    ['nothing there', [], ['0-1000 absent 0']],
    [
      'the worst of them, and how many are in it',
      [
        [stretch(0, 1000, 'converged')],
        [stretch(0, 300, 'converged'), stretch(300, 600, 'diverged'), stretch(600, 1000, 'converged')],
        [stretch(200, 500, 'diverged'), stretch(500, 700, 'stale')],
      ],
      [
        '0-200 converged 2',
        '200-300 diverged 1',
        '300-500 diverged 2',
        '500-600 diverged 1',
        '600-700 stale 1',
        '700-1000 converged 2',
      ],
    ],
    [
      'an object that came later and went is missing, not in order',
      [[stretch(100, 200, 'converged')]],
      ['0-100 absent 0', '100-200 converged 1', '200-1000 absent 0'],
    ],
    [
      'what is not recorded gives way to what is',
      [[stretch(0, 500, 'not-recorded'), stretch(500, 1000, 'converged')], [stretch(0, 1000, 'converged')]],
      ['0-500 converged 1', '500-1000 converged 2'],
    ],
  ])('%s', (_name, objects, lane) => {
    expect(worstOf(objects, period).map(({ from, to, state, objects: n }) => `${from}-${to} ${state} ${n}`)).toEqual(
      lane,
    );
  });
});

describe('ticks', () => {
  const hour = 3_600_000;
  it.each([
    [6 * hour, 8, hour],
    [24 * hour, 8, 3 * hour],
    [7 * 24 * hour, 8, 24 * hour],
    [90 * 24 * hour, 8, 14 * 24 * hour],
    [10 * 60_000, 8, 5 * 60_000],
  ])('of %i ms, at most %i: every %i ms', (length, most, every) => {
    expect(tickEvery({ from: 0, to: length }, most)).toBe(every);
  });
});
