import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fakeClock } from '#server/runtime/fake-clock.ts';

import { logRoom } from './log-room.ts';

/** A room over a log of a size, with questions that are answered once they are told to. */
function room() {
  const clock = fakeClock(0);
  const log = { size: 0 };
  const { ask } = logRoom({ clock, sizeOf: () => log.size, most: 100 });
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  const begin = (length: 'long' | 'short', name: string) => {
    void ask(length, () => {
      begun.push(name);
      return new Promise<void>((resolve) => void open.set(name, resolve));
    });
  };
  const end = async (name: string): Promise<void> => {
    open.get(name)?.();
    await turn();
  };
  return { clock, log, begun, begin, end };
}

it('a log that is large begins anew between long questions; short ones wait for that moment alone', async () => {
  const { clock, log, begun, begin, end } = room();
  begin('long', 'a');
  log.size = 100;
  clock.advance(1_000);
  begin('long', 'b');
  begin('short', 'c');
  expect(begun).toEqual(['a', 'c']);
  await end('c');
  await end('a');
  begin('short', 'd');
  begin('long', 'e');
  expect(begun).toEqual(['a', 'c']);
  log.size = 10;
  clock.advance(20);
  await turn();
  expect(begun).toEqual(['a', 'c', 'b', 'd', 'e']);
});

it('goes on after two seconds where it does not begin anew, and is tried again once it has grown by half', async () => {
  const { clock, log, begun, begin } = room();
  log.size = 100;
  begin('short', 'a');
  clock.advance(1_980);
  await turn();
  expect(begun).toEqual([]);
  clock.advance(20);
  await turn();
  expect(begun).toEqual(['a']);
  log.size = 149;
  clock.advance(1_000);
  begin('short', 'b');
  log.size = 150;
  clock.advance(1_000);
  begin('short', 'c');
  expect(begun).toEqual(['a', 'b']);
});

it('a long question that never ends keeps nobody waiting for ever', async () => {
  const { clock, log, begun, begin } = room();
  begin('long', 'a');
  log.size = 100;
  clock.advance(1_000);
  begin('long', 'b');
  clock.advance(5 * 60_000);
  await turn();
  expect(begun).toEqual(['a', 'b']);
});
