import type { Labels, Route } from '../fact.ts';

/** Everything that is kept of any object of the Prometheus operator. */
interface DeclaredObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Its own labels, by which a Prometheus or an Alertmanager selects it. */
  readonly labels: Labels;
  /** When it was last written but for its status, by the API server's clock (ms); null where it does not say. */
  readonly writtenAt: number | null;
  /** Parts that are not read, because a bound was reached or because they cannot be. While there are any nothing is told of what was left out. */
  readonly lost: number;
}

/** An alerting rule of a PrometheusRule that reads metrics which name objects of reconcilers. */
export interface DeclaredRule {
  readonly group: string;
  /** Name of the alert. */
  readonly name: string;
  /** Hash of its expression (`expressionHash`); null where it could not be taken apart. */
  readonly expression: number | null;
  /** For how long its condition must be true before it fires (ms); null where it cannot be read. */
  readonly holds: number | null;
}

/** A PrometheusRule of a cluster. */
export interface PrometheusRuleFact extends DeclaredObject {
  readonly type: 'prometheus-rule';
  readonly rules: readonly DeclaredRule[];
}

/** A receiver of an AlertmanagerConfig: its names and what it calls with, nothing of its addresses or keys. */
export interface DeclaredReceiver {
  readonly name: string;
  /** Names under which an Alertmanager has it, as operators of today and before 2022 write them. */
  readonly loadedAs: readonly string[];
  /** Integrations without "Configs", e.g. ["pagerduty"]. */
  readonly calls: readonly string[];
}

/** An AlertmanagerConfig of a cluster. */
export interface AlertmanagerConfigFact extends DeclaredObject {
  readonly type: 'alertmanager-config';
  /** Its route with the names of receivers as it writes them; null where it has none: the operator takes none of its receivers then. */
  readonly route: Route | null;
  readonly receivers: readonly DeclaredReceiver[];
}

/** A declared object with its cluster. */
export interface Declared<Fact extends PrometheusRuleFact | AlertmanagerConfigFact> {
  readonly cluster: string;
  readonly fact: Fact;
}
