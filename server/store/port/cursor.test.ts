import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type CursorState } from './cursor.ts';

describe('cursor', () => {
  it('comes back as it was', () => {
    const cursorState: CursorState = {
      store: '0b1c2d3e',
      after: 41,
      positions: new Map([
        [1, { seq: 5, confirmation: 0, floor: 0 }],
        [1000, { seq: Number.MAX_SAFE_INTEGER, confirmation: 7, floor: 99 }],
      ]),
    };
    expect(decodeCursor(encodeCursor(cursorState))).toEqual(cursorState);
  });

  it('of a store without clusters comes back', () => {
    const cursorState: CursorState = { store: 'x', after: 0, positions: new Map() };
    expect(decodeCursor(encodeCursor(cursorState))).toEqual(cursorState);
  });

  it('of 1,000 clusters of 1,000 objects takes less than 14 KB', () => {
    const positions = new Map(
      Array.from({ length: 1000 }, (_, index) => [index + 1, { seq: 123_456, confirmation: 654_321, floor: 0 }]),
    );
    expect(encodeCursor({ store: '0b1c2d3e-0000-4000-8000-000000000000', after: 7, positions }).length).toBeLessThan(
      14_000,
    );
  });

  it.each([
    '',
    '1',
    '2:x:0:',
    '1::0:',
    '1:x::',
    '1:x:0:1',
    '1:x:0:1.2',
    '1:x:0:1.2.-3',
    '1:x:0:1.2.3.é',
    '1:x:0:1.2.3:y',
    '1:x:0:,',
  ])('is none in %j', (text) => expect(decodeCursor(text)).toBeNull());
});
