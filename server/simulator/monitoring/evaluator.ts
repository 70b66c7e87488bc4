import type { Labels } from '#lib/domain/alarm/fact.ts';
import { minute } from '#lib/domain/time/length.ts';
import type { Scheduler } from '../controllers/scheduler.ts';
import { annotationsOf } from './alerting-rule.ts';
import type { AlertingRule, Sample } from './alerting-rule.ts';
import type { RuleAlert, RuleGroup, RuleStanding, SentAlert } from './board.ts';
import { labelsKey } from './series.ts';
import type { Series } from './series.ts';

/** An alert of a rule. Times in ms since the epoch. */
interface Active {
  readonly labels: Labels;
  readonly annotations: Labels;
  value: number;
  state: 'pending' | 'firing' | 'inactive';
  readonly activeAt: number;
  firedAt: number | null;
  resolvedAt: number | null;
  sentAt: number;
}

/** Parts that rules are evaluated with. Durations in ms. */
export interface EvaluatorDeps {
  readonly scheduler: Scheduler;
  readonly interval: number;
  readonly rules: readonly AlertingRule[];
  /** Everything that was scraped, as it is now. */
  series(): Iterable<Series>;
  /**
   * Since when an alert has been true that is there at the first evaluation (ms), as Prometheus knows it from ALERTS_FOR_STATE when it
   * starts; null: it begins now.
   */
  restored(rule: AlertingRule, labels: Labels): number | null;
  send(alerts: readonly SentAlert[]): void;
}

/** Time between two sendings of an alert that goes on firing, and for which one that is over is still sent (ms). */
const resendDelay = minute;
const resolvedRetention = 15 * minute;

interface Evaluated {
  readonly rule: AlertingRule;
  readonly alerts: Map<string, Active>;
  error: string | null;
  evaluatedAt: number;
}

function labelsOf({ name, labels }: AlertingRule, sample: Sample): Labels {
  return { ...sample.labels, ...labels, alertname: name };
}

/** Brings the alerts of a rule up to what its expression gives at `now`, as Prometheus does (rules/alerting.go Eval). */
function update(
  { rule, alerts }: Evaluated,
  samples: readonly Sample[],
  now: number,
  since: (labels: Labels) => number | null,
): void {
  const found = new Map(samples.map((sample) => [labelsKey(labelsOf(rule, sample)), sample]));
  for (const [key, sample] of found) {
    const known = alerts.get(key);
    if (known && known.state !== 'inactive') {
      known.value = sample.value;
      continue;
    }
    const labels = labelsOf(rule, sample);
    const begun = { labels, annotations: annotationsOf(rule, labels), value: sample.value };
    const activeAt = Math.min(now, since(labels) ?? now);
    alerts.set(key, { ...begun, state: 'pending', activeAt, firedAt: null, resolvedAt: null, sentAt: -Infinity });
  }
  for (const [key, alert] of alerts) {
    if (!found.has(key)) {
      const isOver = alert.resolvedAt !== null && now - alert.resolvedAt > resolvedRetention;
      // One that was missing once while it waited begins anew.
      if (alert.state === 'pending' || isOver) alerts.delete(key);
      else if (alert.state === 'firing') {
        alert.state = 'inactive';
        alert.resolvedAt = now;
        alert.sentAt = -Infinity;
      }
    } else if (alert.state === 'pending' && now - alert.activeAt >= rule.holds) {
      alert.state = 'firing';
      alert.firedAt = alert.activeAt + rule.holds;
    }
  }
}

function sentOf({ rule, alerts }: Evaluated, now: number, interval: number): readonly SentAlert[] {
  return [...alerts.values()].flatMap((alert): SentAlert[] => {
    const { labels, annotations, firedAt, resolvedAt } = alert;
    if (firedAt === null || now - alert.sentAt < resendDelay) return [];
    alert.sentAt = now;
    const endsAt = resolvedAt ?? now + 4 * Math.max(interval, resendDelay);
    return [{ labels, annotations, startsAt: firedAt, endsAt, query: rule.query }];
  });
}

function* alertsOf({ alerts }: Evaluated): Generator<RuleAlert> {
  for (const { labels, annotations, state, activeAt, value } of alerts.values())
    if (state !== 'inactive') yield { labels, annotations, state, activeAt, value };
}

function standingOf(one: Evaluated): RuleStanding {
  const { rule, error, evaluatedAt } = one;
  return { rule, health: error === null ? 'ok' : 'err', error, evaluatedAt, alerts: () => alertsOf(one) };
}

/** Evaluates all rules now and then each interval, until the scheduler stops. */
export function startEvaluator({ scheduler, interval, rules, series, restored, send }: EvaluatorDeps) {
  const all = rules.map((rule): Evaluated => ({ rule, alerts: new Map(), error: null, evaluatedAt: 0 }));

  function evaluate(isFirst: boolean): void {
    const now = scheduler.now();
    const scraped = [...series()];
    for (const one of all) {
      const outcome = one.rule.evaluate(scraped);
      one.evaluatedAt = now;
      one.error = 'error' in outcome ? outcome.error : null;
      if ('error' in outcome) continue;
      update(one, outcome.samples, now, (labels) => (isFirst ? restored(one.rule, labels) : null));
      const sent = sentOf(one, now, interval);
      if (sent.length > 0) send(sent);
    }
    scheduler.after(interval, () => evaluate(false));
  }

  evaluate(true);
  return {
    /** Groups of rules, each with its alerts as they are now. */
    groups: (): readonly RuleGroup[] =>
      [...Map.groupBy(all, ({ rule }) => `${rule.file};${rule.group}`).values()].flatMap((inGroup): RuleGroup[] => {
        const [first] = inGroup;
        if (!first) return [];
        const { file, group } = first.rule;
        return [{ file, name: group, interval, rules: inGroup.map(standingOf) }];
      }),
  };
}
