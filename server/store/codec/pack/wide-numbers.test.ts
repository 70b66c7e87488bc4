import { describe, expect, it } from 'vitest';
import { packWide, unpackWide } from './wide-numbers.ts';

describe('wide numbers', () => {
  it.each([[[]], [[0]], [[1, 127, 2 ** 31, 2 ** 32 - 1]], [[0, 2 ** 32, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER]]])(
    'come back as they were: %j',
    (values) => {
      expect([...unpackWide(packWide(values))]).toEqual(values);
    },
  );

  it('come back from wherever their bytes lie', () => {
    const bytes = packWide([7, 2 ** 33]);
    const among = new Uint8Array(bytes.length + 3);
    among.set(bytes, 3);
    expect([...unpackWide(among.subarray(3))]).toEqual([7, 2 ** 33]);
  });

  it('take four bytes where they are small', () => {
    expect(packWide([1, 2, 3])).toHaveLength(8 + 3 * 4);
  });
});
