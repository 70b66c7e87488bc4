import { expect, it } from 'vitest';
import type { CurrentCluster } from '#lib/domain/record/current.ts';
import { knownCluster } from '../testing/moment.ts';
import { sampleCluster, sampleNow } from '../testing/sample.ts';
import { partialTexts } from './partial.ts';

function textsOf(
  ahead: Readonly<Record<string, number | null>>,
  part: Partial<CurrentCluster> = {},
): readonly string[] {
  const clusters = Object.keys(ahead).map((name) => knownCluster(name, []));
  const recordOf = (name: string) => ({ ...sampleCluster(name), clockAhead: ahead[name] ?? null, ...part });
  return partialTexts(clusters, recordOf, sampleNow);
}

it('names a clock that is off by more than 5 s, and no other', () => {
  expect(textsOf({ a: 600_000, b: -6_000, c: 5_000, d: 0, e: null })).toEqual([
    "the clock of a is 10 min ahead of Plumbline's",
    "the clock of b is 6 s behind Plumbline's",
  ]);
});

it('counts many', () => {
  const off = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 60_000]));
  expect(textsOf(off)).toEqual(['the clocks of 6 clusters are off']);
});
