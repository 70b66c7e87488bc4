import type { AlarmingFact } from '#lib/domain/alarm/alarming/fact.ts';
import { alarmingKind } from '#lib/domain/alarm/alarming/kinds.ts';
import { readAlertmanagerConfig } from './declared/read-alertmanager-config.ts';
import { readPrometheusRule } from './declared/read-prometheus-rule.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import type { WatchedKind } from '../clusters/cluster-event.ts';
import { readAlert, readProvider } from './notification.ts';

/** Reads an object of a kind at the API version that is served, from an allow-list of its fields. None throws. */
type AlarmingReader<T extends AlarmingFact['type']> = (
  object: ForeignObject,
  version: string,
  metrics: readonly string[],
) => Extract<AlarmingFact, { readonly type: T }> | null;

const readers: { readonly [T in AlarmingFact['type']]: AlarmingReader<T> } = {
  'notification-alert': readAlert,
  'notification-provider': readProvider,
  'prometheus-rule': (object, _version, metrics) => readPrometheusRule(object, metrics),
  'alertmanager-config': readAlertmanagerConfig,
};

/**
 * Word of an object on who is called; null where it says nothing of it (a PrometheusRule on other metrics), or has no name. `metrics`: how metrics begin
 * that name objects.
 */
export function readAlarming(
  kind: WatchedKind,
  object: ForeignObject,
  metrics: readonly string[],
): AlarmingFact | null {
  const found = alarmingKind(kind);
  return found === null ? null : readers[found.type](object, kind.version, metrics);
}
