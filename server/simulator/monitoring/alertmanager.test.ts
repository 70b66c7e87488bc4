import { describe, expect, it } from 'vitest';
import type { Labels, Matcher, Route } from '#lib/domain/alarm/fact.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { fakeClock } from '../../runtime/fake-clock.ts';
import { createAlertmanager, receiversOf, silenceState } from './alertmanager.ts';
import type { AlertmanagerConfig, SentAlert, Silence } from './board.ts';

function is(name: string, value: string, operator: Matcher['operator'] = '='): Matcher {
  return { name, operator, value };
}

function route(receiver: string, matchers: readonly Matcher[], more: Partial<Route> = {}): Route {
  return { receiver, matchers, continues: false, isWhole: true, routes: [], ...more };
}

const tree = route('nobody', [], {
  routes: [
    route('log', [is('severity', 'page|ticket', '=~')], { continues: true }),
    route('oncall', [is('severity', 'page')], {
      routes: [route('cloud', [is('team', 'cloud')])],
    }),
    route('channel', [is('severity', 'ticket')]),
  ],
});

it.each<[Labels, readonly string[]]>([
  [{ severity: 'page' }, ['log', 'oncall']],
  [{ severity: 'page', team: 'cloud' }, ['log', 'cloud']],
  [{ severity: 'ticket' }, ['log', 'channel']],
  [{ severity: 'info' }, ['nobody']],
  [{}, ['nobody']],
])('routes %o to %o', (labels, receivers) => {
  expect(receiversOf(tree, labels)).toEqual(receivers);
});

const clock = fakeClock();
const start = clock.now();
const config: AlertmanagerConfig = {
  route: tree,
  inhibitions: [
    { source: [is('alertname', 'Drained')], target: [is('severity', 'page')], equal: ['cluster'] },
    { source: [is('name', 'checkout')], target: [is('name', 'checkout|web', '=~')], equal: ['cluster'] },
  ],
  receivers: [],
};
const silence: Silence = {
  id: 'b6c1',
  matchers: [is('name', 'search')],
  startsAt: start - minute,
  endsAt: start + hour,
  updatedAt: start - minute,
  createdBy: 'ines',
  comment: 'known',
};

function sent(labels: Labels, more: Partial<SentAlert> = {}): SentAlert {
  return { labels, annotations: {}, startsAt: start - minute, endsAt: start + 4 * minute, query: 'up', ...more };
}

function standing(...alerts: readonly SentAlert[]): { [name: string]: string } {
  const made = createAlertmanager(config, [silence], clock.now);
  made.receive(alerts);
  const told = [...made.alerts()];
  const nameOf = new Map(told.map(({ fingerprint, labels }) => [fingerprint, labels['name'] ?? labels['alertname']]));
  return Object.fromEntries(
    told.map(({ labels, silencedBy, inhibitedBy }) => [
      labels['name'] ?? labels['alertname'] ?? '',
      [...silencedBy, ...inhibitedBy.map((by) => nameOf.get(by))].join(' '),
    ]),
  );
}

describe('an alert', () => {
  it('is held back by a silence that matches it', () => {
    expect(standing(sent({ name: 'search' }), sent({ name: 'mail' }))).toEqual({ search: 'b6c1', mail: '' });
  });

  it('is held back by another of the same cluster alone', () => {
    const drained = sent({ alertname: 'Drained', cluster: 'a' });
    const paged = { severity: 'page', cluster: 'a' };
    expect(standing(drained, sent({ ...paged, name: 'mail' }))).toEqual({ Drained: '', mail: 'Drained' });
    expect(standing(drained, sent({ ...paged, name: 'mail', cluster: 'b' }))).toEqual({ Drained: '', mail: '' });
  });

  it('does not hold itself back, nor is a source held back by a target', () => {
    expect(standing(sent({ name: 'checkout' }), sent({ name: 'web' }))).toEqual({ checkout: '', web: 'checkout' });
  });

  it('is gone when its end has come, and keeps its beginning while it is sent anew', () => {
    const made = createAlertmanager(config, [], clock.now);
    made.receive([sent({ name: 'a' }), sent({ name: 'b' }, { endsAt: start })]);
    made.receive([sent({ name: 'a' }, { startsAt: start })]);
    expect([...made.alerts()].map(({ labels, startsAt }) => [labels['name'], startsAt])).toEqual([
      ['a', start - minute],
    ]);
  });
});

it.each([
  [-hour, 'pending'],
  [-minute, 'active'],
  [hour - 1, 'active'],
  [hour, 'expired'],
])('a silence %i ms from now is %s', (after, state) => {
  expect(silenceState(silence, start + after)).toBe(state);
});
