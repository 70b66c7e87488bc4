import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { passTurns } from './pass-turns.ts';

/** Turns over a clock, with hubs whose passes take so long (ms); tells who passed, and when. */
function beside() {
  const clock = fakeClock(0);
  let elapsed = 0;
  const turns = passTurns(clock, () => elapsed);
  const told: string[] = [];
  const hub = (name: string, each: number) => {
    const key = {};
    return {
      ask: () =>
        turns.ask(key, () => {
          told.push(name);
          elapsed += each;
        }),
      leave: () => turns.leave(key),
    };
  };
  return { clock, told, hub };
}

it('sixty that are dear pass one after the other, with as long a rest after each', () => {
  const { clock, told, hub } = beside();
  for (let n = 0; n < 60; n += 1) hub(`dear ${n}`, 300).ask();
  expect(told).toHaveLength(1);
  clock.advance(299);
  expect(told).toHaveLength(1);
  clock.advance(1);
  expect(told).toHaveLength(2);
  clock.advance(60 * 300);
  expect(new Set(told).size).toBe(60);
});

it('once it is known who is cheap, that one waits for one pass of the others at most', () => {
  const { clock, told, hub } = beside();
  const dear = Array.from({ length: 20 }, (_, n) => hub(`dear ${n}`, 300));
  const cheap = hub('cheap', 1);
  for (const one of [cheap, ...dear]) one.ask();
  clock.advance(20 * 310);
  expect(new Set(told).size).toBe(21);
  for (let round = 0; round < 20; round += 1) {
    for (const one of dear) one.ask();
    const before = told.length;
    cheap.ask();
    clock.advance(310);
    expect(told.slice(before)).toContain('cheap');
  }
  expect(told.filter((name) => name !== 'cheap').length).toBeGreaterThan(35);
});

it('asked again while it waits a hub passes once, and one that left does not', () => {
  const { clock, told, hub } = beside();
  const [a, b, c] = [hub('a', 60), hub('b', 60), hub('c', 60)];
  for (const one of [a, b, b, c]) one.ask();
  c.leave();
  clock.advance(1_000);
  expect(told).toEqual(['a', 'b']);
});

it('one that comes anew passes in its turn, and not alone until it has taken as much as those before it', () => {
  const { clock, told, hub } = beside();
  /** Asks again 250 ms after each time. */
  const goesOn = (one: ReturnType<typeof hub>): void => {
    one.ask();
    void clock.after(250, () => goesOn(one));
  };
  goesOn(hub('old', 20));
  clock.advance(60_000);
  goesOn(hub('fresh', 300));
  told.length = 0;
  clock.advance(2_000);
  expect(told.filter((name) => name === 'fresh').length).toBeGreaterThan(2);
  expect(told.filter((name) => name === 'old').length).toBeGreaterThan(2);
});
