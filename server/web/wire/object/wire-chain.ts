import type { WireAlarmChain } from '#lib/api/object.ts';
import type { AlarmChain } from '#lib/domain/alarm/chain.ts';
import { alarmLinks } from '#lib/domain/alarm/link.ts';
import { wireTime, wireTimeOrNull } from '../wire-time.ts';
import { wireAlarm } from './wire-object.ts';

/** So many alerts of an object are told. */
const SHOWN = 50;

/** The chain of an object on the wire. */
export function wireChain({ alarm, steps, alerts, isCut, mend, asOf }: AlarmChain): WireAlarmChain {
  return {
    alarm: wireAlarm(alarm),
    steps: steps
      .slice(0, alarmLinks.length)
      .map(({ link, state, text, at }) => ({ link, state, text, at: wireTimeOrNull(at) })),
    alerts: alerts.slice(0, SHOWN).map(({ source, name, by, state, labels, since, receivers }) => ({
      source,
      name,
      by,
      state,
      labels: { ...labels },
      since: wireTime(since),
      receivers: [...receivers],
    })),
    alertsTotal: isCut ? null : alerts.length,
    mend,
    asOf: wireTimeOrNull(asOf),
  };
}
