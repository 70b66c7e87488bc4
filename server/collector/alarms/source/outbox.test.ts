import { expect, it } from 'vitest';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { ReceiverFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { nothingStored } from '../testing/played-source.ts';
import { createOutbox } from './outbox.ts';

const source: AlarmSource = {
  name: 'main',
  attribution: { label: 'cluster', aliases: {}, clusters: [] },
  programs: [],
  cut: [],
};
const receiver = (name: string, calls: readonly string[] = []): ReceiverFact => ({
  type: 'receiver',
  key: `am ${name}`,
  alertmanager: 'am',
  name,
  calls,
});
const blind: AlarmCoverage = { source: 'main', at: 1, read: false, clusters: [], reason: 'x' };

function call(key: string): AlarmCall {
  const labels = { labels: {}, cluster: null, readsObjects: null };
  return { source: 'main', key, alert: 'a', ...labels, receivers: [], startsAt: 0, from: 1, to: null };
}

it('hands on what differs, once', () => {
  const outbox = createOutbox({ ...nothingStored, facts: [receiver('a'), receiver('b'), receiver('c', ['slack'])] });
  outbox.add([call('x')], [blind]);
  const present = { source, facts: [[receiver('b')], [receiver('c'), receiver('d')]] };
  const first = outbox.batch(present, 5);
  expect(first?.batch).toEqual({
    at: 5,
    source,
    put: [receiver('c'), receiver('d')],
    removed: ['receiver/am a'],
    calls: [call('x')],
    coverage: [blind],
  });
  first?.written();
  expect(outbox.batch(present, 6)).toBeNull();
  expect(outbox.batch({ source: structuredClone(source), facts: structuredClone(present.facts) }, 6)).toBeNull();
});

it('hands on again what was not written, and what was added while it was being written', () => {
  const outbox = createOutbox(nothingStored);
  outbox.add([call('x')], []);
  const present = { source, facts: [[receiver('a')]] };
  outbox.batch(present, 1);
  outbox.add([call('y')], []);
  const second = outbox.batch(present, 2);
  expect(second?.batch).toMatchObject({ put: [receiver('a')], calls: [call('x'), call('y')] });
  outbox.add([call('z')], [blind]);
  second?.written();
  expect(outbox.batch(present, 3)?.batch).toEqual({
    at: 3,
    source: null,
    put: [],
    removed: [],
    calls: [call('z')],
    coverage: [blind],
  });
});

it('tells a fact of two programs once, as by the first', () => {
  const facts = [[receiver('a', ['slack'])], [receiver('a')]];
  expect(createOutbox(nothingStored).batch({ source, facts }, 1)?.batch.put).toEqual([receiver('a', ['slack'])]);
});

it('hands on many calls in several batches, and when the source could be read with the last of them', () => {
  const outbox = createOutbox(nothingStored);
  const calls = Array.from({ length: 12_000 }, (_, number) => call(`k${number}`));
  outbox.add(calls, [blind]);
  const present = { source, facts: [] };
  const told: AlarmCall[] = [];
  const sizes: (readonly [number, number])[] = [];
  for (let next = outbox.batch(present, 1); next !== null; next = outbox.batch(present, 1)) {
    told.push(...next.batch.calls);
    sizes.push([next.batch.calls.length, next.batch.coverage.length]);
    next.written();
    expect(outbox.hasMore()).toBe(told.length < calls.length);
  }
  expect(told).toEqual(calls);
  expect(sizes).toEqual([
    [5_000, 0],
    [5_000, 0],
    [2_000, 1],
  ]);
});
