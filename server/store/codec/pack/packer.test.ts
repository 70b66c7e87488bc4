import { describe, expect, it } from 'vitest';
import { observed, managed, source } from '#lib/domain/testing/observed.ts';
import { begin, receive } from '#lib/domain/observation/track.ts';
import { at } from '#lib/foreign.ts';
import { createPacker } from './packer.ts';

describe('packed values', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['booleans', [true, false]],
    ['small numbers', [0, 1, 47, 48, 127, 128]],
    ['times', [Date.UTC(2026, 10, 21), Number.MAX_SAFE_INTEGER]],
    ['negative numbers', [-1, -300, -Number.MAX_SAFE_INTEGER]],
    ['other numbers', [0.5, -0, 1e300, -1.25e-9, Number.POSITIVE_INFINITY, 2 ** 60]],
    ['numbers as texts', ['0', '7', '48151623', '999999999999999', '9999999999999999', '007', '']],
    ['texts', ['a', 'naïve', 'façade ÿ', 'ünïcode \u{1f9ea} 漢字', '\u0000', '\ud800 alone', 'x'.repeat(70_000)]],
    [
      'texts that repeat',
      ['a message of some length', 'a message of some length', 'short', 'short', 'a message of some length'],
    ],
    ['objects', { a: 1, b: { c: [], d: {} }, e: [{ a: 1 }, { a: 2 }, { b: 1, a: 2 }] }],
    [
      'an observation',
      observed({
        conditions: [
          { type: 'Ready', status: 'True', reason: 'x', message: 'y', lastTransitionTime: 1, observedGeneration: null },
        ],
      }),
    ],
    ['nothing', {}],
    ['what is undefined', { a: undefined, b: [undefined, null] }],
  ])('%s come back equal', (_name, value) => {
    const packer = createPacker();
    for (const owner of ['a', 'b', 'c', 'd', 'e'])
      expect(packer.unpack(packer.pack(value, owner))).toStrictEqual(value);
  });

  it('an observation that is one object in two places is one object again', () => {
    const packer = createPacker();
    const settled = begin(observed(), 1_000, true);
    const unpacked = packer.unpack(packer.pack(settled, 'a'));
    expect(unpacked).toStrictEqual(settled);
    expect(at(unpacked, 'latest')).toBe(at(unpacked, 'settled', 'observation'));
    const moving = receive(settled, observed({ resourceVersion: '2', summary: { said: 'nothing' } }), 2_000);
    expect(packer.unpack(packer.pack(moving, 'a'))).toStrictEqual(moving);
  });

  it('one packer holds values of many kinds side by side', () => {
    const packer = createPacker();
    const values = Array.from({ length: 300 }, (_, index) =>
      [observed, managed, source][index % 3]?.({ uid: `uid-${index}` }),
    );
    const packed = values.map((value, index) => packer.pack(value, `owner-${index}`));
    expect(packed.map((text) => packer.unpack(text))).toStrictEqual(values);
    // What is left is its own: the uid, the names and numbers of its strings.
    const sizes = packed.slice(30).map((text) => text.length);
    expect(Math.max(...sizes)).toBeLessThan(JSON.stringify(observed()).length / 6);
  });
});
