import { expect, it } from 'vitest';
import { world, type Step } from '../testing/random-world.ts';

/** One thing that the judge said, how often, and on average: for how long it may be believed, and for how long it has been so (s). */
interface Said {
  readonly first: string;
  times: number;
  believed: number;
  stood: number;
  away: number;
}

/** Everything said over some random histories, alike but for its numbers, in the order of the alphabet; then all that was given as evidence. */
function saidIn(worlds: number, steps: number): readonly string[] {
  const all = new Map<string, Said>();
  const proofs = new Map<string, { readonly first: string; times: number }>();
  const note = ({ now, judgement, clocks }: Step): void => {
    const { verdict, was, reason, sentence, confirmation, drift, validUntil } = judgement;
    const beneath = was === null ? '' : ` over ${was}`;
    const first = `${verdict}${beneath} ${reason}, ${confirmation}, drift ${drift}: ${sentence}`;
    const found = foundIn(all, first, { first, times: 0, believed: 0, stood: 0, away: 0 });
    found.times += 1;
    found.believed += (validUntil ?? now) - now;
    found.stood += now - clocks.onset.time;
    found.away += now - (clocks.away?.time ?? now);
    for (const { from, text } of judgement.evidence)
      foundIn(proofs, `${from}: ${text}`, { first: `${from}: ${text}`, times: 0 }).times += 1;
  };
  for (let seed = 1; seed <= worlds; seed += 1) world(seed, steps, note);
  return [
    ...inOrder(all).map(({ first, times, believed, stood, away }) => {
      const mean = (ms: number): number => Math.round(ms / times / 1000);
      return `${first} ${times} times, believed ${mean(believed)} s, stood ${mean(stood)} s, away ${mean(away)} s`;
    }),
    ...inOrder(proofs).map(({ first, times }) => `${first} ${times} times`),
  ];
}

/** The one found before that differs from a text by no more than its numbers, else the new one. */
function foundIn<T>(all: Map<string, T>, text: string, fresh: T): T {
  const key = text.replaceAll(/\d+/g, '#');
  const found = all.get(key) ?? fresh;
  all.set(key, found);
  return found;
}

function inOrder<T extends { readonly first: string }>(all: ReadonlyMap<string, T>): readonly T[] {
  return [...all.values()].toSorted((a, b) => (a.first < b.first ? -1 : 1));
}

// A change that is meant is written with `vitest run -u` and read in the diff.
it('over random histories the judge says what is kept, as often, and dates it alike', async () => {
  const kept = '../../../test/fixtures/kept/judgements.txt';
  await expect(`${saidIn(24, 120).join('\n')}\n`).toMatchFileSnapshot(kept);
});
