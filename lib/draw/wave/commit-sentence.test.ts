import { expect, it } from 'vitest';
import type { WaveState } from './wave-cluster.ts';
import { commitSentence, type StandsOn } from './commit-sentence.ts';

const moment = Date.UTC(2026, 10, 21, 2, 59, 14);

const west: StandsOn = { cluster: 'eu-west-3', state: 'stuck', why: 'BuildFailed', since: moment - 12 * 60_000 };

it.each<[string, Partial<Record<WaveState, number>>, readonly StandsOn[], string]>([
  [
    'is partly out',
    { converged: 9, 'on-its-way': 2, stuck: 1 },
    [west],
    'Converged on [9 of 12 clusters]; on its way to [2]; stuck on [1]: eu-west-3, BuildFailed for 12 min.',
  ],
  ['is out', { converged: 12 }, [], 'Converged on [all 12 clusters that it concerns].'],
  ['is out on its one cluster', { converged: 1 }, [], 'Converged on [the 1 cluster that it concerns].'],
  ['has only begun', { 'on-its-way': 3 }, [], 'On its way to [all 3 clusters that it concerns].'],
  [
    'is stuck everywhere, on more than can be named',
    { stuck: 4 },
    [west, { cluster: 'b', state: 'stuck', why: '', since: null }, west, west],
    'Stuck on [all 4 clusters that it concerns]: eu-west-3, BuildFailed for 12 min; b; and 2 more.',
  ],
  [
    'was passed by, and is partly not known',
    { superseded: 3, unknown: 1 },
    [],
    'Superseded on [3 of 4 clusters]; not known on [1].',
  ],
  [
    'is stuck since nobody knows when',
    { converged: 1, stuck: 1 },
    [{ ...west, since: null }],
    'Converged on [1 of 2 clusters]; stuck on [1]: eu-west-3, BuildFailed.',
  ],
  [
    'came and failed later',
    { 'failed-later': 1 },
    [{ ...west, state: 'failed-later', why: 'HealthCheckFailed' }],
    'Failed later on [the 1 cluster that it concerns]: eu-west-3, HealthCheckFailed for 12 min.',
  ],
  [
    'failed later here and is stuck there, each with its own',
    { converged: 7, 'failed-later': 3, stuck: 1 },
    [
      west,
      ...['a', 'b', 'c'].map((cluster) => ({ cluster, state: 'failed-later' as const, why: '', since: null })),
      { ...west, cluster: 'd', state: 'converged' },
    ],
    'Converged on [7 of 11 clusters]; failed later on [3]: a; b; and 1 more; stuck on [1]: eu-west-3, BuildFailed for 12 min.',
  ],
  ['concerns nothing', {}, [], 'It concerns no cluster: nothing that is deployed builds from a file that it changes.'],
])('a commit that %s', (_name, part, clusters, words) => {
  const counts = { stuck: 0, 'failed-later': 0, unknown: 0, 'on-its-way': 0, superseded: 0, converged: 0, ...part };
  const pieces = commitSentence({ counts, clusters }, moment);
  expect(pieces.map(({ text, state }) => (state === null ? text : `[${text}]`)).join('')).toBe(words);
});
