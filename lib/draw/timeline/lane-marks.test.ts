import { describe, expect, it } from 'vitest';
import { foldObjects, oneObject, type StateShare } from './fold.ts';
import { marksOf } from './lane-marks.ts';
import type { Stretch, TimelineState } from './timeline.ts';

const period = { from: 0, to: 1000 };
const stretch = (from: number, to: number, state: TimelineState): Stretch => ({ from, to, state });

interface Shown {
  readonly from: number;
  readonly to: number;
  readonly changes: number;
  readonly shares: readonly StateShare[];
}

/** "0-400 converged"; of a gathered mark its changes and what it is made of: "400-406 4 changes: diverged 0.5, converged 0.5". */
const shown = (marks: readonly Shown[]): string[] =>
  marks.map(({ from, to, changes, shares }) => {
    const parts = shares.map(({ state, share }) => `${state}${share === 1 ? '' : ` ${share.toFixed(2)}`}`).join(', ');
    return `${from}-${to} ${changes === 0 ? '' : `${changes} changes: `}${parts}`;
  });

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
      'short ones with a hole between them stand alone',
      [stretch(400, 401, 'stale'), stretch(402, 403, 'diverged')],
      ['400-401 stale', '402-403 diverged'],
    ],
    [
      'short neighbours are one mark that tells how much of each it holds, and how many changes',
      [
        stretch(0, 400, 'converged'),
        stretch(400, 402, 'behind'),
        stretch(402, 405, 'converged'),
        stretch(405, 406, 'diverged'),
        stretch(406, 1000, 'converged'),
      ],
      ['0-400 converged', '400-406 2 changes: diverged 0.17, behind 0.33, converged 0.50', '406-1000 converged'],
    ],
    [
      'gathering ends where the mark is wide enough',
      [
        ...Array.from({ length: 10 }, (_, n) => stretch(n * 20, n * 20 + 20, n % 2 === 0 ? 'waiting' : 'converged')),
        stretch(200, 1000, 'converged'),
      ],
      [
        ...[0, 40, 80, 120, 160].map((at) => `${at}-${at + 40} 1 changes: waiting 0.50, converged 0.50`),
        '200-1000 converged',
      ],
    ],
    [
      'what is not seen is never hidden by what is in order',
      [
        stretch(0, 500, 'converged'),
        stretch(500, 501, 'unobserved'),
        stretch(501, 502, 'converged'),
        stretch(502, 1000, 'converged'),
      ],
      ['0-500 converged', '500-502 1 changes: unobserved 0.50, converged 0.50', '502-1000 converged'],
    ],
    ['what lies outside falls away', [stretch(-50, 0, 'stale'), stretch(0, 1000, 'converged')], ['0-1000 converged']],
  ])('%s', (_name, stretches, marks) => {
    expect(shown(marksOf(oneObject(stretches), period, 100))).toEqual(marks);
  });

  it('are never solid where an object came and went: the share of its time is told, not only the worst', () => {
    const flapping = Array.from({ length: 200 }, (_, n) =>
      stretch(n * 5, n * 5 + 5, n % 5 === 0 ? 'diverged' : 'converged'),
    );
    const marks = marksOf(oneObject(flapping), period, 100);
    expect(marks.every(({ changes }) => changes > 0)).toBe(true);
    const diverged = marks.map(({ shares }) => shares.find(({ state }) => state === 'diverged')?.share ?? 0);
    expect(Math.max(...diverged)).toBeLessThan(0.4);
    const time = marks.reduce((sum, { from, to }, index) => sum + (to - from) * (diverged[index] ?? 0), 0);
    expect(time).toBeCloseTo(200);
  });

  it('of several objects keep how many were in which state', () => {
    const good = Array.from({ length: 110 }, () => [stretch(0, 1000, 'converged')]);
    const bad = [stretch(0, 500, 'converged'), stretch(500, 1000, 'diverged')];
    const [, mark] = marksOf(foldObjects([...good, bad], period), period, 100);
    expect(mark).toMatchObject({ from: 500, to: 1000, state: 'diverged', changes: 0, worst: { objects: 1, of: 111 } });
    expect(mark?.shares).toEqual([
      { state: 'diverged', share: 1 / 111 },
      { state: 'converged', share: 110 / 111 },
    ]);
  });

  it('are never more than the pixels, however much happened, and lose no change', () => {
    const many = Array.from({ length: 100_000 }, (_, n) =>
      stretch(n / 100, (n + 1) / 100, n % 2 === 0 ? 'converged' : 'stale'),
    );
    const marks = marksOf(oneObject(many), period, 300);
    expect(marks.length).toBeLessThanOrEqual(300);
    expect(marks.reduce((sum, { changes }) => sum + changes + 1, 0)).toBe(100_000);
    expect(marks[0]?.from).toBe(0);
    expect(marks.at(-1)?.to).toBe(1000);
  });
});
