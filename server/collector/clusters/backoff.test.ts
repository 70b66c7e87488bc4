import { expect, it } from 'vitest';
import { createBackoff } from './backoff.ts';
import { defaultTuning } from './tuning.ts';

it('grows by twice from the first pause to the cap, stretched by chance, until it is used no more for long', () => {
  let now = 0;
  let chance = 0;
  const backoff = createBackoff(
    defaultTuning,
    () => now,
    () => chance,
  );
  const pauses = (times: number) => Array.from({ length: times }, () => backoff.next());
  expect(pauses(7)).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000]);
  backoff.reset();
  chance = 0.5;
  expect(pauses(2)).toEqual([1_200, 2_400]);
  now = 2_400 + 120_000;
  expect(pauses(1)).toEqual([4_800]);
  now += 4_800 + 120_001;
  expect(pauses(1)).toEqual([1_200]);
});
