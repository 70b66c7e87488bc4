import { describe, expect, it } from 'vitest';
import { noon } from '../../testing/observed.ts';
import { minute } from '../../time/length.ts';
import { sourceBook, type SourceBook } from '../book/source-book.ts';
import type { AlarmFact, Matcher } from '../fact.ts';
import { expressionHash } from '../selector/expression-hash.ts';
import type { AlarmSource } from '../source.ts';
import { alarmSource, alertmanagerUrl, program, receiverFact, ruleFact } from '../testing/facts.ts';
import type { AlertmanagerConfigFact, PrometheusRuleFact } from './declared.ts';
import { namespaceMend, narrowedRoutes } from './namespace-route.ts';
import { notLoaded } from './not-loaded.ts';

const uid = '5c1e3b0e-7d7c-4f0e-9a63-0d3f6f1a2b3c';
const metadata = {
  ...{ namespace: 'flux-system', name: 'alerts', uid, labels: { release: 'old' } },
  ...{ writtenAt: Date.UTC(2026, 0, 1), lost: 0 },
};
const written = 'max(gotk_resource_info{ready!="True", job="ksm"}) by (name) == 1';

function declared(rest: Partial<PrometheusRuleFact> = {}): PrometheusRuleFact {
  const rule = { group: 'flux', name: 'NotReady', expression: expressionHash(written), holds: 5 * minute };
  return { type: 'prometheus-rule', ...metadata, rules: [rule], ...rest };
}

const file = `/etc/prometheus/rules/prometheus-k8s-rulefiles-0/flux-system-alerts-${uid}.yaml`;
/** As Prometheus prints it. */
const loadedRule = ruleFact({
  ...{ name: 'NotReady', file, key: 'one', holds: 5 * minute },
  query: 'max by (name) (gotk_resource_info{job="ksm",ready!="True"}) == 1',
});

function bookOf(facts: readonly AlarmFact[], source: Partial<AlarmSource> = {}): SourceBook {
  const book = sourceBook(alarmSource(source));
  for (const fact of facts) book.put(fact);
  return book;
}

function told(books: readonly SourceBook[], fact: PrometheusRuleFact | AlertmanagerConfigFact, clusters = ['c1']) {
  const of = clusters.map((cluster) => ({ cluster, fact }));
  const declarations = {
    rules: of.flatMap(({ cluster, fact: one }) => (one.type === 'prometheus-rule' ? [{ cluster, fact: one }] : [])),
    routings: of.flatMap(({ cluster, fact: one }) =>
      one.type === 'alertmanager-config' ? [{ cluster, fact: one }] : [],
    ),
  };
  return notLoaded(books, declarations, noon);
}

/** Speaks for another cluster. */
const elsewhere = { name: 'b', attribution: { label: 'cluster', aliases: {}, clusters: ['c2'] } };
const anywhere = { name: 'b', attribution: { label: 'cluster', aliases: {}, clusters: [] } };

