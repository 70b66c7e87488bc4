import { describe, expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { keptAnswers } from './kept-answers.ts';

function bench(most: number, weight: number) {
  const clock = fakeClock(1);
  const kept = keptAnswers<string>({ clock, lifetime: 1_000, most, weight });
  const made: number[] = [];
  const ask = (key: number, heavy = 1) =>
    kept.get(key, () => {
      made.push(key);
      return Promise.resolve({ answer: `answer ${key}`, weight: heavy });
    });
  return { clock, kept, made, ask };
}

describe('answers that are kept', () => {
  it('are made once, however many ask at the same time', async () => {
    const { ask, made } = bench(4, 100);
    expect(await Promise.all([ask(1), ask(1), ask(1)])).toEqual(['answer 1', 'answer 1', 'answer 1']);
    expect(made).toEqual([1]);
  });

  it('are made one after another', async () => {
    const { kept } = bench(4, 100);
    let running = 0;
    const make = async () => {
      running += 1;
      await Promise.resolve();
      const together = running;
      running -= 1;
      return { answer: String(together), weight: 1 };
    };
    expect(await Promise.all([1, 2, 3].map((key) => kept.get(key, make)))).toEqual(['1', '1', '1']);
  });

  it('leave after their time', async () => {
    const { ask, made, clock } = bench(4, 100);
    await ask(1);
    clock.advance(1_000);
    await ask(1);
    clock.advance(1);
    await ask(1);
    expect(made).toEqual([1, 1]);
  });

  it('leave when there are too many, the least recently asked first', async () => {
    const { ask, made } = bench(2, 100);
    for (const key of [1, 2, 1, 3, 1, 2]) await ask(key);
    expect(made).toEqual([1, 2, 3, 2]);
  });

  it('leave when they weigh too much together; the newest stays, whatever it weighs', async () => {
    const { ask, made } = bench(9, 10);
    await ask(1, 6);
    await ask(2, 6);
    await ask(2, 6);
    await ask(3, 99);
    await ask(3, 99);
    await ask(1, 6);
    expect(made).toEqual([1, 2, 3, 1]);
  });

  it('are asked for again where they could not be made', async () => {
    const { kept, ask } = bench(4, 100);
    await expect(kept.get(1, () => Promise.reject(new Error('not now')))).rejects.toThrow('not now');
    expect(await ask(1)).toBe('answer 1');
  });
});
