import { expect, it } from 'vitest';
import { noticeAnswer, statusAnswer } from '../testing/answers.ts';
import { createLabelReader } from '../words.ts';
import { withMutes } from './mutes.ts';
import { readNotices } from './read-notices.ts';
import { readRouting } from './read-routing.ts';

const address = 'http://am:9093';
/** As Alertmanager 0.25 says of an alert: nothing of mutes. */
const older = { state: 'active', silencedBy: [], inhibitedBy: [] };

/** State of an alert of team `apps` with these routes. */
function stateBy(routes: string, status: object = older): string | undefined {
  const config = `route: { receiver: nobody, routes: [${routes}] }\nreceivers: [{ name: nobody }, { name: oncall, webhook_configs: [{}] }]`;
  const routing = readRouting(statusAnswer(config), address);
  const answer = noticeAnswer({ status, labels: { alertname: 'FluxFailing', team: 'apps' } });
  const notices = readNotices([answer], address, createLabelReader('cluster'));
  if (routing.type === 'failed' || notices.type === 'failed') return undefined;
  const root = routing.facts.find((fact) => fact.type === 'routing')?.root ?? null;
  return withMutes(notices.facts, { root, timed: routing.timed, calling: new Set(['oncall']) })[0]?.state;
}

const plain = '{ receiver: oncall, matchers: [team="apps"] }';
const muted = '{ receiver: oncall, matchers: [team="apps"], mute_time_intervals: [nights] }';

it.each([
  ['untold', 'its one route may be muted', muted],
  ['untold', 'its one route is active at times', '{ receiver: oncall, active_time_intervals: [days] }'],
  ['untold', 'a pattern on the way cannot be told', `{ receiver: oncall, matchers: ['team=~"(a|b)+(p)*"'] }, ${muted}`],
  ['active', 'no route has a time interval', plain],
  ['active', 'another route takes it', `${plain}, ${muted}`],
  ['active', 'a route that is not muted calls too', `${plain.replace('{', '{ continue: true,')}, ${muted}`],
  ['active', 'nobody is called there anyway', muted.replace('oncall', 'nobody')],
  ['active', 'a route below it has none', muted.replace('{', '{ routes: [{ receiver: oncall }],')],
])('of one that does not say what is muted an alert is %s where %s', (state, _why, routes) => {
  expect(stateBy(routes)).toBe(state);
});

it('one that says what is muted is believed', () => {
  expect(stateBy(muted, { ...older, mutedBy: [] })).toBe('active');
  expect(stateBy(muted, { ...older, state: 'suppressed', mutedBy: ['nights'] })).toBe('suppressed');
});

it('what is silenced is told by every one', () => {
  expect(stateBy(muted, { ...older, state: 'suppressed', silencedBy: ['a'] })).toBe('suppressed');
});

it('nothing is known before its routes are', () => {
  const notices = readNotices([noticeAnswer({ status: older })], address, createLabelReader('cluster'));
  const routes = { root: null, timed: new Set<never>(), calling: new Set<string>() };
  expect(notices.type === 'ok' && withMutes(notices.facts, routes)).toMatchObject([{ state: 'untold' }]);
});
