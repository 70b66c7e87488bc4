import { expect, it } from 'vitest';
import type { Verdict } from '#lib/domain/verdict.ts';
import { wireObject } from '../testing/wire-object.ts';
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
  expect(elsewhereSentence({ object: wireObject({ verdict }), elsewhere: { clusters, converged } })).toBe(text);
});
