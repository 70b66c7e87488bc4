import { minute } from '../../time/length.ts';
import { noon } from '../../testing/observed.ts';
import type { AlertFact, Labels, NoticeFact, ReceiverFact, RuleFact, ScopeFact, ScopeStanding } from '../fact.ts';
import { objectHash } from '../object-hash.ts';
import type { AlarmSource, ProgramStanding } from '../source.ts';
import type { ObjectRef } from '../../observation/ref.ts';

export const prometheusUrl = 'http://prometheus:9090';
export const alertmanagerUrl = 'http://alertmanager:9093';

/** A program that was read a few seconds ago. */
export function program(of: 'prometheus' | 'alertmanager', rest: Partial<ProgramStanding> = {}): ProgramStanding {
  return {
    program: of,
    url: of === 'prometheus' ? prometheusUrl : alertmanagerUrl,
    state: 'live',
    since: noon - 60 * minute,
    reason: null,
    readAt: noon - 5_000,
    validUntil: noon + 55_000,
    ...rest,
  };
}

/** A source for c1. */
export function alarmSource(rest: Partial<AlarmSource> = {}): AlarmSource {
  return {
    name: 'monitoring',
    attribution: { label: 'cluster', aliases: {}, clusters: ['c1'] },
    programs: [program('prometheus'), program('alertmanager')],
    cut: [],
    ...rest,
  };
}

/** A rule over all that gotk_resource_info names, evaluated a few seconds ago. */
export function ruleFact(rest: Partial<RuleFact> = {}): RuleFact {
  const name = rest.name ?? 'FluxReconciliationFailure';
  return {
    type: 'rule',
    key: `flux.yaml;flux;${name}`,
    name,
    group: 'flux',
    file: 'flux.yaml',
    query: 'gotk_resource_info{ready!="True"} == 1',
    holds: 5 * minute,
    interval: 30_000,
    labels: { severity: 'page' },
    health: 'ok',
    error: null,
    evaluatedAt: noon - 10_000,
    selectors: [{ metric: 'gotk_resource_info', scope: 'gotk_resource_info', states: [] }],
    keeps: null,
    firedAt: null,
    ...rest,
  };
}

/** Labels by which kube-state-metrics names an object. */
export function labelsOf(ref: ObjectRef, rest: Labels = {}): Labels {
  return {
    alertname: 'FluxReconciliationFailure',
    cluster: ref.cluster,
    customresource_group: ref.group,
    customresource_kind: ref.kind,
    exported_namespace: ref.namespace,
    name: ref.name,
    ...rest,
  };
}

/** An alert of Prometheus for an object, true for ten minutes. */
export function alertFact(ref: ObjectRef, rest: Partial<AlertFact> = {}): AlertFact {
  return {
    type: 'alert',
    key: `alert of ${ref.name}`,
    rule: ruleFact().key,
    labels: labelsOf(ref),
    state: 'firing',
    activeAt: noon - 10 * minute,
    ...rest,
  };
}

/** The same as an Alertmanager has it, routed to oncall. */
export function noticeFact(ref: ObjectRef, rest: Partial<NoticeFact> = {}): NoticeFact {
  const fingerprint = `f-${ref.name}`;
  return {
    type: 'notice',
    key: `${alertmanagerUrl} ${fingerprint}`,
    alertmanager: alertmanagerUrl,
    fingerprint,
    labels: labelsOf(ref, { severity: 'page' }),
    startsAt: noon - 5 * minute,
    state: 'active',
    silencedBy: [],
    inhibitedBy: [],
    mutedBy: [],
    receivers: ['oncall'],
    ...rest,
  };
}

/** A receiver of the Alertmanager. */
export function receiverFact(name: string, calls: readonly string[]): ReceiverFact {
  return { type: 'receiver', key: `${alertmanagerUrl} ${name}`, alertmanager: alertmanagerUrl, name, calls };
}

/** A scope that was asked for and has these objects. */
export function scopeFacts(scope: string, refs: readonly ObjectRef[]): readonly (ScopeFact | ScopeStanding)[] {
  const clusters = Map.groupBy(refs, ({ cluster }) => cluster);
  const held = Array.from(clusters, ([cluster, of]): ScopeFact => {
    const kinds = Map.groupBy(of, ({ kind }) => kind.toLowerCase());
    const objects = Object.fromEntries(
      Array.from(kinds, ([kind, list]) => [
        kind,
        list.map(({ namespace, name }) => objectHash(namespace, name)).toSorted((a, b) => a - b),
      ]),
    );
    return { type: 'scope', key: `${scope} ${cluster}`, scope, cluster, series: of.length, objects };
  });
  return [{ type: 'scope-standing', key: scope, series: refs.length, reason: null }, ...held];
}
