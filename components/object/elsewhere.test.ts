import { expect, it } from 'vitest';
import type { Verdict } from '#lib/domain/verdict.ts';
import { firstBad, wireObject } from '../testing/wire-object.ts';
import { elsewhereSentence } from './elsewhere.ts';

const cases: readonly (readonly [Verdict, number, number, string])[] = [
  ['diverged', 13, 13, 'Only here: 13 other clusters run it converged.'],
  ['diverged', 1, 1, 'Only here: the other cluster runs it converged.'],
  ['diverged', 13, 4, '4 of 13 other clusters have it converged.'],
  ['diverged', 13, 1, '1 of 13 other clusters has it converged.'],
  ['diverged', 13, 0, 'None of 13 other clusters has it converged.'],
  ['diverged', 0, 0, 'No other cluster has it.'],
  ['converged', 13, 13, 'So it is on 13 other clusters that have it.'],
  ['converged', 13, 12, '12 of 13 other clusters have it converged.'],
];

it.each(cases)('%s here, on %i others %i converged: %s', (verdict, clusters, converged, text) => {
  expect(
    elsewhereSentence({ object: wireObject({ verdict }), elsewhere: { clusters, converged, atCommit: null } }),
  ).toBe(text);
});

const atCommit: readonly (readonly [Verdict, number, number, number, string])[] = [
  ['diverged', 13, 13, 0, 'Only here: 13 other clusters run 9f31c07, all converged.'],
  ['diverged', 1, 1, 0, 'Only here: the other cluster at 9f31c07 is converged.'],
  ['diverged', 13, 11, 2, 'So it is on 3 of 14 clusters at 9f31c07.'],
  ['diverged', 13, 10, 2, 'So it is on 3 of 14 clusters at 9f31c07; of 1 that cannot be said.'],
  ['diverged', 13, 0, 13, 'Everywhere: so it is on all 14 clusters at 9f31c07.'],
  ['diverged', 13, 12, 0, '12 of 13 other clusters at 9f31c07 are converged; of 1 that cannot be said.'],
  ['diverged', 0, 0, 0, '9 of 13 other clusters have it converged.'],
  ['suspended', 13, 11, 2, '11 of 13 other clusters at 9f31c07 are converged.'],
  ['converged', 13, 13, 0, '9 of 13 other clusters have it converged.'],
];

it.each(atCommit)(
  '%s here, at its commit %i others, %i converged, %i away: %s',
  (verdict, clusters, converged, away, text) => {
    const elsewhere = { clusters: 13, converged: 9, atCommit: { commit: firstBad, clusters, converged, away } };
    expect(elsewhereSentence({ object: wireObject({ verdict }), elsewhere })).toBe(text);
  },
);
