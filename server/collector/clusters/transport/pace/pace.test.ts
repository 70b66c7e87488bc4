import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { createPace } from './pace.ts';

function paced() {
  const clock = fakeClock(0);
  const pace = createPace(clock, clock.now);
  const told: string[] = [];
  const stream = (name: string) => ({
    pause: () => told.push(`${name} rests`),
    resume: () => told.push(`${name} goes on`),
  });
  const work = (name: string, ms: number) => pace.run(stream(name), () => clock.advance(ms));
  return { clock, pace, work, taken: () => told.splice(0) };
}

it('has a stream rest for as long as the work took that it asked for, and none for little work', () => {
  const { clock, work, taken } = paced();
  work('a', 19);
  expect(taken()).toEqual([]);
  work('a', 100);
  clock.advance(99);
  expect(taken()).toEqual(['a rests']);
  clock.advance(1);
  expect(taken()).toEqual(['a goes on']);
});

it('all streams of a cluster rest for the work of all, and for what was done besides', () => {
  const { clock, pace, work, taken } = paced();
  work('a', 100);
  work('b', 50);
  pace.charge(200);
  clock.advance(299);
  expect(taken()).toEqual(['a rests', 'b rests']);
  clock.advance(1);
  expect(taken()).toEqual(['a goes on', 'b goes on']);
  pace.charge(30);
  work('c', 1);
  expect(taken()).toEqual(['c rests']);
});

it('no stream rests for more than 5 s', () => {
  const { clock, work, taken } = paced();
  work('a', 60_000);
  clock.advance(5_000);
  expect(taken()).toEqual(['a rests', 'a goes on']);
});

it('work that fails asks for a rest like any other', () => {
  const { clock, pace } = paced();
  let rests = 0;
  const stream = { pause: () => rests++, resume: () => undefined };
  const failing = (): never => {
    clock.advance(50);
    throw new Error('no');
  };
  expect(() => pace.run(stream, failing)).toThrow('no');
  expect(rests).toBe(1);
});
