import type { WireAlarmChain } from '#lib/api/object.ts';
import type { AlarmChain } from '#lib/domain/alarm/chain.ts';
import { alarmLinks } from '#lib/domain/alarm/link.ts';
import { wireTime, wireTimeOrNull } from '../wire-time.ts';
import { wireAlarm } from './wire-object.ts';

/** So many alerts of an object are told, fewer where they are longer together (UTF-16 units): one alone has up to 64 labels of 1,024. */
const SHOWN = 50;
const LONGEST = 64_000;

/** The chain of an object on the wire. */
export function wireChain({ alarm, steps, alerts, isCut, mend, asOf }: AlarmChain): WireAlarmChain {
  return {
    alarm: wireAlarm(alarm),
    steps: steps
      .slice(0, alarmLinks.length)
      .map(({ link, state, text, at }) => ({ link, state, text, at: wireTimeOrNull(at) })),
    alerts: shown(alerts).map(({ source, name, by, state, labels, since, receivers }) => ({
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

/** The first alerts, as far as there is room, one at least. */
function shown(alerts: AlarmChain['alerts']): AlarmChain['alerts'] {
  let left = LONGEST;
  const found: AlarmChain['alerts'][number][] = [];
  for (const alert of alerts.slice(0, SHOWN)) {
    left -= JSON.stringify([alert.labels, alert.receivers]).length;
    if (left < 0 && found.length > 0) break;
    found.push(alert);
  }
  return found;
}
