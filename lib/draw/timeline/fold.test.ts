import { describe, expect, it } from 'vitest';
import { foldObjects, oneObject, worstStretches } from './fold.ts';
import type { Stretch, TimelineState } from './timeline.ts';

const period = { from: 0, to: 1000 };
const stretch = (from: number, to: number, state: TimelineState): Stretch => ({ from, to, state });

describe('several objects as one lane', () => {
  it.each<[string, Stretch[][], string[]]>([
    ['nothing there', [], ['0-1000 absent 0/0']],
    [
      'the worst of them, how many are in it and of how many',
      [
        [stretch(0, 1000, 'converged')],
        [stretch(0, 300, 'converged'), stretch(300, 600, 'diverged'), stretch(600, 1000, 'converged')],
        [stretch(200, 500, 'diverged'), stretch(500, 700, 'stale')],
      ],
      [
        '0-200 converged 2/2',
        '200-300 diverged 1/3',
        '300-500 diverged 2/3',
        '500-600 diverged 1/3',
        '600-700 stale 1/3',
        '700-1000 converged 2/2',
      ],
    ],
    [
      'an object that came later and went is missing, not in order',
      [[stretch(100, 200, 'converged')]],
      ['0-100 absent 0/0', '100-200 converged 1/1', '200-1000 absent 0/0'],
    ],
    [
      'what is not recorded gives way to what is',
      [[stretch(0, 500, 'not-recorded'), stretch(500, 1000, 'converged')], [stretch(0, 1000, 'converged')]],
      ['0-500 converged 1/1', '500-1000 converged 2/2'],
    ],
  ])('%s', (_name, objects, lane) => {
    expect(
      foldObjects(objects, period).map(({ from, to, state, objects: n, of }) => `${from}-${to} ${state} ${n}/${of}`),
    ).toEqual(lane);
  });
});

describe('the worst state of several objects', () => {
  it('goes from one change of it to the next, with the most that were in it at once', () => {
    const lane = foldObjects(
      [
        [stretch(0, 300, 'converged'), stretch(300, 600, 'diverged'), stretch(600, 1000, 'converged')],
        [stretch(0, 400, 'converged'), stretch(400, 500, 'diverged'), stretch(500, 1000, 'converged')],
      ],
      period,
    );
    expect(worstStretches(lane)).toEqual([
      { from: 0, to: 300, state: 'converged', objects: 2, of: 2, steady: true },
      { from: 300, to: 600, state: 'diverged', objects: 2, of: 2, steady: false },
      { from: 600, to: 1000, state: 'converged', objects: 2, of: 2, steady: true },
    ]);
  });
});

it('what is there of one object is one of one, of nothing there none', () => {
  expect(oneObject([stretch(0, 1, 'stale'), stretch(1, 2, 'absent')])).toEqual([
    { ...stretch(0, 1, 'stale'), objects: 1, of: 1, shares: [{ state: 'stale', share: 1 }] },
    { ...stretch(1, 2, 'absent'), objects: 0, of: 0, shares: [{ state: 'absent', share: 1 }] },
  ]);
});

it('objects are told whole, and what does not change is one stretch', () => {
  const objects = [
    [stretch(0, 400, 'stale'), stretch(400, 1000, 'stale')],
    [stretch(0, 400, 'converged'), stretch(400, 700, 'converged'), stretch(700, 1000, 'behind')],
  ];
  const half = { state: 'stale', share: 0.5 };
  const common = { state: 'stale', objects: 1, of: 2 };
  const folded = foldObjects(objects, period);
  expect(folded).toEqual([
    { ...common, from: 0, to: 700, shares: [half, { state: 'converged', share: 0.5 }] },
    { ...common, from: 700, to: 1000, shares: [half, { state: 'behind', share: 0.5 }] },
  ]);
  expect(worstStretches(folded)).toEqual([{ ...common, from: 0, to: 1000, steady: true }]);
});
