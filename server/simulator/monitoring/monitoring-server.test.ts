import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hour, minute } from '#lib/domain/time/length.ts';
import { at, isForeignObject, listAt, textAt } from '#lib/foreign.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import { silentLog } from '../../runtime/log.ts';
import { each } from './alerting-rule.ts';
import { createAlertmanager } from './alertmanager.ts';
import type { PrometheusBoard, SentAlert } from './board.ts';
import { demoConfig } from './demo-alertmanager.ts';
import { startMonitoringServer } from './monitoring-server.ts';
import type { MonitoringServer } from './monitoring-server.ts';
import type { Series } from './series.ts';

const clock = fakeClock();
const now = clock.now();
const labels = { alertname: 'FluxObjectNotReady', cluster: 'eu-west-3', name: 'checkout', severity: 'page' };
const annotations = { summary: 'checkout is not ready' };
const query = 'max by (cluster, name) (gotk_resource_info{ready!="True"}) == 1';

function series(name: string, ready: string): Series {
  return { metric: 'gotk_resource_info', labels: { cluster: 'eu-west-3', name, ready } };
}

const rule = {
  file: '/etc/prometheus/rules/flux.yaml',
  group: 'flux',
  name: labels.alertname,
  query,
  holds: 2 * minute,
  labels: { severity: 'page' },
  annotations,
  evaluate: each('gotk_resource_info', () => true, null),
};

const prometheus: PrometheusBoard = {
  groups: () => [
    {
      file: rule.file,
      name: rule.group,
      interval: 15_000,
      rules: [
        {
          rule,
          health: 'ok',
          error: null,
          evaluatedAt: now,
          alerts: () => [{ labels, annotations, state: 'firing', activeAt: now - hour, value: 1 }],
        },
        { rule, health: 'err', error: 'many-to-many', evaluatedAt: now, alerts: () => [] },
      ],
    },
  ],
  series: () => [series('checkout', 'False'), series('web', 'True'), series('web', 'True'), series('mail', 'True')],
};

const sent: SentAlert = { labels, annotations, startsAt: now - hour, endsAt: now + 4 * minute, query };
const silence = {
  id: '8b1f6d0e-52a4-4c7b-9f7e-3d2f1a6c9e41',
  matchers: [{ name: 'name', operator: '!~', value: 'web|mail' }],
  startsAt: now - hour,
  endsAt: now + hour,
  updatedAt: now - hour,
  createdBy: 'tomasz',
  comment: 'takes its time',
} as const;
const alertmanager = createAlertmanager(demoConfig, [silence], clock.now);
alertmanager.receive([sent]);

let server: MonitoringServer;

beforeAll(async () => {
  server = await startMonitoringServer({
    log: silentLog,
    now: clock.now,
    programs: new Map([
      ['/prometheus', { program: 'prometheus', board: prometheus }],
      ['/alertmanager', { program: 'alertmanager', board: alertmanager }],
    ]),
  });
});

afterAll(() => server.stop());

async function get(path: string): Promise<unknown> {
  const answer = await fetch(server.url(path));
  expect(answer.headers.get('content-type')).toBe('application/json');
  return answer.json();
}

