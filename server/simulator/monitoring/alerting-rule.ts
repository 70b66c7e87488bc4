import type { Labels } from '#lib/domain/alarm/fact.ts';
import { labelsKey, pick } from './series.ts';
import type { Series } from './series.ts';

/** One element of the vector that an expression gives. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** The vector that an expression gives, or why it cannot be evaluated. */
export type Outcome = { readonly samples: readonly Sample[] } | { readonly error: string };

/** An alerting rule: its PromQL is shown, and `evaluate` does what it says. Durations in ms. */
export interface AlertingRule {
  readonly file: string;
  readonly group: string;
  readonly name: string;
  readonly query: string;
  readonly holds: number;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly evaluate: (series: readonly Series[]) => Outcome;
}

function labelsWithout(series: Series, keeps: readonly string[] | null): Labels {
  return keeps === null ? series.labels : pick(series.labels, keeps);
}

/** `max by (keeps) (metric{...}) == 1`, where `isTrue` stands for the matchers; `keeps` null: without the aggregation. */
export function each(
  metric: string,
  isTrue: (labels: Labels) => boolean,
  keeps: readonly string[] | null,
): AlertingRule['evaluate'] {
  return (all) => {
    const samples = new Map<string, Sample>();
    for (const series of all) {
      if (series.metric !== metric || !isTrue(series.labels)) continue;
      const labels = labelsWithout(series, keeps);
      samples.set(labelsKey(labels), { labels, value: 1 });
    }
    return { samples: [...samples.values()] };
  };
}

/** `count by (keeps) (metric{...}) > over`. */
export function moreThan(
  over: number,
  metric: string,
  isTrue: (labels: Labels) => boolean,
  keeps: readonly string[],
): AlertingRule['evaluate'] {
  return (all) => {
    const samples = new Map<string, Sample>();
    for (const series of all) {
      if (series.metric !== metric || !isTrue(series.labels)) continue;
      const labels = labelsWithout(series, keeps);
      const key = labelsKey(labels);
      samples.set(key, { labels, value: (samples.get(key)?.value ?? 0) + 1 });
    }
    return { samples: [...samples.values()].filter(({ value }) => value > over) };
  };
}

/** An expression whose evaluation fails. */
export function failing(error: string): AlertingRule['evaluate'] {
  return () => ({ error });
}

/** `vector(1)`. */
export const always: AlertingRule['evaluate'] = () => ({ samples: [{ labels: {}, value: 1 }] });

/** Annotations of an alert: the rule's, with the values of the alert's labels in place of `{{ $labels.x }}`. */
export function annotationsOf({ annotations }: AlertingRule, labels: Labels): Labels {
  const filled = (text: string): string =>
    text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');
  return Object.fromEntries(Object.entries(annotations).map(([name, text]) => [name, filled(text)]));
}
