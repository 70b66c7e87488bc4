import { describe, expect, it } from 'vitest';
import { brokenObjectOf, detailOf, objectOf, refOf } from '#test/contract/store-records.ts';
import { createPacker } from './packer.ts';
import { createDetailPacker, createDetailReader, storedDetail } from './packed-detail.ts';

/** A store's strings: an id for each, however batches number them. */
function store() {
  const strings: string[] = [];
  const ids = new Map<string, number>();
  function idOf(string: string): number {
    const known = ids.get(string) ?? 1000 + strings.push(string) - 1;
    ids.set(string, known);
    return known;
  }
  return { strings, idOf, read: createDetailReader((id) => strings[id - 1000] ?? '') };
}

const details = Array.from({ length: 40 }, (_, number) =>
  detailOf((number % 3 === 0 ? brokenObjectOf : objectOf)(refOf('c1', number)), {
    passes: [number],
    seen: { at: null },
  }),
);

describe('packed details', () => {
  it('come back equal from several batches, whatever number a string has in each', () => {
    const packer = createDetailPacker(createPacker());
    const { strings, idOf, read } = store();
    const stored: Uint8Array[] = [];
    for (let from = 0; from < details.length; from += 8) {
      packer.begin();
      const packed = details.slice(from, from + 8).map((detail, index) => packer.pack(detail, `owner-${from + index}`));
      const inBatch = packer.strings();
      stored.push(...packed.map((one) => storedDetail(one, (position) => idOf(inBatch[position] ?? ''))));
    }
    expect(stored.map(read)).toStrictEqual(details);
    expect(new Set(strings).size).toBe(strings.length);
    const own = stored.slice(16).map((one) => one.length);
    expect(Math.max(...own)).toBeLessThan(JSON.stringify(details[0]).length / 4);
  });

  it('of which a part is missing say so', () => {
    const packer = createDetailPacker(createPacker());
    packer.begin();
    const [first] = details;
    const { idOf, read } = store();
    const whole = first && storedDetail(packer.pack(first, 'a'), (position) => idOf(packer.strings()[position] ?? ''));
    expect(() => read(whole?.subarray(0, whole.length - 9) ?? new Uint8Array())).toThrow('packed value');
    expect(() => read(new Uint8Array())).toThrow('cut short');
  });
});
