import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Moment } from '#lib/api/moment.ts';
import type { WireObjectPage } from '#lib/api/object.ts';
import { alarmsUnknown, type AlarmsUnknown } from '#lib/domain/alarm/link.ts';
import { showPage } from '../../testing/show-page.tsx';
import { minutesAgo, wireFleetSummary } from '../../testing/wire-fleet.ts';
import {
  failingCheckout,
  silentChain,
  soundingChain,
  wireAlarm,
  wireChain,
  wireObject,
  wireObjectPage,
} from '../../testing/wire-object.ts';
import { wireRecordOf } from '../../testing/wire-record.ts';
import { ObjectScreen } from '../object-screen.tsx';

function show(page: WireObjectPage, moment: Moment | null = null) {
  showPage(
    <ObjectScreen page={page} summary={wireFleetSummary()} moment={moment} record={wireRecordOf(page.object)} />,
    { answer: () => page },
  );
}

const section = () => screen.getByRole('region', { name: /^Alarm/ });
const pageOf = (chain: WireObjectPage['chain'], object = failingCheckout({ alarm: chain.alarm })) =>
  wireObjectPage({ object, chain });

describe('an object that is silent', () => {
  it('says at the top that nobody is being called, why, and what mends it, and leads to the chain', () => {
    show(pageOf(silentChain()));
    expect(document.querySelector('.say')?.textContent).toContain(
      'Diverged for 47 min, and nobody is being called: no rule reads it.',
    );
    const short = document.querySelector('.alarm-short');
    expect(short?.textContent).toBe(
      'Broken link: Rule. Load a rule on gotk_resource_info{ready="False"}; "plumbline rules" writes it.',
    );
    expect(screen.getByRole('link', { name: 'Broken link: Rule' }).getAttribute('href')).toBe('#alarm');
    expect(document.querySelector('#alarm')?.textContent).toContain('Alarm');
  });

  it('tells the links in their order, each with its state as a word', () => {
    show(pageOf(silentChain()));
    expect(section().textContent).toContain('Nobody is being called: no rule reads it.');
    expect(section().textContent).toContain('Mend: Load a rule on');
    expect(section().textContent).toContain('as read at 02:58:44 UTC');
    const links = within(section())
      .getByRole('list', { name: /^Links/ })
      .querySelectorAll('li');
    expect(Array.from(links, ({ textContent }) => textContent)).toEqual([
      'Serieswholegotk_resource_info has a series of it. 21 Nov 02:58:14 UTC',
      'RulebrokenNo rule of prometheus-eu reads gotk_resource_info.',
      'Conditionnot reachedNot reached: no rule reads it.',
      'Deliverynot reachedNot reached: no rule reads it.',
      'Receivernot reachedNot reached: no rule reads it.',
    ]);
  });

  it('gives no mend of a chain that was told before the alarm became another', () => {
    const alarm = wireAlarm({ state: 'silent', broken: 'receiver' });
    show(pageOf(silentChain(), failingCheckout({ alarm })));
    expect(document.querySelector('.alarm-short')?.textContent).toBe('Broken link: Receiver.');
    expect(section().textContent).not.toContain('Mend');
  });
});

describe('an object with an alarm sounding', () => {
  it('says since when, and who is called', () => {
    show(pageOf(soundingChain()));
    expect(section().textContent).toContain('SOUNDING since 21 Nov 02:31:14 UTC, oncall (pagerduty).');
    expect(document.querySelector('.say')?.textContent).toContain(
      'Diverged for 47 min, and an alarm is sounding: oncall (pagerduty).',
    );
    expect(document.querySelector('.alarm-short')).toBeNull();
  });

  it('lists the alerts with their labels, receivers and state', () => {
    show(pageOf(soundingChain()));
    const text = section().textContent;
    expect(text).toContain(
      'FluxReconciliationFailure sounding, since 21 Nov 02:31:14 UTC, to oncall (pagerduty) (prometheus-eu)',
    );
    expect(text).toContain('FluxNotReady held back, since 21 Nov 02:19:14 UTC, to team (slack)');
    expect(text).toContain('exported_namespace=flux-system');
    expect(text).not.toContain('alertname=');
  });

  it('says for what, and how many alerts are not listed', () => {
    const alarm = wireAlarm({ state: 'sounding', since: minutesAgo(28), by: 'cause' });
    show(pageOf({ ...soundingChain(), alarm, alertsTotal: 60 }));
    expect(section().textContent).toContain('SOUNDING for its root cause since 21 Nov 02:31:14 UTC');
    expect(section().textContent).toContain('The first 2 of 60 alerts.');
  });

  it('says that more alerts may concern it than were looked at', () => {
    show(pageOf({ ...soundingChain(), alertsTotal: null }));
    expect(section().textContent).toContain('More alerts may concern it: too many to look at.');
  });
});