describe('a PrometheusRule', () => {
  it('is loaded where its file is, however Prometheus writes its expression', () => {
    expect(told([bookOf([loadedRule])], declared())).toEqual([]);
  });

  it('is not loaded: what, by whom, and where to look', () => {
    expect(told([bookOf([])], declared())).toEqual([
      {
        ...{ type: 'not-loaded', source: 'monitoring', title: 'PrometheusRule flux-system/alerts', rule: 'NotReady' },
        ...{ at: Date.UTC(2026, 0, 1), objects: null, alert: null },
        text: 'On c1 it declares NotReady, and monitoring has loaded nothing of it.',
        mend: 'Its labels are release=old. Compare them with spec.ruleSelector of the Prometheus, and the labels of namespace flux-system with its spec.ruleNamespaceSelector: kubectl get prometheuses --all-namespaces --output yaml. Where they fit, see the events of the object: the operator leaves out one with an invalid rule.',
      },
    ]);
  });

  it.each<[string, readonly AlarmFact[], RegExp | null]>([
    ['an older version is loaded', [{ ...loadedRule, name: 'Other' }], /loaded a version of it without\.$/],
    [
      'another expression',
      [{ ...loadedRule, query: 'max by (name) (gotk_resource_info{ready="False"}) == 1' }],
      /another expression or another for\.$/,
    ],
    ['another for', [{ ...loadedRule, holds: minute }], /another expression or another for\.$/],
    [
      'an expression that was cut',
      [{ ...loadedRule, query: 'max by (name) (gotk_resource_info{rea…' }],
      /whether monitoring has loaded it so is not known\.$/,
    ],
    ['by name, in a file of nobody', [{ ...loadedRule, file: 'rules.yaml' }], null],
    ['by its uid, as Mimir has it', [{ ...loadedRule, file: `alloy/flux-system/alerts/${uid}` }], null],
    [
      'a rule so called, of another object',
      [{ ...loadedRule, file: file.replace('5c1e', 'aaaa') }],
      /loaded nothing of it\.$/,
    ],
  ])('%s', (_what, facts, text) => {
    const found = told([bookOf(facts)], declared());
    expect(found.map((one) => text?.test(one.text))).toEqual(text === null ? [] : [true]);
  });

  it.each<[string, readonly SourceBook[]]>([
    ['a program cannot be read', [bookOf([], { programs: [program('prometheus', { state: 'failed' })] })]],
    ['not all was read', [bookOf([], { cut: ['It has 5,001 rules.'] })]],
    [
      'one of two cannot be read',
      [bookOf([]), bookOf([], { name: 'b', programs: [program('prometheus', { validUntil: 0 })] })],
    ],
    [
      'no source speaks for the cluster',
      [bookOf([], { attribution: { label: 'cluster', aliases: {}, clusters: ['c2'] } })],
    ],
    ['no rules are read', [bookOf([], { programs: [program('alertmanager')] })]],
    ['another source that speaks for the cluster has it', [bookOf([]), bookOf([loadedRule], { name: 'b' })]],
    ['a source that speaks for whatever its label names has it', [bookOf([]), bookOf([loadedRule], anywhere)]],
  ])('nothing is said where %s', (_what, books) => {
    expect(told(books, declared())).toEqual([]);
  });

  const beyond =
    /^On c1 it declares NotReady, and monitoring has loaded nothing of it\. A source that does not speak for the cluster says that it has loaded it: whether that is so is not known\.$/;

  it.each<[string, readonly AlarmFact[], readonly AlarmFact[], RegExp | null]>([
    ['all of it', [], [loadedRule], beyond],
    ['a rule so called', [], [{ ...loadedRule, query: 'max by (name) (gotk_resource_info{rea…' }], beyond],
    ['another version of it', [], [{ ...loadedRule, holds: minute }], /loaded nothing of it\.$/],
    ['what its own has', [loadedRule], [loadedRule], null],
    ['what its own has otherwise', [{ ...loadedRule, holds: minute }], [loadedRule], /another for\.$/],
  ])('is not known to be loaded where a source of another cluster says that it has %s', (_what, own, other, text) => {
    const found = told([bookOf(own), bookOf(other, elsewhere)], declared());
    expect(found.map((one) => text?.test(one.text))).toEqual(text === null ? [] : [true]);
    expect(found.filter(({ source }) => source !== 'monitoring')).toEqual([]);
  });

  it('is waited for after it was written', () => {
    expect(told([bookOf([])], declared({ writtenAt: noon - minute }))).toEqual([]);
    expect(told([bookOf([])], declared({ writtenAt: null }))).toHaveLength(1);
  });

  it('is one finding on many clusters', () => {
    const clusters = Array.from({ length: 250 }, (_, at) => `c${at}`);
    const anywhere = bookOf([], { attribution: { label: 'cluster', aliases: {}, clusters: [] } });
    const found = told([anywhere], declared(), clusters);
    expect(found.map(({ text }) => text)).toEqual([
      'On c0, c1, c2 and 247 more it declares NotReady, and monitoring has loaded nothing of it.',
    ]);
  });
});

