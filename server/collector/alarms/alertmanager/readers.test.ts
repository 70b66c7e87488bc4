import { describe, expect, it } from 'vitest';
import type { Route } from '#lib/domain/alarm/fact.ts';
import { yamlBomb } from '#test/hostile/kubeconfigs.ts';
import { token } from '#test/hostile/words.ts';
import { noticeAnswer, statusAnswer } from '../testing/answers.ts';
import { createLabelReader } from '../words.ts';
import { readNotices } from './read-notices.ts';
import { readRouting } from './read-routing.ts';
import { readSilences } from './read-silences.ts';

const address = 'http://am:9093';
const labels = createLabelReader('cluster');

const turn = (): Promise<void> => Promise.resolve();
const routingOf = (body: unknown) => readRouting(body, address, turn);
const silencesOf = (body: unknown) => readSilences(body, turn);
const noticesOf = (body: unknown) => readNotices(body, address, labels, turn);

describe('readNotices', () => {
  it('reads an alert, and nothing of when it was sent last', async () => {
    const status = { state: 'suppressed', silencedBy: ['b', 'a', 'a'], inhibitedBy: ['f'], mutedBy: ['nights'] };
    const receivers = [{ name: 'slack' }, { name: 'oncall' }];
    const expected = {
      type: 'ok',
      facts: [
        {
          type: 'notice',
          key: 'http://am:9093 3b15fd163d36582e',
          alertmanager: 'http://am:9093',
          fingerprint: '3b15fd163d36582e',
          labels: { alertname: 'FluxFailing', cluster: 'eu', name: 'apps' },
          startsAt: Date.UTC(2026, 10, 21, 1, 55),
          state: 'suppressed',
          silencedBy: ['a', 'b'],
          inhibitedBy: ['f'],
          mutedBy: ['nights'],
          receivers: ['oncall', 'slack'],
        },
      ],
      cut: [],
    };
    expect(await noticesOf([noticeAnswer({ status, receivers })])).toEqual(expected);
    const later = {
      status,
      receivers: receivers.toReversed(),
      endsAt: '2026-11-21T02:09:00Z',
      updatedAt: '2026-11-21T02:05:00Z',
    };
    expect(await noticesOf([noticeAnswer(later)])).toEqual(expected);
  });

  it.each([[null], ['x'], [{}], [{ alerts: [] }]])('says that %j is no answer', async (body) => {
    const reason = 'Its answer is not that of Alertmanager to /api/v2/alerts.';
    expect(await noticesOf(body)).toEqual({ type: 'failed', reason });
  });

  it('leaves out what is malformed or too much, and says so', async () => {
    const odd = [
      7,
      noticeAnswer({ fingerprint: null }),
      noticeAnswer({ status: { state: 'sleeping' } }),
      noticeAnswer({ startsAt: 'x' }),
    ];
    expect(await noticesOf(odd)).toEqual({
      type: 'ok',
      facts: [],
      cut: ['4 alerts could not be read, and are left out.'],
    });
    const many = Array.from({ length: 50_002 }, (_, index) => noticeAnswer({ fingerprint: `f${index}` }));
    const reading = await noticesOf(many);
    expect(reading).toMatchObject({ cut: ['It has 50,002 alerts; the first 50,000 alerts are read.'] });
    expect(reading.type === 'ok' && reading.facts.length).toBe(50_000);
  });

  it('lets others have their turn between alerts: each may take a millisecond', async () => {
    let turns = 0;
    const turn = async (): Promise<void> => void (turns += 1);
    await readNotices(
      Array.from({ length: 1_000 }, () => noticeAnswer({})),
      address,
      labels,
      turn,
    );
    expect(turns).toBe(10);
  });
});

describe('readSilences', () => {
  const silence = (given: Readonly<Record<string, unknown>> = {}) => ({
    id: 'a1',
    status: { state: 'active' },
    startsAt: '2026-11-21T01:00:00Z',
    endsAt: '2026-11-21T05:00:00Z',
    createdBy: 'ada',
    comment: 'while we move, token=hunter2secret',
    matchers: [
      { name: 'b', value: 'x|y', isRegex: true, isEqual: false },
      { name: 'a', value: 'x', isRegex: false },
    ],
    ...given,
  });

  it('reads those that stand, with their matchers in one order', async () => {
    const expired = silence({ id: 'a2', status: { state: 'expired' } });
    expect(await silencesOf([expired, silence()])).toEqual({
      type: 'ok',
      facts: [
        {
          type: 'silence',
          key: 'a1',
          state: 'active',
          startsAt: Date.UTC(2026, 10, 21, 1),
          endsAt: Date.UTC(2026, 10, 21, 5),
          by: 'ada',
          comment: 'while we move, token=[redacted]',
          matchers: [
            { name: 'a', operator: '=', value: 'x' },
            { name: 'b', operator: '!~', value: 'x|y' },
          ],
        },
      ],
      cut: [],
    });
  });

  it('says what it leaves out', async () => {
    expect(await silencesOf({})).toMatchObject({ type: 'failed' });
    const odd = [silence({ matchers: [{ name: 'a' }] }), silence({ endsAt: null }), 'x'];
    expect(await silencesOf(odd)).toMatchObject({
      facts: [],
      cut: ['3 silences could not be read, and are left out.'],
    });
    const many = Array.from({ length: 5_001 }, (_, index) => silence({ id: `s${index}` }));
    expect(await silencesOf(many)).toMatchObject({
      cut: ['It has 5,001 silences; the first 5,000 silences are read.'],
    });
  });
});

