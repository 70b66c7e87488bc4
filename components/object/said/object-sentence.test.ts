import { expect, it } from 'vitest';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { firstBad, wireObject } from '../../testing/wire-object.ts';
import { partsOf } from '../../ui/said-text.tsx';
import { elsewhereSentence } from './object-sentence.tsx';

const cases: readonly (readonly [Verdict, number, number, string])[] = [
  ['diverged', 13, 13, 'Only here: converged on the 13 other clusters.'],
  ['diverged', 1, 1, 'Only here: converged on the other cluster.'],
  ['diverged', 13, 4, 'Converged on 4 of 13 other clusters.'],
  ['diverged', 13, 1, 'Converged on 1 of 13 other clusters.'],
  ['diverged', 13, 0, 'Converged on none of 13 other clusters.'],
  ['converged', 1, 0, 'Not converged on the other cluster.'],
  ['diverged', 0, 0, 'No other cluster has it.'],
  ['converged', 13, 13, 'Converged on the 13 other clusters too.'],
  ['converged', 13, 12, 'Converged on 12 of 13 other clusters.'],
];

it.each(cases)('%s here, on %i others %i converged: %s', (verdict, clusters, converged, text) => {
  expect(
    elsewhereSentence({ object: wireObject({ verdict }), elsewhere: { clusters, converged, atCommit: null } }),
  ).toBe(text);
});

const atCommit: readonly (readonly [Verdict, number, number, number, string])[] = [
  ['diverged', 13, 13, 0, 'Only here: converged on the 13 other clusters at 9f31c07.'],
  ['diverged', 1, 1, 0, 'Only here: converged on the other cluster at 9f31c07.'],
  ['diverged', 13, 11, 2, 'Away from git on 3 of 14 clusters at 9f31c07.'],
  ['diverged', 13, 10, 2, 'Away from git on 3 of 14 clusters at 9f31c07; not confirmed on 1.'],
  ['diverged', 13, 0, 13, 'Away from git on all 14 clusters at 9f31c07.'],
  ['diverged', 13, 12, 0, 'Converged on 12 of 13 other clusters at 9f31c07; not confirmed on 1.'],
  ['diverged', 0, 0, 0, 'Converged on 9 of 13 other clusters.'],
  ['suspended', 13, 11, 2, 'Converged on 11 of 13 other clusters at 9f31c07.'],
  ['converged', 13, 13, 0, 'Converged on 9 of 13 other clusters.'],
];

it.each(atCommit)(
  '%s here, at its commit %i others, %i converged, %i away: %s',
  (verdict, clusters, converged, away, text) => {
    const elsewhere = { clusters: 13, converged: 9, atCommit: { commit: firstBad, clusters, converged, away } };
    expect(elsewhereSentence({ object: wireObject({ verdict }), elsewhere })).toBe(text);
  },
);

it.each<readonly [string, readonly string[], readonly string[]]>([
  ['a path ./apps/web failed', ['./apps/web'], ['a path ', './apps/web', ' failed']],
  ['apps/web', ['apps', 'apps/web'], ['', 'apps/web', '']],
  ['web, and web', ['web'], ['', 'web', ', and ', 'web', '']],
  ['nothing', ['', 'else'], ['nothing']],
  ['of (a+)+$ and [^]*', ['(a+)+$', '[^]*'], ['of ', '(a+)+$', ' and ', '[^]*', '']],
])('%j is cut at %j into %j', (text, words, parts) => {
  expect(partsOf(text, words)).toEqual(parts);
});

it('is cut at a word of any length', () => {
  const path = 'a('.repeat(150_000);
  expect(partsOf(`failed: ${path}.`, [path])).toEqual(['failed: ', path, '.']);
});
