import { describe, expect, it } from 'vitest';
import { createBatchEncoder } from '#server/store/codec/encoded.ts';
import { clusterSource, type WriteResult } from '#server/store/port/port.ts';
import { batchOf, noon } from '#test/contract/store-records.ts';
import { rowsOf, writeQueue, type Queued, type Recorded, type WriteQueue } from './write-queue.ts';

const encode = createBatchEncoder();
const written: WriteResult = { type: 'written' };
const full: WriteResult = { type: 'full', message: 'disk full' };
const fenced: WriteResult = { type: 'fenced' };
const unwritable: WriteResult = { type: 'failed', message: 'NaN', permanent: true };

function filled(clusters: string, rows = 1): { queue: WriteQueue; outcomes: Map<number, Recorded> } {
  const queue = writeQueue();
  const outcomes = new Map<number, Recorded>();
  for (const [index, cluster] of clusters.split('').entries()) {
    const batch = encode(batchOf());
    const entry = { type: 'batch' as const, lease: { source: clusterSource(cluster), holder: 'one', epoch: 1 }, batch };
    queue.add({ entry, rows, since: noon + index, settle: (outcome) => outcomes.set(index, outcome) });
  }
  return { queue, outcomes };
}

function clustersOf(group: readonly Queued[]): string {
  return group.map((queued) => queued.entry.lease.source.name).join('');
}

describe('write queue', () => {
  it.each([
    ['abc', 1, 10, 'abc'],
    ['abc', 1, 2, 'ab'],
    ['abc', 100, 2, 'a'],
    ['', 1, 2, ''],
    ['aaaaab', 1, 2, 'ab'],
    ['aaaabbc', 1, 6, 'abcaba'],
    ['aaaab', 1, 10, 'abaaa'],
  ])('of %s with %i rows each gives for %i rows %j', (clusters, rows, limit, expected) => {
    expect(clustersOf(filled(clusters, rows).queue.next(limit))).toBe(expected);
  });

  it.each<[string, string, WriteResult[], string, WriteResult | null, string[]]>([
    ['all written', 'abab', [written, written, written, written], '', null, []],
    ['all refused: they wait in order', 'abab', [full, full, full, full], 'abab', full, []],
    ['some refused', 'abab', [written, full, written, full], 'bb', full, []],
    ['one fenced: its later ones are lost too', 'abaab', [fenced, written, fenced], 'b', null, ['a']],
    ['one fenced beside one refused', 'abab', [fenced, full], 'bb', full, ['a']],
    ['one unwritable', 'abab', [unwritable, written, unwritable, written], '', null, ['a']],
    ['no results', 'ab', [], 'ab', { type: 'failed', message: 'the thread gave no result' }, []],
  ])('%s', (_name, clusters, results, left, refusal, lost) => {
    const { queue, outcomes } = filled(clusters);
    const group = results.length === 0 ? queue.next(100) : queue.next(100).slice(0, results.length);
    expect(queue.answer(group, results)).toEqual({ refusal, lost: lost.map(clusterSource) });
    expect(clustersOf(queue.next(100))).toBe(left);
    const oldest = left === '' ? null : noon + clusters.split('').findIndex((_, index) => !outcomes.has(index));
    expect(queue.pending()).toEqual({ batches: left.length, rows: left.length, since: oldest });
  });

  it('knows how much of it is of one source', () => {
    const { queue } = filled('abac', 3);
    const rows = () => ['a', 'b', 'd'].map((name) => queue.rowsWaiting(clusterSource(name)));
    expect(rows()).toEqual([6, 3, 0]);
    queue.answer(queue.next(3), [written]);
    expect(rows()).toEqual([3, 3, 0]);
    queue.abandon('fenced', 'gone', clusterSource('b'));
    expect(rows()).toEqual([3, 0, 0]);
  });

  it('tells each what became of it', () => {
    const { queue, outcomes } = filled('abac');
    queue.answer(queue.next(2), [written, fenced]);
    queue.answer(queue.next(1), [unwritable]);
    queue.abandon('stopped', 'the end');
    expect([...outcomes.values()]).toEqual([
      { type: 'written' },
      { type: 'lost', why: 'fenced', message: 'another collector holds it' },
      { type: 'lost', why: 'unwritable', message: 'NaN' },
      { type: 'lost', why: 'stopped', message: 'the end' },
    ]);
  });

  it('counts rows, one for the batch itself', () => {
    const lease = { source: clusterSource('a'), holder: 'one', epoch: 1 };
    const coverage = [{ cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null }];
    expect(rowsOf({ type: 'batch', lease, batch: encode(batchOf({ coverage })) })).toBe(2);
    expect(rowsOf({ type: 'forget', lease, at: noon })).toBe(1);
  });
});
