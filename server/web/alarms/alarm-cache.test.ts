import { describe, expect, it } from 'vitest';
import { alarmBook, type AlarmChange } from '#lib/domain/alarm/alarm-book.ts';
import type { AlertFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import { sampleDiverged, sampleNow } from '../testing/sample.ts';
import { createAlarmCache } from './alarm-cache.ts';
import { divided } from './alarm-change.ts';

function source(name: string): AlarmSource {
  return { name, attribution: { label: 'cluster', aliases: {}, clusters: ['eu-west-3'] }, programs: [], cut: [] };
}

function alert(key: string): AlertFact {
  return { type: 'alert', key, rule: 'r', labels: { cluster: 'c9' }, state: 'firing', activeAt: 0 };
}

function told(name: string, ...keys: readonly string[]): readonly AlarmChange[] {
  return [
    { type: 'alarm-source', source: source(name) },
    ...keys.map((key): AlarmChange => ({ type: 'alarm-fact', source: name, fact: alert(key) })),
  ];
}

const away = sampleDiverged({ name: 'away' });

describe('what alarm sources tell', () => {
  it('is not known until the store was read to its end once', () => {
    const { alarms, apply, settle } = createAlarmCache(alarmBook());
    apply(told('eu', 'a'));
    expect(alarms.alarmOf(away, sampleNow, 0)).toEqual({ state: 'unknown', why: 'not-read' });
    expect([alarms.sources(), alarms.stamp('eu-west-3', sampleNow)]).toEqual([[], -1]);
    expect(settle()).toBe(true);
    expect(alarms.sources().map(({ name }) => name)).toEqual(['eu']);
  });

  it('counts from the next time on that the store was read to its end', () => {
    const { alarms, apply, settle } = createAlarmCache(alarmBook());
    apply(told('eu'));
    settle();
    const before = alarms.stamp('c9', sampleNow);
    apply([...told('us'), { type: 'alarm-fact', source: 'us', fact: alert('b') }]);
    apply([{ type: 'alarm-source-removed', source: 'eu' }]);
    expect([alarms.sources().map(({ name }) => name), alarms.stamp('c9', sampleNow)]).toEqual([['eu'], before]);
    expect(settle()).toBe(true);
    expect(alarms.sources().map(({ name }) => name)).toEqual(['us']);
    expect(alarms.stamp('c9', sampleNow)).toBeGreaterThan(before);
    expect(settle()).toBe(false);
  });

  it('counts only with the row of its source', () => {
    const { alarms, apply, settle } = createAlarmCache(alarmBook());
    apply([{ type: 'alarm-fact', source: 'eu', fact: alert('a') }]);
    settle();
    expect(alarms.alarmOf(away, sampleNow, 0)).toEqual({ state: 'unknown', why: 'none' });
  });

  it('is forgotten with its store, and what waited of it too', () => {
    const { alarms, apply, settle, clear } = createAlarmCache(alarmBook());
    apply(told('eu', 'a'));
    settle();
    const before = alarms.stamp('c9', sampleNow);
    apply(told('us'));
    clear();
    expect(alarms.stamp('c9', sampleNow)).not.toBe(before);
    expect(settle()).toBe(true);
    expect(alarms.sources()).toEqual([]);
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
