import type { Matcher } from './fact.ts';
import type { ConditionLabel } from './check/rule-condition.ts';
import type { GroupKind } from '../observation/ref.ts';

/** Where a label of a series is found in an object, as kube-state-metrics walks it: keys, and "[type=Ready]" for an entry of a list. */
export type LabelPath = readonly string[];

/** A condition of Prometheus on a state metric: true for every object that has the fault, whichever labels it lacks. */
export interface StateAlert {
  /** Name of the alert. */
  readonly alert: string;
  /** API groups that it is about; absent for all of the metric. */
  readonly only?: readonly string[];
  /** API groups that it is not about. */
  readonly except?: readonly string[];
  /** It is true where all matchers of any of these lists are. */
  readonly when: readonly (readonly Matcher[])[];
  readonly severity: 'critical' | 'warning';
  /** The end of a sentence that begins with the object. */
  readonly says: string;
  /** Its meaning, a sentence. */
  readonly means: string;
}

/**
 * A metric of kube-state-metrics with one series an object (type Info): its state as labels. A condition that is absent leaves its label out, so
 * alerts ask for what is not "True", never for "False".
 */
export interface StateMetric {
  /** `<prefix>_<name>` is what Prometheus calls it. */
  readonly prefix: string;
  readonly name: string;
  /** Labels of a kind beside its name and namespace. */
  labelsOf(kind: GroupKind): { readonly [label: string]: LabelPath };
  /** Labels of a kind each of which must be alarmed on: one that is good may hide one that is not. */
  conditionsOf(kind: GroupKind): readonly ConditionLabel[];
  readonly alerts: readonly StateAlert[];
}

/** The path of a field of a condition. */
export function conditionPath(type: string, field = 'status'): LabelPath {
  return ['status', 'conditions', `[type=${type}]`, field];
}

/** A matcher on one label. */
export function label(name: string, operator: Matcher['operator'], value: string): Matcher {
  return { name, operator, value };
}

/** The metric of a reconciler whose objects say Ready, with one alert that is called so; `labels` beside ready. */
export function readyMetric(
  prefix: string,
  alert: string,
  labels: { readonly [label: string]: LabelPath } = {},
): StateMetric {
  return {
    prefix,
    name: 'resource_info',
    labelsOf: () => ({ ready: conditionPath('Ready'), ...labels }),
    conditionsOf: () => ['ready'],
    alerts: [
      {
        alert,
        when: [[label('ready', '!=', 'True')]],
        severity: 'critical',
        says: 'is not ready',
        means: 'What is in git is not applied, or what was applied does not work.',
      },
    ],
  };
}
