import { expect, it } from 'vitest';
import { minute, second } from '#lib/domain/time/length.ts';
import { readPromDuration } from '#lib/domain/alarm/declared/prom-duration.ts';
import { readAlertmanagerConfig } from './read-alertmanager-config.ts';
import { readPrometheusRule } from './read-prometheus-rule.ts';

const metadata = { namespace: 'a', name: 'b', uid: 'u' };
const prefixes = ['gotk_'];
const expr = 'gotk_resource_info{ready!="True"}';
const ruleOf = (rules: readonly unknown[], rest: object = {}) =>
  readPrometheusRule({ metadata: { ...metadata, ...rest }, spec: { groups: [{ name: 'g', rules }] } }, prefixes);

it('keeps of a PrometheusRule the alerts that read objects, and no word of their expressions', () => {
  const fact = ruleOf([
    { alert: 'A', expr, for: '5m30s', annotations: { secret: 'x' } },
    { alert: 'B', expr, for: 'soon' },
    { alert: 'Other', expr: 'up == 0' },
    { record: 'gotk_r', expr },
    { alert: 'Number', expr: 1 },
  ]);
  expect(fact).toEqual({
    ...{ type: 'prometheus-rule', ...metadata, labels: {}, writtenAt: null, lost: 0 },
    rules: [
      { group: 'g', name: 'A', expression: expect.any(Number), holds: 5 * minute + 30 * second },
      { group: 'g', name: 'B', expression: expect.any(Number), holds: null },
    ],
  });
  expect(ruleOf([{ alert: 'Other', expr: 'up == 0' }])).toBeNull();
});

it.each([
  [null],
  [7],
  [{}],
  [{ metadata: { name: 'x' } }],
  [{ metadata, spec: { groups: 'x' } }],
  [{ metadata, spec: { groups: [null, { rules: [null, 7] }] } }],
])('says nothing of %j', (object) => {
  expect(readPrometheusRule(object, prefixes)).toBeNull();
});

it('is bounded, and counts what is left out', () => {
  const many = ruleOf(Array.from({ length: 3_000 }, (_, at) => ({ alert: `A${at}`, expr })));
  expect([many?.rules.length, many?.lost]).toEqual([200, 2_800]);
  const broken = ruleOf([{ alert: 'A', expr: 'gotk_resource_info{' }]);
  expect([broken?.rules, broken?.lost]).toEqual([[], 1]);
  const labels = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`l${at}`, 'x'.repeat(10_000)]));
  const labelled = ruleOf([{ alert: 'A\u202e', expr }], { labels });
  expect(Object.keys(labelled?.labels ?? {})).toHaveLength(32);
  expect(JSON.stringify(labelled).length).toBeLessThan(50_000);
  expect(labelled?.rules[0]?.name).not.toContain('\u202e');
});

it('looks at no name of a rule that it does not keep: each would be cleaned on the thread of all clusters', () => {
  let looked = 0;
  const counted = (name: string, rules: readonly unknown[]) => ({
    get name() {
      looked += 1;
      return name;
    },
    rules,
  });
  const spec = {
    groups: [
      counted('none', Array(20_000).fill(0)),
      counted('g', [
        { alert: 'A', expr },
        { alert: 'B', expr: 'up' },
      ]),
    ],
  };
  expect(readPrometheusRule({ metadata, spec }, prefixes)).toMatchObject({ rules: [], lost: 18_002 });
  expect(looked).toBe(0);
  expect(readPrometheusRule({ metadata, spec: { groups: spec.groups.slice(1) } }, prefixes)?.rules).toHaveLength(1);
  expect(looked).toBe(1);
});

