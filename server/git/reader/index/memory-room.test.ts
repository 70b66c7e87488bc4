import { expect, it } from 'vitest';
import { createMemoryRoom, type RoomMember } from './memory-room.ts';

interface Sized extends RoomMember {
  readonly name: string;
  size: number;
}

function bed(gone: string[]) {
  const room = createMemoryRoom({ all: 100, reading: 40 });
  const member = (name: string, size: number, isFound = true): Sized => {
    const made: Sized = {
      ...{ name, size, isFound, weight: () => made.size },
      letGo() {
        gone.push(name);
        made.size = 0;
      },
    };
    room.enter(made);
    return made;
  };
  return { room, member };
}

it('lets go of the largest of those that were found, until one that is read has room', () => {
  const gone: string[] = [];
  const { room, member } = bed(gone);
  for (const [name, size] of [
    ['small', 5],
    ['large', 45],
    ['middle', 30],
  ] as const)
    member(name, size);
  const next = member('next', 0);
  expect([room.reserve(next), gone]).toEqual([true, ['large']]);
  next.size = 20;
  room.settle(next);
  expect([gone, room.fits(5), room.fits(45)]).toEqual([['large'], true, true]);
  next.size = 45;
  expect(room.fits(45)).toBe(false);
});

it('lets none that is configured go for one that was found', () => {
  const gone: string[] = [];
  const { room, member } = bed(gone);
  member('own', 70, false);
  const found = member('found', 0);
  expect([room.reserve(found), gone]).toEqual([false, []]);
  const other = member('other', 0, false);
  expect([room.reserve(other), gone]).toEqual([true, ['own']]);
});

it('lets one go that has grown itself, where it is the largest', () => {
  const gone: string[] = [];
  const { room, member } = bed(gone);
  member('small', 30);
  const grown = member('grown', 80);
  room.settle(grown);
  expect(gone).toEqual(['grown']);
});
