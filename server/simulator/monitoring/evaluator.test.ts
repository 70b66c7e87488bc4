import { describe, expect, it } from 'vitest';
import type { Labels } from '#lib/domain/alarm/fact.ts';
import { minute, second } from '#lib/domain/time/length.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import { startScheduler } from '../controllers/scheduler.ts';
import { each, failing, moreThan } from './alerting-rule.ts';
import type { AlertingRule } from './alerting-rule.ts';
import type { SentAlert } from './board.ts';
import { startEvaluator } from './evaluator.ts';
import type { Series } from './series.ts';

const interval = 15 * second;
const metric = 'gotk_resource_info';

function ruleOf(evaluate: AlertingRule['evaluate'], holds: number): AlertingRule {
  const texts = { file: 'rules.yaml', group: 'flux', name: 'NotReady', query: 'the text is only shown' };
  return {
    ...texts,
    holds,
    labels: { severity: 'page' },
    annotations: { summary: '{{ $labels.name }} fails' },
    evaluate,
  };
}

/** One object whose Ready is told; null: it has no series. */
function ready(status: string | null, more: Labels = {}): readonly Series[] {
  return status === null ? [] : [{ metric, labels: { name: 'apps', ready: status, ...more } }];
}

/** Evaluates a rule once for each scrape; gives what it shows of its alert each time, and what was sent. */
function play(rule: AlertingRule, scrapes: readonly (readonly Series[])[], restored: number | null = null) {
  const clock = fakeClock();
  const start = clock.now();
  let at = -1;
  const sent: SentAlert[] = [];
  const evaluator = startEvaluator({
    scheduler: startScheduler(clock),
    interval,
    rules: [rule],
    series: () => scrapes[++at] ?? [],
    restored: () => (restored === null ? null : start - restored),
    send: (alerts) => void sent.push(...alerts),
  });
  const shown = scrapes.map((_, index) => {
    if (index > 0) clock.advance(interval);
    const [standing] = evaluator.groups()[0]?.rules ?? [];
    const alerts = [...(standing?.alerts() ?? [])];
    const words = alerts.map(({ state, activeAt }) => `${state} since ${(activeAt - start) / second} s`);
    return words.join(', ') || `none (${standing?.health})`;
  });
  const calls = sent.map(({ startsAt, endsAt }) => [(startsAt - start) / second, (endsAt - start) / second]);
  return { shown, calls, sent };
}

const notTrue = each(metric, (labels) => labels['ready'] !== 'True', ['name']);
const isFalse = each(metric, (labels) => labels['ready'] === 'False', null);

describe('an alert of a rule', () => {
  it.each<{
    readonly it: string;
    readonly rule: AlertingRule;
    readonly scrapes: readonly (readonly Series[])[];
    readonly shown: readonly string[];
  }>([
    {
      it: 'is pending within its for, then fires, and is gone when its condition is',
      rule: ruleOf(notTrue, 30 * second),
      scrapes: [ready('True'), ready('False'), ready('False'), ready('False'), ready('True')],
      shown: ['none (ok)', 'pending since 15 s', 'pending since 15 s', 'firing since 15 s', 'none (ok)'],
    },
    {
      it: 'fires at once without a for',
      rule: ruleOf(notTrue, 0),
      scrapes: [ready('False')],
      shown: ['firing since 0 s'],
    },
    {
      it: 'begins its clock anew when it is missing once: False by False, with Unknown between',
      rule: ruleOf(isFalse, 30 * second),
      scrapes: [ready('False'), ready('False'), ready('Unknown'), ready('False'), ready('False'), ready('Unknown')],
      shown: [
        'pending since 0 s',
        'pending since 0 s',
        'none (ok)',
        'pending since 45 s',
        'pending since 45 s',
        'none (ok)',
      ],
    },
    {
      it: 'goes on where the rule takes Unknown and a missing label for not true',
      rule: ruleOf(notTrue, 30 * second),
      scrapes: [ready('False'), ready('Unknown'), [{ metric, labels: { name: 'apps' } }]],
      shown: ['pending since 0 s', 'pending since 0 s', 'firing since 0 s'],
    },
    {
      it: 'is another one with each revision where that is a label',
      rule: ruleOf(isFalse, 30 * second),
      scrapes: [
        ready('False', { revision: 'a' }),
        ready('False', { revision: 'a' }),
        ready('False', { revision: 'b' }),
      ],
      shown: ['pending since 0 s', 'pending since 0 s', 'pending since 30 s'],
    },
    {
      it: 'that fires goes on firing after one missing evaluation only as a new one',
      rule: ruleOf(notTrue, 15 * second),
      scrapes: [ready('False'), ready('False'), ready(null), ready('False')],
      shown: ['pending since 0 s', 'firing since 0 s', 'none (ok)', 'pending since 45 s'],
    },
    {
      it: 'is there only over a number',
      rule: ruleOf(
        moreThan(1, metric, () => true, ['cluster']),
        0,
      ),
      scrapes: [ready('False'), [...ready('False'), ...ready('False', { name: 'infra' })]],
      shown: ['none (ok)', 'firing since 15 s'],
    },
    {
      it: 'never is where its rule cannot be evaluated, or has no series',
      rule: ruleOf(failing('many-to-many matching not allowed'), 0),
      scrapes: [ready('False'), ready('False')],
      shown: ['none (err)', 'none (err)'],
    },
    {
      it: 'never is where no series has its metric',
      rule: ruleOf(
        each('gotk_reconcile_condition', () => true, ['name']),
        0,
      ),
      scrapes: [ready('False')],
      shown: ['none (ok)'],
    },
  ])('$it', ({ rule, scrapes, shown }) => {
    expect(play(rule, scrapes).shown).toEqual(shown);
  });

  it('that was true before the start is as old as that, and fires where its for is over', () => {
    expect(play(ruleOf(notTrue, 2 * minute), [ready('False')], 47 * minute)).toMatchObject({
      shown: ['firing since -2820 s'],
      calls: [[-2700, 240]],
    });
    expect(play(ruleOf(notTrue, 2 * minute), [ready('False')], minute).shown).toEqual(['pending since -60 s']);
  });

  it('is sent when it fires, each minute while it does, and once more when it is over', () => {
    const failingTill = (count: number): readonly (readonly Series[])[] =>
      Array.from({ length: 8 }, (_, index) => ready(index < count ? 'False' : 'True'));
    const { calls, sent } = play(ruleOf(notTrue, 15 * second), failingTill(6));
    expect(calls).toEqual([
      [15, 255],
      [15, 315],
      [15, 90],
    ]);
    expect(sent[0]).toMatchObject({
      labels: { alertname: 'NotReady', name: 'apps', severity: 'page' },
      annotations: { summary: 'apps fails' },
    });
    expect(sent[0]?.labels).not.toHaveProperty('ready');
  });
});
