import { expect, it } from 'vitest';
import { noon, recorded } from '../../testing/observed.ts';
import { alarmBook } from '../alarm-book.ts';
import type { AlarmFact } from '../fact.ts';
import { alarmSource, noticeFact, program, ruleFact } from '../testing/facts.ts';

const { ref } = recorded();
const attribution = { label: 'cluster', aliases: {}, clusters: [] };
const source = alarmSource({ attribution, programs: [program('prometheus'), program('alertmanager')] });

function noticeOn(cluster: string): AlarmFact {
  return { ...noticeFact({ ...ref, cluster }, { labels: { cluster } }), key: `am ${cluster}` };
}

function bookNaming(count: number) {
  const book = alarmBook();
  const put = (fact: AlarmFact): void => book.apply({ type: 'alarm-fact', source: source.name, fact });
  book.apply({ type: 'alarm-source', source });
  for (let n = 0; n < count; n += 1) put(noticeOn(`c${n}`));
  return { book, put };
}

it('what is told of all clusters of a source is not told one by one of tens of thousands that its alerts name', () => {
  const { book, put } = bookNaming(15_000);
  const [before, other] = [book.stamp('c1', noon), book.stamp('elsewhere', noon)];
  const began = process.threadCpuUsage();
  for (let n = 0; n < 4_000; n += 1) put(ruleFact({ name: `Rule${n}`, key: `k${n}` }));
  const { user } = process.threadCpuUsage(began);
  // One by one it takes half a minute.
  expect(user / 1_000).toBeLessThan(4_000);
  expect(book.stamp('c1', noon)).toBeGreaterThan(before);
  expect(book.stamp('elsewhere', noon)).toBe(other);
});

it('ever new clusters that alerts name and leave again change no stamp of others, until there are very many', () => {
  const { book, put } = bookNaming(10);
  const stamps: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let n = 0; n < 5_000; n += 1) {
      const cluster = `new${round}-${n}`;
      put(noticeOn(cluster));
      book.apply({ type: 'alarm-fact-removed', source: source.name, key: `notice/am ${cluster}` });
    }
    stamps.push(book.stamp('c1', noon));
  }
  expect(new Set(stamps.slice(0, 3)).size).toBe(1);
  expect(new Set(stamps).size).toBe(2);
});

it('a source that names its clusters and turns sick changes the stamp of these alone; one that may speak for any changes all', () => {
  const book = alarmBook();
  const one = (state: 'live' | 'failed', clusters: readonly string[]) =>
    book.apply({
      type: 'alarm-source',
      source: alarmSource({
        name: `of ${clusters.length}`,
        attribution: { ...attribution, clusters },
        programs: [{ ...program('prometheus'), state }],
      }),
    });
  for (const clusters of [['c1'], []]) one('live', clusters);
  const stamps = () => ['c1', 'c2'].map((cluster) => book.stamp(cluster, noon));
  const [c1 = 0, c2 = 0] = stamps();
  one('failed', ['c1']);
  expect(stamps()).toEqual([expect.any(Number), c2]);
  expect(book.stamp('c1', noon)).toBeGreaterThan(c1);
  const before = stamps();
  one('failed', []);
  for (const [index, stamp] of stamps().entries()) expect(stamp).toBeGreaterThan(before[index] ?? Infinity);
});
