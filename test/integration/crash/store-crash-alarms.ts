import { factKey } from '#lib/domain/alarm/fact.ts';
import { second } from '#lib/domain/time/length.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import { alarmBatchOf, alarmSourceOf, alertOf, callOf, coverageOf } from '#test/contract/alarms/alarm-records.ts';

/** So many alerts take turns: each is pending, fires with somebody called, and is over. */
const alerts = 7;

/** The `number`th batch of an alarm source, the same each time it is asked for. */
export function crashAlarms(number: number): AlarmBatch {
  const turn = Math.floor(number / alerts);
  const own = number % alerts;
  const from = (number - (turn % 3) * alerts) * second;
  const coverage = [coverageOf('prom', number * second, turn % 2 === 0)];
  const batch = { source: alarmSourceOf('prom'), coverage };
  switch (turn % 3) {
    case 0:
      return alarmBatchOf({ ...batch, put: [alertOf(own, 'pending')] });
    case 1:
      return alarmBatchOf({ ...batch, put: [alertOf(own, 'firing')], calls: [callOf('prom', own, from)] });
    default: {
      const ended = callOf('prom', own, from);
      const calls = [{ ...ended, to: ended.from + alerts * second }];
      return alarmBatchOf({ ...batch, removed: [factKey(alertOf(own))], calls });
    }
  }
}
