import { expect, it } from 'vitest';
import { noUpstreams } from '#lib/domain/record/upstreams.ts';
import { day, minute } from '#lib/domain/time/length.ts';
import { batchOf, detailOf, noon, objectOf, refOf, transitionOf } from '#test/contract/store-records.ts';
import { alarmBatchOf, callOf } from '#test/contract/alarms/alarm-records.ts';
import { alarmLimits, clusterLimits, spentOn, spentOnAlarms } from './limits.ts';
import { createRowBudget } from './row-budget.ts';

const ref = refOf('eu', 1);

/** Rows of one object that says something, once as a reading and once as a change. */
function batchSaying(message: string) {
  const object = objectOf(ref, { message });
  return batchOf({
    objects: [{ object, detail: { ...detailOf(object), message } }],
    transitions: [transitionOf(ref, noon, { message })],
  });
}

/** An hour in which each of so many objects is read a few times a minute and says so many letters each time; the clause of the pause, null for none. */
function anHour(objects: number, { readings, letters }: { readonly readings: number; readonly letters: number }) {
  const budget = createRowBudget(clusterLimits);
  const one = spentOn(batchSaying('m'.repeat(letters)), objects);
  for (let passed = 0; passed < 60; passed++) {
    const rows = one.map((spent, index) => ({
      ...spent,
      rows: spent.rows * objects * (index % 2 === 0 ? 1 : readings),
    }));
    const over = budget.spend(rows, passed * minute);
    if (over !== null) return over.reason;
  }
  return null;
}

it.each([10, 1_000, 50_000])(
  '%i objects that all fail, each with a message that is new every minute, are read on',
  (objects) => {
    expect(anHour(objects, { readings: 1, letters: 250 })).toBeNull();
  },
);

it('messages without end are a fault with its figure, though their rows are no more than others bring', () => {
  expect(anHour(50_000, { readings: 1, letters: 1_024 })).toContain('letters of changes within the hour');
  const quiet = { ...batchSaying('m'.repeat(1_024)), transitions: [] };
  const budget = createRowBudget(clusterLimits);
  const spent = spentOn(quiet, 50_000).map((one) => ({ ...one, rows: one.rows * 1_000_000 }));
  expect(budget.spend(spent, 0)?.reason).toBe(
    'it brought 2,048,000,000 letters of new readings within the hour; at most 1,700,000,000 are recorded, and it is not read for 10 min',
  );
});

it('what a reading names beside its message counts as far as it is more than usual', () => {
  const letters = (dependsOn: number): number => {
    const named = Array.from({ length: dependsOn }, (_, number) => ({ ...refOf('eu', number), name: 'n'.repeat(100) }));
    const object = objectOf(ref, { message: 'm'.repeat(10), upstreams: { ...noUpstreams, dependsOn: named } });
    return spentOn(batchOf({ objects: [{ object, detail: { ...detailOf(object), message: '' } }] }), 1)[3]?.rows ?? 0;
  };
  expect(letters(0)).toBe(10);
  expect(letters(256) - letters(255)).toBeGreaterThan(100);
  expect(letters(256)).toBeGreaterThan(25_000);
});

it('other objects in all series without end are a fault, though they are few facts and no letters', () => {
  const objects = { kustomization: Array.from({ length: 900_000 }, (_, at) => at) };
  const scope = { type: 'scope', key: 'c1 gotk_a', scope: 'gotk_a', cluster: 'c1', series: 900_000, objects } as const;
  const spent = spentOnAlarms(alarmBatchOf({ put: [scope] }), 100);
  const budget = createRowBudget(alarmLimits);
  const over = Array.from({ length: 300 }, (_, at) => budget.spend(spent, at * 1_000)).find((each) => each !== null);
  expect(over?.reason).toContain('objects in series that change within the hour; at most 201,000,000 are recorded');
});

it('a pause for an hour gives nothing more of the day, and a source that brings calls without end adds a bounded number', () => {
  const budget = createRowBudget(alarmLimits);
  const batch = alarmBatchOf({ calls: Array.from({ length: 1_000 }, (_, n) => callOf('main', n, noon)) });
  const spent = spentOnAlarms(batch, 50_000);
  let added = 0;
  for (let now = 0; now < day;) {
    const over = budget.spend(spent, now);
    added += 1_000;
    now += over?.pause ?? 15_000;
    if (over !== null) budget.resume(now);
  }
  expect(added).toBeLessThanOrEqual(201_000);
});
