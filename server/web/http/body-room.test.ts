import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { bodyRoom } from './body-room.ts';

it('has room for bytes until their answer is closed, for one half of them at most', () => {
  const room = bodyRoom({ all: 100, ofOne: 50 });
  const [first, second, third] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
  const shrink = room.enter('a', 40, first);
  expect(room.enter('a', 11, second)).toBeNull();
  shrink?.(10);
  expect(room.enter('a', 40, second)).not.toBeNull();
  expect(room.enter('b', 50, third)).not.toBeNull();
  expect(room.enter('c', 1, new EventEmitter())).toBeNull();
  first.emit('close');
  shrink?.(1);
  expect(room.enter('c', 11, new EventEmitter())).toBeNull();
  expect(room.enter('c', 10, new EventEmitter())).not.toBeNull();
});
