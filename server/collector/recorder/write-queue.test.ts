import { describe, expect, it } from 'vitest';
import { encodeAlarms } from '#server/store/codec/alarm/encoded-alarms.ts';
import { createBatchEncoder } from '#server/store/codec/encoded.ts';
import { alarmSource, clusterSource, type WriteResult } from '#server/store/port/port.ts';
import { alarmBatchOf, alertOf, alertsOf, callOf, coverageOf } from '#test/contract/alarms/alarm-records.ts';
import { batchOf, noon } from '#test/contract/store-records.ts';
import { rowsOf, type Queued, type Recorded } from './waiting-writes.ts';
import { writeQueue, type WriteQueue } from './write-queue.ts';

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

it('holds what its cluster writes after a batch in steps until that is done, and lets the others by', () => {
  const queue = writeQueue();
  for (const [cluster, change] of [
    ['a', { setBackTo: noon }],
    ['a', {}],
    ['b', {}],
    ['b', {}],
  ] as const) {
    const lease = { source: clusterSource(cluster), holder: 'one', epoch: 1 };
    const entry = { type: 'batch' as const, lease, batch: encode(batchOf(change)) };
    queue.add({ entry, rows: 1, since: noon, settle: () => undefined });
  }
  const group = queue.next(100);
  expect(clustersOf(group)).toBe('abb');
  queue.answer(group, [{ type: 'written', more: true }, written, written]);
  const again = queue.next(100);
  expect(clustersOf(again)).toBe('a');
  expect(again[0]).toBe(group[0]);
  queue.answer(again, [written]);
  expect(clustersOf(queue.next(100))).toBe('a');
  expect(queue.next(100)[0]).not.toBe(group[0]);
});

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

  it('counts what was given up while it was under way once', () => {
    const { queue } = filled('ab', 3);
    const group = queue.next(100);
    queue.abandon('fenced', 'gone', clusterSource('a'));
    queue.answer(group, [written, written]);
    expect(queue.pending()).toEqual({ batches: 0, rows: 0, since: null });
    expect([queue.clusterRowsWaiting(), queue.rowsWaiting(clusterSource('a'))]).toEqual([0, 0]);
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

  it('keeps a forgetting in its place until nothing is left, and what follows it behind it', () => {
    const { queue } = filled('bab');
    const outcomes: Recorded[] = [];
    const lease = { source: clusterSource('a'), holder: 'one', epoch: 1 };
    const entry = { type: 'forget' as const, lease, at: noon };
    queue.add({ entry, rows: rowsOf(entry), since: noon + 3, settle: (outcome) => outcomes.push(outcome) });
    const batch = { type: 'batch' as const, lease, batch: encode(batchOf()) };
    queue.add({ entry: batch, rows: 1, since: noon + 4, settle: (outcome) => outcomes.push(outcome) });
    const typesOf = (group: readonly Queued[]) => group.map((queued) => queued.entry.type);
    queue.answer(queue.next(10_000), [written, written, written]);
    queue.answer(queue.next(10_000), [{ type: 'written', more: true }]);
    expect([typesOf(queue.next(10_000)), outcomes]).toEqual([['forget'], []]);
    queue.answer(queue.next(10_000), [written]);
    expect([typesOf(queue.next(10_000)), outcomes]).toEqual([['batch'], [{ type: 'written' }]]);
  });

  it('takes one step of one forgetting at a time, after the writes of all others, and no room from them', () => {
    const { queue } = filled('yzy');
    for (const name of ['a', 'b', 'c']) {
      const lease = { source: clusterSource(name), holder: 'one', epoch: 1 };
      queue.add({ entry: { type: 'forget', lease, at: noon }, rows: 500, since: noon, settle: () => undefined });
    }
    expect(queue.clusterRowsWaiting()).toBe(3);
    expect(clustersOf(queue.next(2))).toBe('yza');
    queue.answer(queue.next(10_000), [written, written, written, { type: 'written', more: true }]);
    expect(clustersOf(queue.next(10_000))).toBe('a');
    queue.answer(queue.next(10_000), [written]);
    expect(clustersOf(queue.next(10_000))).toBe('b');
  });

  it('takes no forgetting that it gives up for a loss: another process goes on with it', () => {
    const { queue } = filled('b');
    const lease = { source: clusterSource('a'), holder: 'one', epoch: 1 };
    const outcomes: Recorded[] = [];
    const settle = (outcome: Recorded) => void outcomes.push(outcome);
    queue.add({ entry: { type: 'forget', lease, at: noon }, rows: 500, since: noon, settle });
    expect(queue.abandon('stopped', 'the end')).toBe(1);
    expect(outcomes).toEqual([{ type: 'lost', why: 'stopped', message: 'the end' }]);
  });

  it('counts rows, one for the batch itself, and of a forgetting those of a step', () => {
    const lease = { source: clusterSource('a'), holder: 'one', epoch: 1 };
    const coverage = [{ cluster: 'a', kind: null, at: noon, observed: true, state: 'live', reason: null }];
    expect(rowsOf({ type: 'batch', lease, batch: encode(batchOf({ coverage })) })).toBe(2);
    expect(rowsOf({ type: 'forget', lease, at: noon })).toBe(500);
  });
});

