import { describe, expect, it } from 'vitest';
import { pairsOf } from './pairs.ts';

describe('directories that are the same thing in two environments', () => {
  it.each<readonly [name: string, paths: readonly string[], places: readonly string[], pairs: readonly string[]]>([
    ['by a usual word', ['clusters/staging', 'clusters/production'], [], ['clusters/production = clusters/staging']],
    [
      'each with the first, and not once for all that lies beneath',
      ['apps/dev/web', 'apps/prod/web', 'apps/prod/mail', 'apps/stage/web'],
      [],
      ['apps/prod = apps/stage', 'apps/prod = apps/dev'],
    ],
    [
      'by the name of a cluster',
      ['clusters/us-1/apps', 'clusters/eu-1/infra'],
      ['eu-1', 'us-1'],
      ['clusters/eu-1 = clusters/us-1'],
    ],
    ['by the label of an environment', ['x/blue', 'x/green'], ['blue', 'green'], ['x/blue = x/green']],
    [
      'at every height',
      ['c/production/eu-1/a', 'c/production/us-1/a', 'c/staging/de-1/a'],
      ['eu-1', 'us-1', 'de-1'],
      ['c/production = c/staging', 'c/production/eu-1 = c/production/us-1'],
    ],
    ['at the root', ['production', 'staging/web'], [], ['production = staging']],
    [
      'however the path is written',
      ['./clusters/staging/', 'clusters//production'],
      [],
      ['clusters/production = clusters/staging'],
    ],
    ['not of two parents', ['a/production', 'b/staging'], [], []],
    ['not by a part of a segment', ['clusters/production-1', 'clusters/staging-1'], [], []],
    ['not by what names no place', ['apps/web', 'apps/mail'], [], []],
    ['not of one alone, twice', ['clusters/staging', './clusters/staging'], [], []],
    ['not of none', [], ['eu-1'], []],
  ])('are found %s', (_name, paths, places, pairs) => {
    expect(pairsOf(paths, places).pairs.map(({ left, right }) => `${left} = ${right}`)).toEqual(pairs);
  });

  it('are a hundred at most, and that there are more is told', () => {
    const clusters = Array.from({ length: 200 }, (_, at) => `c-${at}`);
    const { pairs, more } = pairsOf(
      clusters.map((name) => `clusters/${name}`),
      clusters,
    );
    expect([pairs.length, more]).toEqual([100, true]);
  });
});
