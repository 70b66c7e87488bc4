import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { AlarmFact, AlertFact } from '#lib/domain/alarm/fact.ts';
import type { AlarmSource } from '#lib/domain/alarm/source.ts';
import type { AlarmBatch } from '#server/store/port/alarm-batch.ts';
import { alarmSource, type Lease, type StoreWriter } from '#server/store/port/port.ts';
import { noon } from '../store-records.ts';

/** The record of an alarm source with one program. */
export function alarmSourceOf(name: string, change: Partial<AlarmSource> = {}): AlarmSource {
  return {
    name,
    attribution: { label: 'cluster', aliases: { 'prod-eu': 'eu' }, clusters: ['eu', 'us'] },
    programs: [
      {
        program: 'prometheus',
        url: 'https://prometheus.example.org',
        state: 'live',
        since: noon,
        reason: null,
        readAt: noon,
        validUntil: noon + 60_000,
      },
    ],
    cut: [],
    ...change,
  };
}

/** One fact of each type, with what is seldom in it. */
export const everyFact: readonly AlarmFact[] = [
  {
    type: 'rule',
    key: 'flux.yaml/flux/NotReady/0',
    name: 'NotReady',
    group: 'flux',
    file: 'flux.yaml',
    query: 'gotk_resource_info{ready="False"} == 1',
    holds: 300_000,
    interval: 30_000,
    labels: { severity: 'page' },
    health: 'ok',
    error: null,
    evaluatedAt: noon,
    selectors: [
      {
        metric: 'gotk_resource_info',
        scope: 'gotk_resource_info',
        states: [{ name: 'ready', operator: '=', value: 'False' }],
      },
    ],
    keeps: ['name', 'exported_namespace'],
    firedAt: noon - 5,
  },
  {
    type: 'rule',
    key: 'odd/0',
    name: 'Odd',
    group: '',
    file: '',
    query: '1',
    holds: 0,
    interval: 15_000,
    labels: {},
    health: 'err',
    error: 'it cannot be evaluated',
    evaluatedAt: null,
    selectors: null,
    keeps: null,
    firedAt: null,
  },
  alertOf(1),
  {
    type: 'notice',
    key: 'https://am.example.org abc',
    alertmanager: 'https://am.example.org',
    fingerprint: 'abc',
    labels: { alertname: 'NotReady' },
    startsAt: noon,
    state: 'suppressed',
    silencedBy: ['s-1'],
    inhibitedBy: ['def'],
    mutedBy: ['nights'],
    receivers: ['oncall'],
  },
  {
    type: 'silence',
    key: 's-1',
    state: 'active',
    startsAt: noon,
    endsAt: noon + 3_600_000,
    by: 'ada',
    comment: 'upgrade',
    matchers: [{ name: 'alertname', operator: '=~', value: 'Not.*' }],
  },
  {
    type: 'receiver',
    key: 'https://am.example.org oncall',
    alertmanager: 'https://am.example.org',
    name: 'oncall',
    calls: ['pagerduty'],
  },
  {
    type: 'routing',
    key: 'https://am.example.org',
    root: {
      receiver: 'none',
      matchers: [],
      continues: false,
      isWhole: false,
      routes: [
        {
          receiver: 'oncall',
          matchers: [{ name: 'severity', operator: '=', value: 'page' }],
          continues: true,
          isWhole: true,
          routes: [],
        },
      ],
    },
  },
  {
    type: 'scope',
    key: 'gotk_resource_info/eu',
    scope: 'gotk_resource_info',
    cluster: 'eu',
    series: 3,
    objects: { kustomization: [1, 9_007_199_254_740_991], '': [] },
  },
  { type: 'scope-standing', key: 'gotk_resource_info', series: null, reason: 'it takes too long' },
];

/** The `number`th alert of a rule. */
export function alertOf(number: number, state: 'pending' | 'firing' = 'firing'): AlertFact {
  const labels = { alertname: 'NotReady', name: `app-${number}`, exported_namespace: `team-${number % 20}` };
  return { type: 'alert', key: `alert-${number}`, rule: 'flux.yaml/flux/NotReady/0', labels, state, activeAt: noon };
}

/** `count` alerts. */
export function alertsOf(count: number): readonly AlarmFact[] {
  return Array.from({ length: count }, (_, number) => alertOf(number));
}

/** A call for the `number`th Kustomization of a cluster, `from` ms after noon. */
export function callOf(source: string, number: number, from: number, change: Partial<AlarmCall> = {}): AlarmCall {
  return {
    source,
    key: `https://am.example.org/${number}`,
    alert: 'NotReady',
    labels: {
      alertname: 'NotReady',
      cluster: 'eu',
      customresource_kind: 'Kustomization',
      exported_namespace: `team-${number % 20}`,
      name: `app-${number}`,
    },
    cluster: 'eu',
    receivers: ['oncall'],
    readsObjects: true,
    startsAt: noon + from - 30,
    from: noon + from,
    to: null,
    ...change,
  };
}

/** From `at` ms after noon on a source could be read, or not. */
export function coverageOf(source: string, at: number, read: boolean): AlarmCoverage {
  const reason = read ? null : 'it does not answer';
  return { source, at: noon + at, read, clusters: ['eu', 'us'], reason };
}

/** A batch with nothing in it but what is given. */
export function alarmBatchOf(change: Partial<AlarmBatch> = {}): AlarmBatch {
  return { at: noon, source: null, put: [], removed: [], calls: [], coverage: [], ...change };
}

/** Takes the lease of an alarm source; it must be free. */
export async function alarmLease(writer: StoreWriter, name: string, holder = 'one'): Promise<Lease<'alarm-source'>> {
  const taken = await writer.acquire(alarmSource(name), holder, noon, 15_000);
  if (taken === null) throw new Error(`no lease of ${name}`);
  return taken;
}
