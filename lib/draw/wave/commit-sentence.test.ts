import { expect, it } from 'vitest';
import type { WaveState } from './wave-cluster.ts';
import { commitSentence, type StuckOn } from './commit-sentence.ts';

const moment = Date.UTC(2026, 10, 21, 2, 59, 14);

const west: StuckOn = { cluster: 'eu-west-3', why: 'BuildFailed', since: moment - 12 * 60_000 };

it.each<[string, Partial<Record<WaveState, number>>, readonly StuckOn[], string]>([
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
    [west, { cluster: 'b', why: '', since: null }, west, west],
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
  ['concerns nothing', {}, [], 'It concerns no cluster: nothing that is deployed builds from a file that it changes.'],
])('a commit that %s', (_name, part, stuck, words) => {
  const counts = { stuck: 0, unknown: 0, 'on-its-way': 0, superseded: 0, converged: 0, ...part };
  const pieces = commitSentence({ counts, stuck }, moment);
  expect(pieces.map(({ text, state }) => (state === null ? text : `[${text}]`)).join('')).toBe(words);
});
