import { type GroupKind, kindKey } from '../../observation/ref.ts';
import type { AlarmingFact } from './fact.ts';

/** A kind whose objects say who is called. */
export interface AlarmingKind extends GroupKind {
  readonly type: AlarmingFact['type'];
  /** The plural, as it stands in URLs and in rules of RBAC. */
  readonly resource: string;
}

/** The kinds that are read for what they say of alarms: their objects are not judged and not counted. One entry a kind. */
export const alarmingKinds: readonly AlarmingKind[] = [
  { type: 'notification-alert', group: 'notification.toolkit.fluxcd.io', kind: 'Alert', resource: 'alerts' },
  { type: 'notification-provider', group: 'notification.toolkit.fluxcd.io', kind: 'Provider', resource: 'providers' },
  { type: 'prometheus-rule', group: 'monitoring.coreos.com', kind: 'PrometheusRule', resource: 'prometheusrules' },
  {
    type: 'alertmanager-config',
    group: 'monitoring.coreos.com',
    kind: 'AlertmanagerConfig',
    resource: 'alertmanagerconfigs',
  },
];

const byKey: ReadonlyMap<string, AlarmingKind> = new Map(alarmingKinds.map((kind) => [kindKey(kind), kind]));

/** The entry of a kind; null where it is none that says who is called. */
export function alarmingKind(kind: GroupKind): AlarmingKind | null {
  return byKey.get(kindKey(kind)) ?? null;
}
