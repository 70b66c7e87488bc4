import { describe, expect, it } from 'vitest';
import { alertAnswer, ruleAnswer, rulesAnswer } from '../testing/answers.ts';
import { createLabelReader } from '../words.ts';
import { createRulesReader } from './read-rules.ts';

const turn = (): Promise<void> => Promise.resolve();

async function read(body: unknown) {
  const reading = await createRulesReader(['gotk_'], createLabelReader('cluster'))(body, turn);
  if (reading.type === 'failed') throw new Error(reading.reason);
  return reading;
}

const shuffled = <T>(list: readonly T[]): readonly T[] => list.toReversed();

describe('createRulesReader', () => {
  it('reads a rule with its alert, and nothing of its annotations', async () => {
    const alert = alertAnswer();
    const recording = { type: 'recording', name: 'a', query: 'b' };
    const { rules, alerts, cut } = await read(rulesAnswer([recording, ruleAnswer({ alerts: [alert] })]));
    expect(rules).toEqual([
      {
        type: 'rule',
        key: '/etc/prometheus/rules/flux.yaml; flux; FluxFailing; 0',
        name: 'FluxFailing',
        group: 'flux',
        file: '/etc/prometheus/rules/flux.yaml',
        query: 'gotk_resource_info{ready!="True"} == 1',
        holds: 300_000,
        interval: 30_000,
        labels: { severity: 'page' },
        health: 'ok',
        error: null,
        evaluatedAt: Date.UTC(2026, 10, 21, 1, 59, 50, 123),
        selectors: [
          {
            metric: 'gotk_resource_info',
            scope: 'gotk_resource_info',
            states: [{ name: 'ready', operator: '!=', value: 'True' }],
          },
        ],
        keeps: null,
        firedAt: null,
      },
    ]);
    expect(alerts).toEqual([
      {
        type: 'alert',
        key: expect.stringMatching(/^\/etc\/prometheus\/rules\/flux\.yaml; flux; FluxFailing; 0; [\w-]{22}$/),
        rule: '/etc/prometheus/rules/flux.yaml; flux; FluxFailing; 0',
        labels: { alertname: 'FluxFailing', exported_namespace: 'flux-system', name: 'apps' },
        state: 'firing',
        activeAt: Date.UTC(2026, 10, 21, 1, 50),
      },
    ]);
    expect(cut).toEqual([]);
    expect(JSON.stringify([rules, alerts])).not.toContain('hunter2');
  });

  it('gives the same whatever the order is, of rules of one name too', async () => {
    const alerts = [
      alertAnswer(),
      alertAnswer({ labels: { name: 'b', a: 'x' } }),
      alertAnswer({ labels: { a: 'x', name: 'c' } }),
    ];
    const named = (query: string, severity: string) => ruleAnswer({ query, labels: { severity }, alerts });
    const rules = [named('gotk_a', 'page'), named('gotk_a', 'warn'), named('gotk_b', 'page')];
    const one = await read(rulesAnswer(rules));
    const other = await read(rulesAnswer(shuffled(rules.map((rule) => ({ ...rule, alerts: shuffled(alerts) })))));
    const byKey = (list: readonly { readonly key: string }[]) =>
      Object.fromEntries(list.map((each) => [each.key, each]));
    expect(byKey(other.rules)).toEqual(byKey(one.rules));
    expect(byKey(other.alerts)).toEqual(byKey(one.alerts));
    expect(Object.keys(byKey(one.alerts))).toHaveLength(9);
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['nothing', null],
    ['a list', []],
    ['an error', { status: 'error', error: 'x' }],
    ['no groups', { status: 'success', data: {} }],
    ['groups that are a text', { status: 'success', data: { groups: 'x' } }],
  ])('says that %s is no answer', async (_what, body) => {
    expect(await createRulesReader(['gotk_'], createLabelReader('cluster'))(body, turn)).toEqual({
      type: 'failed',
      reason: 'Its answer is not that of Prometheus to /api/v1/rules.',
    });
  });

  it('leaves out what is malformed, and says so', async () => {
    const { rules, alerts, cut } = await read(
      rulesAnswer([
        ruleAnswer({
          alerts: [
            alertAnswer({ activeAt: 'soon' }),
            alertAnswer({ state: 7 }),
            alertAnswer({ state: 'inactive' }),
            'x',
          ],
        }),
        ruleAnswer({ name: 7 }),
        ruleAnswer({ query: null }),
        ruleAnswer({ duration: -1 }),
      ]),
    );
    expect([rules.length, alerts.length]).toEqual([1, 0]);
    expect(cut).toEqual([
      '3 rules could not be read, and are left out.',
      '3 alerts could not be read, and are left out.',
    ]);
  });

  it('says that an answer is partial', async () => {
    const body = { ...Object(rulesAnswer([])), warnings: ['store 10.0.0.1 is down, password=hunter2secret'] };
    expect((await read(body)).cut).toEqual(['It answers with a warning: store 10.0.0.1 is down, password=[redacted]']);
  });

  it('keeps within its bounds', async () => {
    const alerts = Array.from({ length: 50_001 }, (_, index) => alertAnswer({ labels: { name: `a${index}` } }));
    const rules = Array.from({ length: 5_001 }, (_, index) =>
      ruleAnswer({ name: `r${index}`, alerts: index === 0 ? alerts : [] }),
    );
    const reading = await read(rulesAnswer(rules));
    expect([reading.rules.length, reading.alerts.length]).toEqual([5_000, 50_000]);
    expect(reading.cut).toEqual([
      'It has 5,001 rules; the first 5,000 rules are read.',
      'It has 50,001 alerts; the first 50,000 alerts are read.',
    ]);
  });

  it('keeps the labels that name an object where there are too many, and none that is too long', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, 'x']));
    const labels = { ...many, zone: 'z', name: 'apps', cluster: 'eu', long: 'x'.repeat(1_025), empty: '', number: 7 };
    const { alerts } = await read(rulesAnswer([ruleAnswer({ alerts: [alertAnswer({ labels })] })]));
    expect(Object.keys(alerts[0]?.labels ?? {})).toHaveLength(64);
    expect(alerts[0]?.labels).toMatchObject({ name: 'apps', cluster: 'eu' });
    expect(alerts[0]?.labels).not.toHaveProperty('long');
  });

  it('takes labels for what they are called, not for what objects have', async () => {
    const labels: unknown = JSON.parse('{"__proto__":"a","constructor":"b"}');
    const { alerts } = await read(rulesAnswer([ruleAnswer({ alerts: [alertAnswer({ labels })] })]));
    expect(Object.entries(alerts[0]?.labels ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  it('takes a label that is no text for none, however deep it is', async () => {
    const labels: unknown = JSON.parse(`{"name":"apps","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const { alerts, cut } = await read(rulesAnswer([ruleAnswer({ labels, alerts: [alertAnswer({ labels })] })]));
    expect(alerts.map((alert) => alert.labels)).toEqual([{ name: 'apps' }]);
    expect(cut).toEqual([]);
  });

  it('cleans what people read', async () => {
    const { rules } = await read(
      rulesAnswer([
        ruleAnswer({ name: 'a\u202eb', lastError: 'x password=hunter2secret', health: 'err', query: 'up == \u202e' }),
      ]),
    );
    expect(rules[0]).toMatchObject({
      name: String.raw`a\u{202e}b`,
      error: 'x password=[redacted]',
      health: 'err',
      query: String.raw`up == \u{202e}`,
      selectors: null,
    });
  });

  it('knows nothing of what a rule reads where its scope holds a secret: it is not kept, and no other is asked for', async () => {
    const { rules } = await read(
      rulesAnswer([ruleAnswer({ query: 'gotk_a{token="ghp_abcdefghijklmnopqrstuvwxyz0123456789"}' })]),
    );
    expect(rules[0]?.selectors).toBeNull();
    expect(JSON.stringify(rules)).not.toContain('ghp_abc');
  });

  it('takes so much apart in one reading, and the rest in the next', async () => {
    const rules = Array.from({ length: 30 }, (_, index) =>
      ruleAnswer({ name: `r${index}`, query: `gotk_${index} ${'# as long as it may be '.repeat(4_500)}` }),
    );
    let turns = 0;
    const lasting = createRulesReader(['gotk_'], createLabelReader('cluster'));
    const known = async (): Promise<number> => {
      const reading = await lasting(rulesAnswer(rules), () => {
        turns += 1;
        return Promise.resolve();
      });
      if (reading.type === 'failed') throw new Error(reading.reason);
      return reading.rules.filter(({ selectors }) => selectors !== null).length;
    };
    expect(await known()).toBe(19);
    expect(turns).toBeGreaterThanOrEqual(19);
    expect(await known()).toBe(30);
  });

  it('has no time of an evaluation where there was none', async () => {
    const { rules } = await read(
      rulesAnswer([ruleAnswer({ lastEvaluation: '0001-01-01T00:00:00Z', health: 'unknown' })]),
    );
    expect(rules[0]).toMatchObject({ evaluatedAt: null, health: 'unknown' });
  });
});

it('a time that is no time is as long as a duration may be', async () => {
  const { rules } = await read(rulesAnswer([ruleAnswer({ duration: 1e308 })]));
  expect(rules.map(({ holds }) => Number.isFinite(holds))).toEqual([true]);
});

it('does not keep the texts of all expressions that it has ever read', async () => {
  const reader = createRulesReader(['gotk_'], createLabelReader('cluster'));
  const [megabyte, long] = ['x'.repeat(1_000_000), 'y'.repeat(100_000)];
  const readings = 200;
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < readings; at += 1) {
    const queries = [
      `up ${at} ${megabyte}`,
      `gotk_resource_info_${at}{name="${at}${long}"} or gotk_resource_info_of_${at}`,
    ];
    const body: unknown = JSON.parse(JSON.stringify(rulesAnswer(queries.map((query) => ruleAnswer({ query })))));
    await reader(body, turn);
  }
  // More than a megabyte of each reading before.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(170_000_000);
});

it('does not tell a long name of a rule with each of its alerts, and tells rules of such names apart', async () => {
  const long = 'n'.repeat(1_000);
  const alerts = Array.from({ length: 100 }, (_, at) => alertAnswer({ labels: { pod: String(at) } }));
  const named = ['a', 'b'].map((end) => ruleAnswer({ name: `${long}${end}`, alerts }));
  const reading = await read(rulesAnswer(named));
  expect(reading.rules.map(({ name }) => name)).toEqual([`${long}a`, `${long}b`]);
  expect(new Set(reading.alerts.map(({ key }) => key)).size).toBe(200);
  for (const { key, rule } of reading.alerts) expect(key.length + rule.length).toBeLessThan(400);
});