describe('an AlertmanagerConfig', () => {
  const receiver = (name: string, ...calls: readonly string[]) => ({
    name,
    loadedAs: [`flux-system/alerts/${name}`, `flux-system-alerts-${name}`],
    calls,
  });
  const isAlarm: Matcher = { name: 'plumbline', operator: '=', value: 'alarm' };
  const route = { receiver: 'oncall', matchers: [isAlarm], continues: false, isWhole: true, routes: [] };
  const wanted: AlertmanagerConfigFact = {
    ...{ type: 'alertmanager-config', ...metadata, route },
    receivers: [receiver('oncall', 'pagerduty'), receiver('unused', 'slack')],
  };
  const reading = ruleFact({ labels: { plumbline: 'alarm' } });

  it.each<[string, readonly AlarmFact[], RegExp | null]>([
    ['is loaded', [reading, receiverFact('flux-system/alerts/oncall', ['pagerduty'])], null],
    ['is loaded by an old operator', [reading, receiverFact('flux-system-alerts-oncall', ['pagerduty'])], null],
    ['is not loaded', [reading], /^On c1 it routes alerts to oncall, and monitoring has loaded nothing of it\.$/],
    [
      'calls with something else',
      [reading, receiverFact('flux-system/alerts/oncall', ['slack'])],
      /with other integrations\.$/,
    ],
    ['takes no alert on objects', [ruleFact({ labels: { plumbline: 'no' } })], null],
  ])('%s', (_what, facts, text) => {
    const found = told([bookOf(facts)], wanted);
    expect(found.map((one) => text?.test(one.text))).toEqual(text === null ? [] : [true]);
  });

  it('is not known to be loaded where only a source of another cluster says so', () => {
    const its = [reading, receiverFact('flux-system/alerts/oncall', ['pagerduty'])];
    const textOf = (own: readonly AlarmFact[]): readonly string[] =>
      told([bookOf(own), bookOf(its, elsewhere)], wanted).map(({ text }) => text);
    expect(textOf(its)).toEqual([]);
    expect(textOf([reading])).toEqual([
      'On c1 it routes alerts to oncall, and monitoring has loaded nothing of it. A source that does not speak for the cluster says that it has loaded it: whether that is so is not known.',
    ]);
  });

  it('has receivers and no route', () => {
    expect(told([bookOf([reading])], { ...wanted, route: null }).map(({ text }) => text)).toEqual([
      'On c1 it declares receivers and no route: the operator takes none of them.',
    ]);
  });
});

describe('a route that the operator narrowed to its namespace', () => {
  const matchers: readonly Matcher[] = [
    { name: 'plumbline', operator: '=', value: 'alarm' },
    { name: 'namespace', operator: '=', value: 'flux-system' },
  ];
  const routes = [{ receiver: 'flux-system/alerts/oncall', matchers, continues: true, isWhole: true, routes: [] }];
  const routing: AlarmFact = {
    ...{ type: 'routing', key: alertmanagerUrl },
    root: { receiver: 'null', matchers: [], continues: false, isWhole: true, routes },
  };
  const receivers = [receiverFact('null', []), receiverFact('flux-system/alerts/oncall', ['pagerduty'])];
  const rule = (labels: Record<string, string>, keeps: readonly string[] | null = ['name']) =>
    ruleFact({ name: 'NotReady', labels: { plumbline: 'alarm', ...labels }, keeps });
  const findings = (...facts: readonly AlarmFact[]) => narrowedRoutes(bookOf([routing, ...receivers, ...facts]));

  it('takes no alert without that label: which, and what to set', () => {
    expect(findings(rule({}))).toEqual([
      expect.objectContaining({
        ...{ type: 'not-routed', title: 'NotReady', mend: namespaceMend },
        text: 'Its alerts call nobody: the route to flux-system/alerts/oncall takes those with namespace="flux-system" alone, and they have no such label.',
      }),
    ]);
  });

  it.each<[string, AlarmFact]>([
    ['the rule gives its alerts that label', rule({ namespace: 'flux-system' })],
    ['its alerts may have it', rule({}, null)],
    ['they are of another matcher', rule({ plumbline: 'no' })],
  ])('is no finding where %s', (_what, fact) => {
    expect(findings(fact)).toEqual([]);
  });

  it('is none where another receiver calls', () => {
    expect(findings(receiverFact('null', ['slack']), rule({}))).toEqual([]);
  });
});
