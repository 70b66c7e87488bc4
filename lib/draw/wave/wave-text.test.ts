import { expect, it } from 'vitest';
import { minute } from '../../domain/time/length.ts';
import type { WaveCluster, WaveState } from './wave-cluster.ts';
import { afterText, waveText } from './wave-text.ts';

const made = Date.UTC(2026, 10, 21, 2, 0, 0);

/** A cluster that has a commit after some minutes; null: it is open, or that is not known. */
function after(minutes: number | null, state: WaveState = 'converged'): WaveCluster {
  const at = minutes === null ? null : made + minutes * minute;
  return { cluster: `c${minutes}`, environment: '', state, offeredAt: null, firstAt: at, lastAt: at };
}

it.each([
  [
    'all at different times',
    [after(2), after(9), after(4)],
    '3 of 3 clusters, the first after 2 min, the last after 9 min',
  ],
  ['all at once', [after(2), after(2)], '2 of 2 clusters, after 2 min'],
  ['one', [after(2, 'superseded')], '1 of 1 cluster, after 2 min'],
  [
    'some, others on their way, stuck and not known',
    [after(2), after(null, 'on-its-way'), after(null, 'stuck'), after(1, 'stuck'), after(null, 'unknown')],
    '1 of 5 clusters, after 2 min; 1 on its way; 1 not known; 2 stuck',
  ],
  [
    'one that came, and failed later',
    [after(2), after(4, 'failed-later'), after(null, 'stuck')],
    '1 of 3 clusters, after 2 min; 1 failed later; 1 stuck',
  ],
  ['none', [after(null, 'on-its-way')], '0 of 1 cluster; 1 on its way'],
  [
    'one of which it is not told',
    [{ ...after(null), notKnown: 'part-of-cluster' }, after(2), after(5)],
    '3 of 3 clusters, as far as known the first after 2 min, the last after 5 min',
  ],
  ['there before the record', [after(null), after(5)], '2 of 2 clusters, after 5 min'],
] as const)('an environment with %s', (_name, clusters, words) => {
  expect(waveText(clusters, made)).toBe(words);
});

it.each([
  ['later', 3, 'after 3 min'],
  ['at once', 0, 'after 0 s'],
  ['by a clock that is wrong', -3, 'before its own time'],
])('an arrival %s', (_name, minutes, words) => {
  expect(afterText(made + minutes * minute, made)).toBe(words);
});
