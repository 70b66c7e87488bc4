import { expect, it } from 'vitest';
import { factKey } from '#lib/domain/alarm/fact.ts';
import {
  alarmBatchOf,
  alarmSourceOf,
  alertOf,
  callOf,
  coverageOf,
  everyFact,
} from '#test/contract/alarms/alarm-records.ts';
import { decodeFact } from './decode-alarms.ts';
import { encodeAlarms, encodeFact, largestFact, mergeAlarms } from './encoded-alarms.ts';

it('reads every fact as it was written', () => {
  expect(everyFact.map((fact) => decodeFact(encodeFact(fact).body ?? ''))).toEqual(everyFact);
});

it.each([
  ['x', largestFact, true],
  ['x', largestFact + 1, false],
  ['é', largestFact, true],
  ['é', largestFact + 2, false],
])('keeps of a fact full of %s with %i bytes the text: %s', (letter, bytes, fits) => {
  const empty = { ...alertOf(1), labels: { a: '' } };
  const room = bytes - Buffer.byteLength(JSON.stringify(empty));
  const wide = Buffer.byteLength(letter);
  const value = letter.repeat(Math.floor(room / wide)) + 'x'.repeat(room % wide);
  const fact = { ...empty, labels: { a: value } };
  expect(Buffer.byteLength(JSON.stringify(fact))).toBe(bytes);
  expect(encodeFact(fact).body !== null).toBe(fits);
});

it('takes of two batches the later word on each fact, also where it was removed', () => {
  const older = alarmBatchOf({
    at: 1,
    source: alarmSourceOf('prom'),
    put: [alertOf(1), alertOf(2), alertOf(3)],
    removed: [factKey(alertOf(4)), factKey(alertOf(5))],
  });
  const newer = alarmBatchOf({
    at: 2,
    put: [alertOf(1, 'pending'), alertOf(4)],
    removed: [factKey(alertOf(2)), factKey(alertOf(5))],
  });
  const merged = mergeAlarms(encodeAlarms(older), encodeAlarms(newer));
  const put = [alertOf(1, 'pending'), alertOf(3), alertOf(4)];
  const removed = [4, 5, 2].map((number) => factKey(alertOf(number)));
  expect(merged).toEqual(encodeAlarms(alarmBatchOf({ at: 2, source: older.source, put, removed })));
});

it('takes the end of a call once, and coverage that says the same again not', () => {
  const call = callOf('prom', 1, 0);
  const [first, second] = [
    alarmBatchOf({ calls: [call, callOf('prom', 2, 0)], coverage: [coverageOf('prom', 0, true)] }),
    alarmBatchOf({
      calls: [{ ...call, to: call.from + 9 }, callOf('prom', 1, 20)],
      coverage: [coverageOf('prom', 5, true), coverageOf('prom', 9, false), coverageOf('prom', 12, true)],
    }),
  ];
  const merged = mergeAlarms(mergeAlarms(encodeAlarms(first), encodeAlarms(second)), encodeAlarms(first));
  expect(merged.calls).toEqual([{ ...call, to: call.from + 9 }, callOf('prom', 2, 0), callOf('prom', 1, 20)]);
  expect(merged.coverage.map(({ at, read }) => [at - call.from, read])).toEqual([
    [0, true],
    [9, false],
    [12, true],
    [0, true],
  ]);
});