/** The shape of a value: the kinds of what is in it, a list by its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (!isForeignObject(value)) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

// Answers with the fields that a real Prometheus and Alertmanager have over real Flux objects (docs/facts/prometheus.md), and values that
// are made up; mutedBy came with Alertmanager 0.28. What an answer holds may differ, its shape may not.
const real = {
  rules: {
    status: 'success',
    data: {
      groups: [
        {
          name: 'flux',
          file: '/etc/prometheus/flux.yaml',
          rules: [
            {
              state: 'firing',
              name: 'FluxObjectNotReady',
              query: 'max by (exported_namespace, name, customresource_kind) (gotk_resource_info{ready!="True"}) == 1',
              duration: 40,
              keepFiringFor: 0,
              labels: { severity: 'page' },
              annotations: { summary: 'apps is not ready' },
              alerts: [
                {
                  labels: { alertname: 'FluxObjectNotReady', cluster: 'one', name: 'apps', severity: 'page' },
                  annotations: { summary: 'apps is not ready' },
                  state: 'firing',
                  activeAt: '2026-11-20T08:01:07.424123Z',
                  value: '1e+00',
                },
              ],
              health: 'ok',
              evaluationTime: 0.000403,
              lastEvaluation: '2026-11-20T08:14:12.424123Z',
              type: 'alerting',
            },
          ],
          interval: 5,
          limit: 0,
          evaluationTime: 0.000671,
          lastEvaluation: '2026-11-20T08:14:12.424Z',
        },
      ],
    },
  },
  alerts: [
    {
      annotations: { summary: 'apps is not ready' },
      endsAt: '2026-11-20T08:18:12.424Z',
      fingerprint: '60e81a47cf2be1c4',
      receivers: [{ name: 'oncall' }],
      startsAt: '2026-11-20T08:01:47.424Z',
      status: { inhibitedBy: [], mutedBy: [], silencedBy: ['5fd7'], state: 'suppressed' },
      updatedAt: '2026-11-20T08:14:12.426Z',
      generatorURL: 'http://127.0.0.1:9090/graph?g0.expr=...&g0.tab=1',
      labels: { alertname: 'FluxObjectNotReady', cluster: 'one', name: 'apps', severity: 'page' },
    },
  ],
  silences: [
    {
      id: '5fd7',
      status: { state: 'active' },
      updatedAt: '2026-11-20T08:10:00.000Z',
      comment: 'known',
      createdBy: 'me',
      endsAt: '2026-11-20T09:10:00.000Z',
      matchers: [{ isEqual: true, isRegex: false, name: 'name', value: 'apps' }],
      startsAt: '2026-11-20T08:10:00.000Z',
    },
  ],
  status: {
    cluster: { name: '01J', peers: [{ address: '127.0.0.1:9094', name: '01J' }], status: 'ready' },
    config: { original: 'global: ...' },
    uptime: '2026-11-20T08:00:00.000Z',
    versionInfo: { branch: '', buildDate: '', buildUser: '', goVersion: '', revision: '', version: '' },
  },
  vector: {
    status: 'success',
    data: { resultType: 'vector', result: [{ metric: { name: 'apps' }, value: [1_763_626_452.424, '1'] }] },
  },
  build: {
    status: 'success',
    data: { version: '', revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' },
  },
};

const asked = encodeURIComponent('group by (name) (gotk_resource_info)');

describe('answers have the shape of the real ones', () => {
  it.each([
    ['rules', '/prometheus/api/v1/rules?type=alert'],
    ['vector', `/prometheus/api/v1/query?query=${asked}`],
    ['build', '/prometheus/api/v1/status/buildinfo'],
    ['alerts', '/alertmanager/api/v2/alerts'],
    ['silences', '/alertmanager/api/v2/silences'],
    ['status', '/alertmanager/api/v2/status'],
  ] as const)('%s', async (name, path) => {
    const answer = await get(path);
    expect(shapeOf(answer)).toEqual(shapeOf(real[name]));
  });

  it('the reason of a rule that fails, and only there', async () => {
    const answer = await get('/prometheus/api/v1/rules?type=alert');
    const [group] = listAt(answer, 'data', 'groups');
    const rules = listAt(group, 'rules');
    expect(rules.map((one) => [textAt(one, 'health'), textAt(one, 'lastError')])).toEqual([
      ['ok', null],
      ['err', 'many-to-many'],
    ]);
    expect(rules.map((one) => textAt(one, 'lastEvaluation'))).toEqual(['2026-11-21T02:00:00Z', '2026-11-21T02:00:00Z']);
    expect(rules.map((one) => at(one, 'duration'))).toEqual([120, 120]);
  });

  it('no recording rules, and no other type', async () => {
    expect(await get('/prometheus/api/v1/rules?type=record')).toEqual({ status: 'success', data: { groups: [] } });
    const refused = await fetch(server.url('/prometheus/api/v1/rules?type=alerts'));
    expect([refused.status, textAt(await refused.json(), 'errorType')]).toEqual([400, 'bad_data']);
  });
});

describe('series', () => {
  it('are grouped, each group once', async () => {
    const answer = await get(`/prometheus/api/v1/query?query=${asked}`);
    const groups = listAt(answer, 'data', 'result').map((one) => textAt(one, 'metric', 'name'));
    expect(groups).toEqual(['checkout', 'web', 'mail']);
    expect(listAt(listAt(answer, 'data', 'result')[0], 'value')).toEqual([now / 1000, '1']);
  });

  it('are found by any of several selectors, and cut by a limit that says so', async () => {
    const list = await get('/prometheus/api/v1/series?match[]=gotk_resource_info{ready="False"}&match[]={name="mail"}');
    expect(listAt(list, 'data')).toEqual([
      { __name__: 'gotk_resource_info', cluster: 'eu-west-3', name: 'checkout', ready: 'False' },
      { __name__: 'gotk_resource_info', cluster: 'eu-west-3', name: 'mail', ready: 'True' },
    ]);
    const cut = await get('/prometheus/api/v1/series?match[]=gotk_resource_info&limit=1');
    expect(cut).toEqual({
      status: 'success',
      data: [{ __name__: 'gotk_resource_info', cluster: 'eu-west-3', name: 'checkout', ready: 'False' }],
      warnings: ['results truncated due to limit'],
    });
    expect(await get(`/prometheus/api/v1/query?query=${asked}&limit=3`)).not.toHaveProperty('warnings');
  });

  it.each([
    '/prometheus/api/v1/query?query=up',
    '/prometheus/api/v1/query',
    `/prometheus/api/v1/query?query=${asked}&time=0`,
    '/prometheus/api/v1/series',
    '/prometheus/api/v1/series?match[]={ready!="True"}',
    `/prometheus/api/v1/series?match[]=up&limit=-1`,
    '/prometheus/api/v1/rules?type=alert&group_limit=10',
  ])('are refused as Prometheus does: %s', async (path) => {
    const answer = await fetch(server.url(path));
    expect([answer.status, shapeOf(await answer.json())]).toEqual([
      400,
      { status: 'string', errorType: 'string', error: 'string' },
    ]);
  });
});

describe('Alertmanager', () => {
  it('tells how an alert is held back, and leaves it out where that is asked', async () => {
    const [alert] = listAt({ all: await get('/alertmanager/api/v2/alerts?active=true&silenced=true') }, 'all');
    expect(alert).toMatchObject({
      status: { state: 'suppressed', silencedBy: [silence.id], inhibitedBy: [], mutedBy: [] },
      receivers: [{ name: 'oncall' }],
      startsAt: '2026-11-21T01:00:00.000Z',
      endsAt: '2026-11-21T02:04:00.000Z',
    });
    expect(await get('/alertmanager/api/v2/alerts?silenced=false')).toEqual([]);
    expect((await fetch(server.url('/alertmanager/api/v2/alerts?silenced=no'))).status).toBe(422);
    expect((await fetch(server.url('/alertmanager/api/v2/alerts?filter=x="y"'))).status).toBe(400);
  });

  it('tells a matcher by two flags', async () => {
    const [told] = listAt({ all: await get('/alertmanager/api/v2/silences') }, 'all');
    expect(listAt(told, 'matchers')).toEqual([{ isEqual: false, isRegex: true, name: 'name', value: 'web|mail' }]);
  });

  it('tells its configuration as YAML with the defaults, and no secret', async () => {
    const original = textAt(await get('/alertmanager/api/v2/status'), 'config', 'original') ?? '';
    expect(original).not.toMatch(/[&*]a1/);
    const config: unknown = parse(original);
    expect(at(config, 'route')).toMatchObject({
      receiver: 'nobody',
      continue: false,
      group_wait: '30s',
      routes: [
        { receiver: 'deadman', matchers: ['alertname="Watchdog"'], continue: false },
        { receiver: 'oncall', matchers: ['severity="page"'] },
        { receiver: 'platform-channel', matchers: ['severity="ticket"'] },
      ],
    });
    const receivers = listAt(config, 'receivers');
    expect(receivers.map((one) => (isForeignObject(one) ? Object.keys(one) : []))).toEqual([
      ['name'],
      ['name', 'pagerduty_configs'],
      ['name', 'slack_configs'],
      ['name', 'webhook_configs'],
    ]);
    expect(listAt(receivers[1], 'pagerduty_configs')[0]).toMatchObject({
      routing_key: '<secret>',
      send_resolved: true,
    });
    expect(await get('/alertmanager/api/v2/receivers')).toEqual(
      receivers.map((one) => ({ name: textAt(one, 'name') })),
    );
  });
});

describe('the server', () => {
  it('takes nothing but GET, and knows nothing else', async () => {
    expect((await fetch(server.url('/alertmanager/api/v2/silences'), { method: 'POST' })).status).toBe(405);
    expect((await fetch(server.url('/prometheus/api/v1/targets'))).status).toBe(404);
    expect((await fetch(server.url('/alertmanager/api/v2/silence/1'))).status).toBe(404);
    expect((await fetch(server.url('/other/-/ready'))).status).toBe(404);
    expect(await (await fetch(server.url('/prometheus/-/ready'))).text()).toBe('Prometheus Server is Ready.\n');
    expect(await (await fetch(server.url('/alertmanager/-/ready'))).text()).toBe('OK');
  });

  it('can be not available, and cut connections', async () => {
    server.setReach('/prometheus', 'unavailable');
    expect((await fetch(server.url('/prometheus/-/ready'))).status).toBe(503);
    server.setReach('/prometheus', 'cut');
    await expect(fetch(server.url('/prometheus/-/ready'))).rejects.toThrow('fetch failed');
    expect((await fetch(server.url('/alertmanager/-/ready'))).status).toBe(200);
    server.setReach('/prometheus', 'up');
    expect((await fetch(server.url('/prometheus/-/ready'))).status).toBe(200);
    expect(server.requests().at(-1)).toBe('GET /prometheus/-/ready');
  });
});
