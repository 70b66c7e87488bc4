import { describe, expect, it } from 'vitest';
import { unknownAlarms } from '#lib/domain/alarm/known-object.ts';
import type { AlertFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { sampleDiverged } from '../testing/sample.ts';
import { createAlarmCache, type ToldSource } from './alarm-cache.ts';
import { divided, type AlarmChange } from './alarm-change.ts';

function source(name: string): AlarmSource {
  return { name, attribution: { label: 'cluster', aliases: {}, clusters: [] }, programs: [], cut: [] };
}

function alert(key: string, part: Partial<AlertFact> = {}): AlertFact {
  return { type: 'alert', key, rule: 'r', labels: {}, state: 'firing', activeAt: 0, ...part };
}

function told(name: string, ...keys: readonly string[]): readonly AlarmChange[] {
  return [
    { type: 'alarm-source', source: source(name) },
    ...keys.map((key): AlarmChange => ({ type: 'alarm-fact', source: name, fact: alert(key) })),
  ];
}

/** A cache, and what its answers were made from, each time. */
function started() {
  const clock = fakeClock();
  const made: ReadonlyMap<string, ToldSource>[] = [];
  const makeAlarms = (sources: ReadonlyMap<string, ToldSource>) => {
    made.push(sources);
    return {
      ...unknownAlarms('none'),
      stamp: () => made.length,
      sources: () => [...sources.values()].map((each) => each.source),
    };
  };
  const cache = createAlarmCache({ makeAlarms, clock });
  const facts = () =>
    [...(made.at(-1) ?? new Map<string, ToldSource>())].map(([name, each]) => [name, [...each.facts.keys()]]);
  return { clock, made, cache, facts };
}

describe('what alarm sources tell', () => {
  it('is not known until the store was read to its end once', () => {
    const { cache, made } = started();
    cache.apply(told('eu', 'a'));
    expect(made).toHaveLength(0);
    expect(cache.alarms.alarmOf(sampleDiverged({ name: 'away' }), 0, 0)).toEqual({ state: 'unknown', why: 'not-read' });
    expect(cache.settle()).toBe(true);
    expect(cache.alarms.sources().map(({ name }) => name)).toEqual(['eu']);
  });

  it('is taken in its order: put, changed, removed', () => {
    const { cache, clock, facts, made } = started();
    cache.apply([...told('eu', 'a', 'b'), { type: 'alarm-fact-removed', source: 'eu', key: 'alert/a' }]);
    cache.apply([
      { type: 'alarm-fact', source: 'eu', fact: alert('b', { state: 'pending' }) },
      ...told('us', 'c'),
      { type: 'alarm-fact-removed', source: 'nobody', key: 'alert/a' },
    ]);
    cache.settle();
    expect(facts()).toEqual([
      ['eu', ['alert/b']],
      ['us', ['alert/c']],
    ]);
    expect(made[0]?.get('eu')?.facts.get('alert/b')).toMatchObject({ state: 'pending' });
    cache.apply([{ type: 'alarm-source-removed', source: 'us' }]);
    clock.advance(1_000);
    cache.settle();
    expect(facts()).toEqual([['eu', ['alert/b']]]);
  });

  it('counts only with the row of its source', () => {
    const { cache, facts } = started();
    cache.apply([{ type: 'alarm-fact', source: 'eu', fact: alert('a') }]);
    cache.settle();
    expect(facts()).toEqual([]);
  });

  it('is made into answers at most once a second, and only where something changed', () => {
    const { cache, clock, made } = started();
    expect(cache.settle()).toBe(true);
    clock.advance(5_000);
    expect(cache.settle()).toBe(false);
    cache.apply(told('eu', 'a'));
    expect(cache.settle()).toBe(true);
    cache.apply(told('eu', 'b'));
    clock.advance(999);
    expect(cache.settle()).toBe(false);
    clock.advance(1);
    expect(cache.settle()).toBe(true);
    expect(made).toHaveLength(3);
  });

  it('does not wait for a clock that was set back', () => {
    const { cache, clock, made } = started();
    cache.settle();
    clock.set(clock.now() - 3_600_000);
    cache.apply(told('eu', 'a'));
    expect(cache.settle()).toBe(true);
    expect(made).toHaveLength(2);
  });

  it('that did not change is the same value, and what was told never changes', () => {
    const { cache, clock, made } = started();
    cache.apply([...told('eu', 'a'), ...told('us', 'b')]);
    cache.settle();
    cache.apply([{ type: 'alarm-fact', source: 'us', fact: alert('c') }]);
    clock.advance(1_000);
    cache.settle();
    expect(made[1]?.get('eu')).toBe(made[0]?.get('eu'));
    expect(made[1]?.get('us')).not.toBe(made[0]?.get('us'));
    expect(made[0]?.get('us')?.facts.size).toBe(1);
  });

  it('is forgotten with its store, and what was said of it is told anew', () => {
    const { cache, facts } = started();
    cache.apply(told('eu', 'a'));
    cache.settle();
    const before = cache.alarms.stamp('c');
    cache.clear();
    expect(cache.alarms.stamp('c')).not.toBe(before);
    expect(cache.alarms.sources()).toEqual([]);
    expect(cache.settle()).toBe(true);
    expect(facts()).toEqual([]);
  });
});

it('changes are told apart by what they speak of, each in its order', () => {
  const removed = (cluster: string) => ({ type: 'cluster-removed', cluster }) as const;
  const [first, second] = [...told('eu', 'a')];
  if (!first || !second) throw new Error('there are two');
  expect(divided([removed('a'), first, removed('b'), second])).toEqual({
    ofAlarms: [first, second],
    others: [removed('a'), removed('b')],
  });
});