const config = `global:
  smtp_auth_password: hunter2secret
  slack_api_url: <secret>
route:
  receiver: nobody
  group_by: [alertname]
  continue: false
  routes:
  - receiver: oncall
    match: { team: fleet, cluster: eu }
    match_re: { severity: page|critical }
    continue: true
  - matchers: ['alertname="Watchdog"', 'a!~"b,c"', '{x!=y, "k8s.ns"=~"d.*"}', "q=\\"\\\\\\"\\""]
    routes:
    - receiver: mail
receivers:
- name: nobody
- name: oncall
  slack_configs:
  - api_url: https://hooks.example.org/hunter2secret
  pagerduty_configs:
  - routing_key: hunter2secret
  email_configs: []
- name: mail
  webhook_configs: null
  other: [1]
inhibit_rules: []
templates: [/etc/x.tmpl]
`;

describe('readRouting', () => {
  it('keeps routes and the names of integrations, and nothing else of the configuration', async () => {
    const reading = await routingOf(statusAnswer(config));
    expect(reading).toEqual({
      type: 'ok',
      timed: new Map(),
      facts: [
        {
          type: 'routing',
          key: address,
          root: {
            receiver: 'nobody',
            matchers: [],
            continues: false,
            isWhole: true,
            routes: [
              {
                receiver: 'oncall',
                matchers: [
                  { name: 'cluster', operator: '=', value: 'eu' },
                  { name: 'team', operator: '=', value: 'fleet' },
                  { name: 'severity', operator: '=~', value: 'page|critical' },
                ],
                continues: true,
                isWhole: true,
                routes: [],
              },
              {
                receiver: 'nobody',
                matchers: [
                  { name: 'alertname', operator: '=', value: 'Watchdog' },
                  { name: 'a', operator: '!~', value: 'b,c' },
                  { name: 'x', operator: '!=', value: 'y' },
                  { name: 'k8s.ns', operator: '=~', value: 'd.*' },
                  { name: 'q', operator: '=', value: '"' },
                ],
                continues: false,
                isWhole: true,
                routes: [{ receiver: 'mail', matchers: [], continues: false, isWhole: true, routes: [] }],
              },
            ],
          },
        },
        { type: 'receiver', key: 'http://am:9093 nobody', alertmanager: 'http://am:9093', name: 'nobody', calls: [] },
        {
          type: 'receiver',
          key: 'http://am:9093 oncall',
          alertmanager: 'http://am:9093',
          name: 'oncall',
          calls: ['pagerduty', 'slack'],
        },
        { type: 'receiver', key: 'http://am:9093 mail', alertmanager: 'http://am:9093', name: 'mail', calls: [] },
      ],
      cut: [],
    });
    expect(JSON.stringify(reading)).not.toMatch(/hunter2|hooks|tmpl|alertname"\]/);
  });

  it('reads the configuration of Grafana, which is no text', async () => {
    const body = {
      config: { route: { receiver: 'a' }, receivers: [{ name: 'a', grafana_managed_receiver_configs: [{}] }] },
    };
    expect(await routingOf(body)).toMatchObject({
      facts: [{ root: { receiver: 'a' } }, { calls: ['grafana_managed_receiver'] }],
    });
  });

  it.each<[string, unknown, string]>([
    ['nothing', null, 'Its answer to /api/v2/status holds no configuration that can be read.'],
    ['a list', [], 'Its answer to /api/v2/status holds no configuration that can be read.'],
    ['no YAML', statusAnswer('a: [hunter2secret'), 'Its configuration cannot be read: it is no YAML, or too large.'],
    ['aliases that multiply', statusAnswer(yamlBomb), 'Its configuration cannot be read: it is no YAML, or too large.'],
    [
      'nesting without end',
      statusAnswer('['.repeat(100_000)),
      'Its configuration cannot be read: it is no YAML, or too large.',
    ],
    [
      'marks without end',
      statusAnswer('- a\n'.repeat(120_000)),
      'Its configuration cannot be read: it is no YAML, or too large.',
    ],
    ['no route', statusAnswer('receivers: []'), 'Its configuration has no route.'],
    ['a text', statusAnswer('hunter2secret'), 'Its configuration has no route.'],
  ])('says why it cannot be read: %s', async (_what, body, reason) => {
    expect(await routingOf(body)).toEqual({ type: 'failed', reason });
  });

  it('keeps within its bounds: routes, their depth, receivers', async () => {
    const wide = `route: { receiver: a, routes: [${'{ receiver: b },'.repeat(2_500)}] }\nreceivers: [${'{ name: c },'.repeat(1_001)}]`;
    const reading = await routingOf(statusAnswer(wide));
    expect(reading).toMatchObject({
      cut: [
        'It has 1,001 receivers; the first 1,000 receivers are read.',
        'It has more than 2,000 routes, or some nested more than 32 deep; the others are read.',
      ],
    });
    expect(countRoutes(rootOf(reading))).toBe(2_000);
    const deep = `route: ${'{ receiver: a, routes: ['.repeat(40)}${'] }'.repeat(40)}`;
    expect(countRoutes(rootOf(await routingOf(statusAnswer(deep))))).toBe(32);
  });

  it('counts matchers that it cannot read', async () => {
    const odd = `route: { receiver: a, match: { b: [1] }, matchers: ['no matcher', 'a=b c="d"', { x: y }, 7] }`;
    expect(await routingOf(statusAnswer(odd))).toMatchObject({
      cut: ['5 route matchers could not be read, and are left out.'],
    });
  });

  it.each([
    ['a matcher that cannot be read', 'matchers: [no matcher]'],
    ['more matchers than are kept', `matchers: [${Array.from({ length: 65 }, (_, n) => `a${n}=x`).join()}]`],
    ['a value that is not kept', `match: { team: "${token}" }`],
    ['a pattern that is not kept', `match_re: { team: "${'x'.repeat(2_000)}" }`],
    ['routes beyond the bound', `routes: [${'{ receiver: b },'.repeat(2_500)}]`],
  ])('says of a route that is not read whole: %s', async (_what, part) => {
    const config = `route: { receiver: a, routes: [{ receiver: b, ${part} }, { receiver: c }] }`;
    const [first, second] = rootOf(await routingOf(statusAnswer(config)))?.routes ?? [];
    expect([first?.isWhole, second?.isWhole]).toEqual([false, true]);
  });
});

describe('a hostile answer leaves turns to others, and takes no time that grows beyond its length', () => {
  const nasty = (at: number): string => `p${at}: password=x token: "a" https://u:p@h/ Authorization Basic YWJj `;

  it('a line of blanks that is no matcher', async () => {
    const config = { route: { receiver: 'a', matchers: [`a=${' '.repeat(19_000)}"x`] } };
    expect(await routingOf({ config })).toMatchObject({
      cut: ['1 route matcher could not be read, and is left out.'],
    });
  });

  it('matchers of silences', async () => {
    const matchers = Array.from({ length: 64 }, (_, at) => ({ name: 'a', value: nasty(at) }));
    const times = { startsAt: '2026-11-21T01:00:00Z', endsAt: '2026-11-21T05:00:00Z' };
    const many = Array.from({ length: 100 }, (_, at) => ({
      id: `s${at}`,
      status: { state: 'active' },
      ...times,
      matchers,
    }));
    let turns = 0;
    const reading = await readSilences(many, () => Promise.resolve(void (turns += 1)));
    expect(reading).toMatchObject({ cut: [], facts: { length: 100 } });
    expect(turns).toBeGreaterThan(90);
  });

  it('matchers of routes: what is longer together is left out', async () => {
    const matchers = Array.from({ length: 64 }, (_, at) => `a!="${'x'.repeat(250)}${at}"`);
    const routes = Array.from({ length: 100 }, () => ({ matchers }));
    let turns = 0;
    const reading = await readRouting({ config: { route: { receiver: 'a', routes } } }, address, () =>
      Promise.resolve(void (turns += 1)),
    );
    expect(rootOf(reading)?.routes.map(({ isWhole }) => isWhole)).toContain(false);
    expect(JSON.stringify(reading).length).toBeLessThan(1_000_000);
    expect(turns).toBeGreaterThan(5);
  });

  it('integrations of receivers: one of which none is kept is not told to call nobody', async () => {
    const integrations = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`x${at}_configs`, [1]]));
    const receivers = Array.from({ length: 300 }, (_, at) => ({ name: `r${at}`, ...integrations }));
    const reading = await routingOf({ config: { route: { receiver: 'a' }, receivers } });
    const kept = reading.type === 'ok' ? reading.facts.filter((fact) => fact.type === 'receiver') : [];
    expect(kept.every(({ calls }) => calls.length > 0)).toBe(true);
    expect(reading).toMatchObject({ cut: ['143 receivers could not be read, and are left out.'] });
  });
});

function rootOf(reading: Awaited<ReturnType<typeof readRouting>>): Route | null {
  const routing = reading.type === 'ok' ? reading.facts.find((fact) => fact.type === 'routing') : undefined;
  return routing?.root ?? null;
}

function countRoutes(route: Route | null): number {
  return route === null ? 0 : route.routes.reduce((sum, child) => sum + countRoutes(child), 1);
}
