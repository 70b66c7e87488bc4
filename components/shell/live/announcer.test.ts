import { expect, it } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { startAnnouncer } from './announcer.ts';

function announcing() {
  const clock = manualClock();
  const said: string[] = [];
  const announcer = startAnnouncer({ now: clock.now, after: clock.after, say: (text) => said.push(text) });
  return { clock, said, announcer };
}

it('says the first thing at once, then at most one in 30 s, and of what came meanwhile the last', () => {
  const { clock, said, announcer } = announcing();
  announcer.announce('one');
  clock.advance(5000);
  announcer.announce('two');
  announcer.announce('three');
  expect(said).toEqual(['one']);
  clock.advance(24_999);
  expect(said).toEqual(['one']);
  clock.advance(1);
  expect(said).toEqual(['one', 'three']);
  clock.advance(10_000);
  announcer.announce('four');
  expect(said).toEqual(['one', 'three']);
  clock.advance(20_000);
  expect(said).toEqual(['one', 'three', 'four']);
});

it('says nothing after its end', () => {
  const { clock, said, announcer } = announcing();
  announcer.announce('one');
  announcer.announce('two');
  announcer.stop();
  clock.advance(60_000);
  expect(said).toEqual(['one']);
});
