import { expect, it } from 'vitest';
import { second } from '#lib/domain/time/length.ts';
import { noticeAnswer, statusAnswer } from '../testing/answers.ts';
import { createLabelReader } from '../words.ts';
import { withMutes } from './mutes.ts';
import { readGroups } from './read-groups.ts';
import { readNotices } from './read-notices.ts';
import { readRouting } from './read-routing.ts';

const address = 'http://am:9093';
const turn = (): Promise<void> => Promise.resolve();
const startsAt = Date.UTC(2026, 10, 21, 1, 55);
const fires = { labels: { alertname: 'FluxFailing', team: 'apps' } };
/** As an alert of a group stands there; `mutedBy` is absent before Alertmanager 0.28. */
const group = (receiver: string, mutedBy?: readonly string[]) => ({
  receiver: { name: receiver },
  alerts: [noticeAnswer({ status: { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy } })],
});

interface Played {
  readonly routes: string;
  readonly groups?: unknown;
  readonly status?: object;
  readonly after?: number;
}

/** State of an alert of team `apps`, which began to fire `after` ms ago. */
async function said({ routes, groups = null, status = {}, after = 60 * second }: Played): Promise<string> {
  const config = `route: { receiver: nobody, routes: [${routes}] }\nreceivers: [{ name: nobody }, { name: oncall, webhook_configs: [{}] }]`;
  const routing = await readRouting(statusAnswer(config), address, turn);
  const plain = { state: 'active', silencedBy: [], inhibitedBy: [], mutedBy: [] };
  const answer = noticeAnswer({ ...fires, status: { ...plain, ...status } });
  const notices = await readNotices([answer], address, createLabelReader('cluster'), turn);
  if (routing.type === 'failed' || notices.type === 'failed') return 'failed';
  const root = routing.facts.find((fact) => fact.type === 'routing')?.root ?? null;
  const calling = new Set(['oncall']);
  const muting = { root, timed: routing.timed, calling, groups: await readGroups(groups, turn), at: startsAt + after };
  const [notice] = await withMutes(notices.facts, muting, turn);
  return [notice?.state, ...(notice?.mutedBy ?? [])].join(' ');
}

const plain = '{ receiver: oncall, matchers: [team="apps"] }';
const timed = '{ receiver: oncall, matchers: [team="apps"], mute_time_intervals: [nights] }';

it.each([
  ['no route has a time interval', plain],
  ['another route takes it', `${plain}, ${timed}`],
  ['a route that is not muted calls too', `${plain.replace('{', '{ continue: true,')}, ${timed}`],
  ['nobody is called there anyway', timed.replace('oncall', 'nobody')],
  ['a route below has none', timed.replace('{', '{ routes: [{ receiver: oncall }],')],
])('nothing has to be known of mutes where %s', async (_why, routes) => {
  expect(await said({ routes })).toBe('active');
});

it.each([
  ['suppressed nights', 'every group that calls is muted', [group('oncall', ['nights']), group('nobody', [])]],
  ['active', 'a group that calls is not muted', [group('oncall', []), group('oncall', ['nights'])]],
  ['active', 'no group is muted', [group('oncall', [])]],
  ['untold', 'groups do not say, as before 0.28', [group('oncall')]],
  ['untold', 'it stands in no group that calls', [group('nobody', [])]],
  ['untold', 'there is no answer', null],
  ['untold', 'the answer is none', [{ receiver: 7, alerts: [] }]],
])('by a route with a time interval it is %s where %s', async (expected, _why, groups) => {
  expect(await said({ routes: timed, groups })).toBe(expected);
});

it('a route with active intervals may mute, and one that cannot be told', async () => {
  expect(await said({ routes: '{ receiver: oncall, active_time_intervals: [days] }' })).toBe('untold');
  expect(await said({ routes: `{ receiver: oncall, matchers: ['team=~"(a|b)+(p)*"'] }, ${timed}` })).toBe('untold');
});

it('a group is not looked at before its route has waited', async () => {
  const groups = [group('oncall', [])];
  expect(await said({ routes: timed, groups, after: 29 * second })).toBe('unprocessed');
  expect(await said({ routes: timed.replace('{', '{ group_wait: 10s,'), groups, after: 10 * second })).toBe('active');
});

it('what is silenced or inhibited is told by the alert itself', async () => {
  expect(await said({ routes: timed, status: { state: 'suppressed', silencedBy: ['a'] } })).toBe('suppressed');
});

it('nothing is known before routes are', async () => {
  const notices = await readNotices([noticeAnswer(fires)], address, createLabelReader('cluster'), turn);
  const route = { receiver: 'oncall', matchers: [], continues: false, isWhole: true, routes: [] };
  const muting = { root: null, timed: new Map([[route, 0]]), calling: new Set<string>(), groups: null, at: 0 };
  expect(notices.type === 'ok' && (await withMutes(notices.facts, muting, turn))).toMatchObject([{ state: 'untold' }]);
});
