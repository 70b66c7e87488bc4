import { expect, it } from 'vitest';
import { systemClock } from '#server/runtime/clock.ts';
import { stepTurns } from './step-turns.ts';

/** Questions whose steps take so long (ms) each; tells in which order steps were made, by their names. */
async function asked(questions: Readonly<Record<string, { readonly steps: number; readonly each: number }>>) {
  let now = 0;
  const turns = stepTurns({ ...systemClock, now: () => now });
  let made = '';
  await Promise.all(
    Object.entries(questions).map(async ([name, { steps, each }]) => {
      const question = turns.begin();
      for (let step = 1; step <= steps; step += 1) {
        made += name;
        now += each;
        if (step < steps) await turns.turn(question);
      }
    }),
  );
  return made;
}

it('what took least time is next, and what waits longest now and then', async () => {
  expect(await asked({ a: { steps: 4, each: 100 }, b: { steps: 4, each: 100 } })).toBe('abababab');
  const made = await asked({ l: { steps: 100, each: 100 }, s: { steps: 40, each: 1 } });
  const whileShort = made.slice(0, made.lastIndexOf('s'));
  expect(whileShort.split('l').length - 1).toBe(13);
  expect(made).toHaveLength(140);
});

it('one alone goes on, and others come in later', async () => {
  expect(await asked({ a: { steps: 3, each: 1 } })).toBe('aaa');
});
