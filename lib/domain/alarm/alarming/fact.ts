import type { AlertmanagerConfigFact, PrometheusRuleFact } from '../declared/declared.ts';

/** One entry of `spec.eventSources` of an Alert: objects whose events it tells. */
export interface EventSource {
  readonly kind: string;
  /** That of the Alert where the entry names none. */
  readonly namespace: string;
  /** '*': whatever the name. */
  readonly name: string;
  /** Labels that an object must have: "app=orders"; [] where it asks for none. */
  readonly labels: readonly string[];
}

/** An Alert of Flux: which events are sent, and by which Provider. Times in ms since the epoch. */
export interface NotificationAlert {
  readonly type: 'notification-alert';
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: number | null;
  readonly suspended: boolean;
  /** Its condition Ready; null where its API version has no status. */
  readonly ready: boolean | null;
  /** info: events of every severity; error: only errors; other: none, for no event has another severity. */
  readonly severity: 'info' | 'error' | 'other';
  readonly sources: readonly EventSource[];
  /** It has more event sources than are kept. */
  readonly more: boolean;
  /** Patterns of which a message must match one, [] for none; null where they are not kept whole. */
  readonly including: readonly string[] | null;
  /** Patterns of which a message must match none; null where they are not kept whole. */
  readonly excluding: readonly string[] | null;
  /** Name of its Provider, in its own namespace. */
  readonly provider: string;
}

/** A Provider of Flux: by what is told. Nothing of its address, its channel or its secrets is read. */
export interface NotificationProvider {
  readonly type: 'notification-provider';
  readonly namespace: string;
  readonly name: string;
  readonly suspended: boolean;
  /** Its condition Ready; null where its API version has no status. */
  readonly ready: boolean | null;
  /** By what it tells: "slack". */
  readonly calls: string;
}

/** An object of a cluster that says who is called, and has no verdict of its own. */
export type AlarmingFact = NotificationAlert | NotificationProvider | PrometheusRuleFact | AlertmanagerConfigFact;

/** All that the objects of one cluster say of who is called. */
export interface Alarming {
  readonly facts: readonly AlarmingFact[];
  /** Types of which there are more than are kept. */
  readonly cut: readonly AlarmingFact['type'][];
}

/** One text for one fact of a cluster. */
export function alarmingKey({ type, namespace, name }: Pick<AlarmingFact, 'type' | 'namespace' | 'name'>): string {
  return `${type}/${namespace}/${name}`;
}