it.each<[AlarmsUnknown, string]>([
  ['none', 'no alert source is configured'],
  ['not-covered', 'no alert source speaks for its cluster'],
  ['not-read', 'an alert source of its cluster cannot be read'],
  ['cut', 'an alert source of its cluster tells more than is read, so what is missing may be there'],
  ['not-kept', 'alarms are not kept'],
  ['not-seen', 'the object itself is not seen'],
])('that nothing is known (%s) is said with its reason', (why, said) => {
  expect(alarmsUnknown).toContain(why);
  show(pageOf(wireChain({ alarm: wireAlarm({ state: 'unknown', why }) })));
  expect(section().textContent).toContain(`Whether anybody was called is not known: ${said}.`);
});

it.each([
  ['pending', silentChain(), 'Nobody is called yet, and no call is due yet: no rule reads it.'],
  [
    'not due, of a chain that is whole',
    wireChain({ alarm: wireAlarm({ state: 'not-due' }) }),
    'No alarm is due for it now.',
  ],
  [
    'not due, where no rule reads it',
    { ...silentChain(), alarm: wireAlarm({ state: 'not-due' }) },
    'No alarm is due for it now. If it left git, nobody would be called: no rule reads it.',
  ],
  [
    'not due, without a source',
    wireChain({ alarm: wireAlarm({ state: 'unknown', why: 'none' }) }),
    'No alarm is due for it now. Whether anybody would be called is not known: no alert source is configured.',
  ],
] as const)('what is %s says so', (what, chain, said) => {
  const pending = what === 'pending';
  const alarm = pending ? wireAlarm({ state: 'pending', broken: 'rule' }) : wireAlarm({ state: 'not-due' });
  const object = pending ? failingCheckout({ alarm }) : wireObject({ alarm });
  show(pageOf({ ...chain }, object));
  expect(section().querySelector('p')?.textContent).toBe(said);
});

it('of a past moment says that alarms are not kept, whatever is known now', () => {
  show(pageOf(silentChain()), { at: minutesAgo(300), previous: null, next: null });
  expect(section().textContent).toBe('AlarmWhat alarms were then is not kept.');
  expect(document.querySelector('.alarm-short')).toBeNull();
});

describe('what Flux tells of an object', () => {
  const notified = {
    state: 'not-told',
    link: 'provider',
    text: 'Flux tells nobody of it: the Provider of its Alert is not there.',
    mend: 'Create the Provider.',
    counted: false,
    alerts: [
      { state: 'broken', text: 'Alert flux-system/a: the Provider of its Alert is not there.' },
      { state: 'unclear', text: 'Alert flux-system/b: the patterns of its Alert may leave its message out.' },
    ],
  } as const;

  it('stands beside the chain, with its mend and each Alert', () => {
    show({ ...pageOf(silentChain()), notified: { ...notified, alerts: [...notified.alerts] } });
    const text = section().textContent;
    expect(text).toContain('Flux tells nobody of it: the Provider of its Alert is not there.');
    expect(text).toContain('A message in a channel is no page: it does not count as an alarm.');
    expect(text).toContain('Mend: Create the Provider.');
    expect(section().querySelectorAll('[aria-label^="Alerts of Flux"] li')).toHaveLength(2);
  });

  it('counts where the policy says so', () => {
    const alarm = wireAlarm({ state: 'sounding', by: 'notification' });
    const told = { ...notified, state: 'told', mend: null, counted: true, alerts: [] } as const;
    show({ ...pageOf(wireChain({ alarm })), notified: { ...told, alerts: [] } });
    expect(section().textContent).toContain('SOUNDING by a notification of Flux.');
    expect(section().textContent).toContain('It counts as an alarm.');
    expect(section().textContent).not.toContain('Mend');
  });

  it('is left out of kinds of which it tells nothing', () => {
    show(pageOf(silentChain()));
    expect(section().textContent).not.toContain('What Flux tells');
  });
});