describe('write queue of alarm sources', () => {
  function alarms(
    change: Parameters<typeof alarmBatchOf>[0],
    settle: Queued['settle'] = () => undefined,
    epoch = 1,
  ): Queued {
    const lease = { source: alarmSource('prom'), holder: 'one', epoch };
    const entry = { type: 'alarms' as const, lease, batch: encodeAlarms(alarmBatchOf(change)) };
    return { entry, rows: rowsOf(entry), since: noon, settle };
  }

  it('makes one of what waits of a source, and tells each what became of it', () => {
    const queue = writeQueue();
    const outcomes: string[] = [];
    for (const [at, number] of [1, 2, 3].entries())
      queue.add(alarms({ at, put: [alertOf(number), alertOf(9)] }, ({ type }) => outcomes.push(`${number} ${type}`)));
    expect(queue.pending().batches).toBe(1);
    const [only, ...others] = queue.next(100);
    expect([only?.entry, others]).toMatchObject([{ type: 'alarms', batch: { at: 2, put: { length: 4 } } }, []]);
    queue.answer(queue.next(100), [written]);
    expect(outcomes).toEqual(['1 written', '2 written', '3 written']);
    expect(queue.pending()).toEqual({ batches: 0, rows: 0, since: null });
  });

  it('leaves alone what is under way, and what another lease is of', () => {
    const queue = writeQueue();
    queue.add(alarms({ put: alertsOf(1) }));
    const group = queue.next(100);
    queue.add(alarms({ put: alertsOf(2) }));
    queue.add(alarms({ put: alertsOf(3) }));
    expect(queue.pending().batches).toBe(2);
    expect(group[0]?.entry).toMatchObject({ batch: { put: { length: 1 } } });
    queue.answer(group, [full]);
    queue.add(alarms({ put: alertsOf(4) }, undefined, 2));
    expect(queue.pending().batches).toBe(3);
  });

  it('comes in turn with clusters, which it never holds up, nor they it', () => {
    const queue = filled('aaa', 10).queue;
    for (let round = 0; round < 50; round++) queue.add(alarms({ put: alertsOf(20) }));
    expect(clustersOf(queue.next(40))).toBe('aprom');
    queue.answer(queue.next(40), [written, written]);
    expect(clustersOf(queue.next(40))).toBe('aa');
    queue.add(alarms({ put: alertsOf(5_000) }));
    expect([queue.clusterRowsWaiting(), queue.pending().rows > 5_000]).toEqual([20, true]);
  });

  it('counts what is large as several rows', () => {
    const large = { ...alertOf(1), labels: { summary: 'x'.repeat(50_000) } };
    expect(alarms({ put: [large] }).rows).toBeGreaterThan(50);
    expect(alarms({ put: [alertOf(1)], removed: ['a/b'], calls: [callOf('prom', 1, 0)] }).rows).toBe(4);
  });

  it('keeps no more than 100,000 of what grows with time', () => {
    const queue = writeQueue();
    const outcomes: Recorded[] = [];
    const coverage = Array.from({ length: 60_000 }, (_, at) => coverageOf('prom', at, at % 2 === 0));
    const later = coverage.map((point) => ({ ...point, at: point.at + 60_000 }));
    expect(queue.add(alarms({ coverage }, (outcome) => void outcomes.push(outcome)))).toBe(true);
    expect(queue.add(alarms({ coverage: later }, (outcome) => void outcomes.push(outcome)))).toBe(false);
    const lost = { type: 'lost', why: 'too-much', message: 'more of it waits than is kept' };
    expect([outcomes, queue.pending().rows]).toEqual([[lost, lost], 0]);
  });
});
