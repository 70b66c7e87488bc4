import { wayTimes } from './alarm-time.ts';
import type { ClusterNaming } from './cluster-naming.ts';
import { objectLabels } from './object-rules.ts';
import { promDuration } from './promql.ts';
import { alarmLabel } from './rule.ts';

/** Word for what the reader must write: no receiver and no Secret is called so, so what is left as it is does not load. */
export const toFillIn = 'fill-in';

function groupBy(naming: ClusterNaming): readonly string[] {
  return ['alertname', ...objectLabels(naming)];
}

const timing = { wait: promDuration(wayTimes.groupWait), interval: '1m', repeat: '4h' } as const;
const down = 'KubeStateMetrics(Down|Absent)';
const absent = 'ReconcilerMetricAbsent';

/** The AlertmanagerConfig of the Prometheus operator: the route, a receiver to be filled in, and what a lost exporter inhibits. */
export function alertmanagerConfig(naming: ClusterNaming): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1alpha1',
    kind: 'AlertmanagerConfig',
    metadata: { name: 'plumbline' },
    spec: {
      route: {
        receiver: 'on-call',
        matchers: [{ name: alarmLabel.name, value: alarmLabel.value, matchType: '=' }],
        groupBy: groupBy(naming),
        groupWait: timing.wait,
        groupInterval: timing.interval,
        repeatInterval: timing.repeat,
      },
      receivers: [{ name: 'on-call', pagerdutyConfigs: [{ routingKey: { name: toFillIn, key: 'routing-key' } }] }],
      inhibitRules: [
        {
          sourceMatch: [{ name: 'alertname', value: down, matchType: '=~' }],
          targetMatch: [{ name: 'alertname', value: absent, matchType: '=' }],
          equal: [naming.label],
        },
      ],
    },
  };
}

/** The same for alertmanager.yml: parts to be put into it. */
export function alertmanagerParts(naming: ClusterNaming): object {
  return {
    route: {
      routes: [
        {
          receiver: toFillIn,
          matchers: [`${alarmLabel.name}="${alarmLabel.value}"`],
          group_by: groupBy(naming),
          group_wait: timing.wait,
          group_interval: timing.interval,
          repeat_interval: timing.repeat,
        },
      ],
    },
    inhibit_rules: [
      { source_matchers: [`alertname=~"${down}"`], target_matchers: [`alertname="${absent}"`], equal: [naming.label] },
    ],
  };
}
