import { expect, it } from 'vitest';
import { minutesAgo, moment } from '../testing/wire-fleet.ts';
import { mirrorText } from './repository-state.ts';

type MirrorState = Parameters<typeof mirrorText>[0];

const current: MirrorState = { state: 'current', reason: null, fetchedAt: minutesAgo(1), failingSince: null };

it.each<[string, Partial<MirrorState>, string]>([
  ['current', {}, 'fetched 1 min ago'],
  ['fetched for the first time', { state: 'first-fetch', fetchedAt: null }, 'being fetched for the first time'],
  [
    'failing',
    {
      state: 'failing',
      reason: 'The server does not answer.',
      fetchedAt: minutesAgo(130),
      failingSince: minutesAgo(125),
    },
    'fetched 2 h 10 min ago; fails for 2 h 5 min: The server does not answer',
  ],
  [
    'failing since nobody knows when',
    { state: 'failing', reason: 'bad credentials', fetchedAt: null },
    'never fetched; fails: bad credentials',
  ],
  ['refused', { state: 'refused', reason: 'it is on loopback' }, 'not fetched: it is on loopback'],
])('a mirror that is %s', (_name, part, words) => {
  expect(mirrorText({ ...current, ...part }, moment)).toBe(words);
});