it('keeps of an AlertmanagerConfig routes, names and integrations, nothing of addresses and keys', () => {
  const fact = readAlertmanagerConfig({
    metadata,
    spec: {
      route: {
        receiver: 'OnCall',
        matchers: [
          { name: 'a', value: 'b', regex: true },
          { name: 'c', value: 'd', matchType: '!=' },
          { name: 'e', matchType: '?' },
        ],
        routes: [{ matchers: [{ name: 'f', value: 'g' }], continue: true }],
      },
      receivers: [
        { name: 'OnCall', pagerdutyConfigs: [{ url: 'https://canary.example' }], slackConfigs: [], emailConfigs: [{}] },
        { name: 7 },
      ],
    },
  });
  expect(fact).toMatchObject({
    route: {
      receiver: 'OnCall',
      matchers: [
        { name: 'a', operator: '=~', value: 'b' },
        { name: 'c', operator: '!=', value: 'd' },
      ],
      routes: [
        { receiver: 'OnCall', matchers: [{ name: 'f', operator: '=', value: 'g' }], continues: true, routes: [] },
      ],
    },
    receivers: [{ name: 'OnCall', loadedAs: ['a/b/OnCall', 'a-b-OnCall'], calls: ['email', 'pagerduty'] }],
    lost: 1,
  });
  expect(JSON.stringify(fact)).not.toContain('canary');
});

it('a route without end is cut, and said to be', () => {
  const nest = (depth: number): object => ({ receiver: 'r', routes: depth === 0 ? [] : [nest(depth - 1)] });
  expect(readAlertmanagerConfig({ metadata, spec: { route: nest(1_000) } })?.lost).toBe(1);
  const wide = { receiver: 'r', routes: Array.from({ length: 5_000 }, () => ({})) };
  expect(readAlertmanagerConfig({ metadata, spec: { route: wide } })?.lost).toBe(4_501);
});

it('cleans no more words of an AlertmanagerConfig than so many, and says what it left out', () => {
  const matchers = Array.from({ length: 64 }, (_, at) => ({ name: `m${at}`, value: 'x' }));
  const route = { receiver: 'r', routes: Array.from({ length: 100 }, () => ({ receiver: 'r', matchers })) };
  const integrations = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`i${at}Configs`, [1]]));
  const receivers = Array.from({ length: 100 }, (_, at) => ({ name: `r${at}`, ...integrations }));
  const config = readAlertmanagerConfig({ metadata, spec: { route, receivers } });
  expect(config?.route?.routes.map((child) => child.matchers.length).filter((count) => count > 0)).toEqual([
    64, 64, 64, 64,
  ]);
  expect(config?.route?.routes.map(({ isWhole }) => isWhole).lastIndexOf(true)).toBe(3);
  expect(config?.receivers.map(({ calls }) => calls.length)).toEqual([64, 64, 64, 64]);
  expect(config?.lost).toBe(96 * 64 + 96);
});

it.each([
  ['5m', 5 * minute],
  ['1h30m', 90 * minute],
  ['100ms', 100],
  ['1w', 7 * 24 * 60 * minute],
  ['0', 0],
  ['', null],
  ['5 m', null],
  ['-5m', null],
])('the duration %j is %j ms', (text, ms) => {
  expect(readPromDuration(text)).toBe(ms);
});

it('was written when its spec was last, not when its status was', () => {
  const fields = (subresource: string) => [{ time: '2026-11-21T02:00:00Z', subresource }];
  const written = (subresource: string) =>
    ruleOf([{ alert: 'A', expr }], { creationTimestamp: '2026-01-01T00:00:00Z', managedFields: fields(subresource) })
      ?.writtenAt;
  expect([written(''), written('status')]).toEqual([Date.UTC(2026, 10, 21, 2), Date.UTC(2026, 0, 1)]);
});

it('hides values of labels whose names say that they are secret, and says of a route that it is not whole then', () => {
  const labels = { password: 'hunter2', team: 'a' };
  const route = { receiver: 'r', matchers: [{ name: 'api_token', value: 'hunter2' }] };
  const config = readAlertmanagerConfig({ metadata: { ...metadata, labels }, spec: { route, receivers: [] } });
  expect(JSON.stringify(config)).not.toContain('hunter2');
  expect([config?.labels['team'], config?.route?.isWhole]).toEqual(['a', false]);
  expect(JSON.stringify(ruleOf([{ alert: 'A', expr }], { labels }))).not.toContain('hunter2');
});

it('takes no more text apart than so much, and counts the rest as left out', () => {
  const long = `gotk_a{${'a="b",'.repeat(2_000)}}`;
  const fact = ruleOf(Array.from({ length: 20 }, (_, at) => ({ alert: `A${at}`, expr: long })));
  expect([fact?.rules.length, fact?.lost]).toEqual([10, 10]);
});
