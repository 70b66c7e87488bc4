import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { WireNotifications } from '#lib/api/alarm/alarms.ts';
import type { Moment } from '#lib/api/moment.ts';
import { showPage } from '../testing/show-page.tsx';
import { noAlarms, noNotifications, wireAlarms } from '../testing/wire-alarms.ts';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { alarmsParams, filterFrom } from './alarms-filter.ts';
import { AlarmsScreen } from './alarms-screen.tsx';

function told(part: Partial<WireNotifications>, answer = wireAlarms(), moment: Moment | null = null): string {
  const whole = { ...answer, notifications: noNotifications(part) };
  showPage(
    <AlarmsScreen
      sent={{ params: alarmsParams(filterFrom({})), answer: whole }}
      summary={wireFleetSummary()}
      moment={moment}
    />,
    { answer: () => whole },
  );
  return screen.getByRole('region', { name: /^What Flux tells/ }).textContent;
}

const kind = {
  group: 'helm.toolkit.fluxcd.io',
  kind: 'HelmRelease',
  objects: 9,
  clusters: 2,
  told: { yes: 5, no: 3, unknown: 1 },
};
const finding = {
  clusters: ['eu-west-3', 'us-east-1'],
  clustersTotal: 5,
  alert: 'flux-system/on-call',
  link: 'provider',
  text: 'Alert flux-system/on-call: the Provider of its Alert is not there.',
  mend: 'Create the Provider.',
} satisfies WireNotifications['findings'][number];

it('says how many Alerts there are, which tell nobody with the mend, and how far each kind is told of', () => {
  const text = told({
    alerts: 4,
    clusters: 2,
    kinds: [kind],
    kindsTotal: 1,
    findings: [finding],
    findingsTotal: 16,
    findingLines: 12,
  });
  expect(text).toContain('4 Alerts on 2 clusters.');
  expect(text).toContain(
    'eu-west-3, us-east-1 and 3 more Alert flux-system/on-call: the Provider of its Alert is not there.',
  );
  expect(text).toContain('Mend: Create the Provider.');
  expect(text).toContain('The first 1 of 12.');
  expect(text).toContain('HelmRelease on 2 clusters: 5 would be told of, 3 would not, 1 not known');
});

it.each<readonly [string, Partial<WireNotifications>, string]>([
  ['no Alert is known', {}, 'No Alert is known.'],
  ['all are whole', { alerts: 1, clusters: 1 }, '1 Alert on 1 cluster, none with a fault that is known.'],
  ['some are not known', { unread: ['a', 'b'], unreadTotal: 5 }, 'Not known on a, b and 3 more.'],
  ['it does not count', {}, 'a message in a channel is no page: it does not count as an alarm'],
  ['it counts', { counted: true }, 'counts as an alarm, by policy.alarms.notifications'],
  ['there are more kinds', { kinds: [kind], kindsTotal: 60 }, 'The worst 1 of 60 kinds.'],
])('where %s, it says so', (_what, part, said) => {
  expect(told(part)).toContain(said);
});

it('stands there without any alarm source too', () => {
  expect(told({ alerts: 1, clusters: 1 }, noAlarms('none'))).toContain('1 Alert on 1 cluster');
});

it('of a past moment is not kept', () => {
  expect(told({ unknown: 'not-kept' }, noAlarms('not-kept'))).toContain('What Alerts there were then is not kept.');
});
