import { expect, it } from 'vitest';
import { minute } from '../../domain/time/length.ts';
import { stagesOf } from './stages.ts';
import type { WaveCluster, WaveState } from './wave-cluster.ts';

/** A cluster that has a commit after some minutes. */
function of(environment: string, minutes: number | null, state: WaveState = 'converged'): WaveCluster {
  const at = minutes === null ? null : minutes * minute;
  return { cluster: `${environment}-${minutes}`, environment, state, offeredAt: null, firstAt: at, lastAt: at };
}

it.each([
  [
    'whole in staging before production: for how long',
    [of('production', 60), of('staging', 5), of('staging', 10), of('production', null, 'on-its-way')],
    [
      ['staging', 5, 10, ['production', 50]],
      ['production', 60, null, null],
    ],
  ],
  [
    'in production before staging had it whole: no length',
    [of('staging', 5), of('staging', 90), of('production', 60)],
    [
      ['staging', 5, 90, ['production', null]],
      ['production', 60, 60, null],
    ],
  ],
  [
    'not all known when: not whole',
    [of('staging', null), of('staging', 5), of('production', 60)],
    [
      ['staging', 5, null, ['production', null]],
      ['production', 60, 60, null],
    ],
  ],
  [
    'not told of one cluster: not when it came first, for that one may have been before',
    [{ ...of('staging', null), notKnown: 'part-of-cluster' as const }, of('staging', 5), of('production', 60)],
    [
      ['production', 60, 60, null],
      ['staging', null, null, null],
    ],
  ],
  [
    'to two nowhere yet: by name, without a next',
    [of('staging', 5), of('', null, 'on-its-way'), of('sandbox', null, 'stuck')],
    [
      ['staging', 5, 5, null],
      ['sandbox', null, null, null],
      ['', null, null, null],
    ],
  ],
  [
    'whole, though it failed later: that it came stays true',
    [of('staging', 5), of('staging', 10, 'failed-later'), of('production', 60)],
    [
      ['staging', 5, 10, ['production', 50]],
      ['production', 60, 60, null],
    ],
  ],
  ['to none', [], []],
] as const)('a commit that came %s', (_name, clusters, stages) => {
  const min = (at: number | null) => (at === null ? null : at / minute);
  expect(
    stagesOf(clusters).map(({ environment, firstAt, wholeAt, next }) => [
      environment,
      min(firstAt),
      min(wholeAt),
      next === null ? null : [next.environment, min(next.after)],
    ]),
  ).toEqual(stages);
});
