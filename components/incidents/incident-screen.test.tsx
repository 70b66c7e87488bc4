import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireIncidentPage } from '#lib/api/incident.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import {
  deadController,
  overIncident,
  wireIncident,
  wireIncidentPage,
  wireMember,
  wireStep,
} from '../testing/wire-incident.ts';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { wireSuspects } from '../testing/wire-suspect.ts';
import { IncidentScreen } from './incident-screen.tsx';
import { MissingIncident } from './missing-incident.tsx';

function showIncident(page: WireIncidentPage, answer: (path: string) => unknown = () => page) {
  const params = { id: page.mergedFrom?.id ?? page.incident.id };
  const { id } = page.incident;
  const suspects = { params: { incident: id }, answer: wireSuspects(id, null) };
  return showPage(<IncidentScreen sent={{ params, page, suspects }} summary={wireFleetSummary()} moment={null} />, {
    answer,
  });
}

const said = () => document.querySelector('.say')?.textContent;
const figures = () =>
  [...document.querySelectorAll('.figures > div')].map((figure) =>
    [...figure.children].map((part) => part.textContent).join(' | '),
  );

it.each([
  [999, 'the newest 1 call of 999; by when they were known'],
  [1_000, 'the newest 1 call of at least 1,000; by when they were known'],
])('of %i calls it says as many as were counted', (count, note) => {
  const { calls } = wireIncident();
  if (calls === null) throw new Error('no calls');
  showIncident(wireIncidentPage({ incident: wireIncident({ calls: { ...calls, count } }), callsLeftOut: true }));
  expect(document.querySelector('#calls')?.textContent).toContain(note);
});

const flapping = wireIncident({
  title: 'checkout on 9 clusters',
  takenFor: [{ title: 'Kustomization flux-system/checkout on eu-west-3', until: minutesAgo(41) }],
  now: { objects: 4, clusters: 3, environments: null },
  most: { objects: 14, clusters: 9, environments: 2 },
  returns: 1,
  members: 31,
  objectTime: 7 * 3_600_000,
  clusterCount: 23,
  planned: true,
  links: { self: '/incidents/checkout0047', cause: null },
});

describe('an incident', () => {
  it('of one object says how bad, for how long and how far', () => {
    showIncident(wireIncidentPage());
    expect(document.title).toBe('Diverged: Kustomization flux-system/checkout on eu-west-3 · Plumbline');
    expect(said()).toBe('Diverged for 47 min. It reaches 1 object, and never reached more.');
    expect(figures()).toEqual([
      'Began | 21 Nov 02:12:14 UTC | seen as it began',
      'Now | 1 object | on 1 cluster; ongoing for 47 min',
      'At its worst | 1 object | on 1 cluster in 1 environment',
      'Reach times time | 47 object-minutes | of 1 member on 1 cluster',
    ]);
    const cause = within(screen.getByRole('region', { name: 'Cause' }));
    expect(cause.getByRole('link', { name: /checkout/ }).getAttribute('href')).toBe(
      '/clusters/eu-west-3/kustomize.toolkit.fluxcd.io/Kustomization/flux-system/checkout',
    );
    expect(cause.getByText(/^It worked at/).textContent).toBe(
      'It worked at 2d81e55, first failed at 9f31c07, at least 1 between.',
    );
  });

  it('that goes on says how far it went, that it came back, what it was taken for, and that work is planned', () => {
    showIncident(wireIncidentPage({ incident: flapping }));
    expect(said()).toBe(
      'Diverged for 47 min. It reaches 4 objects on 3 clusters now; at its worst it reached 14 objects on 9 clusters in 2 environments. ' +
        'It was over and came back once. Until 21 Nov 02:18:14 UTC it was taken for Kustomization flux-system/checkout on eu-west-3. ' +
        'All its clusters are under planned work now.',
    );
    const cause = screen.getByRole('region', { name: 'Cause' });
    expect(cause.textContent).toContain('eu-west-3 and 22 more clusters');
    expect(within(cause).queryByRole('link', { name: 'checkout on 9 clusters' })).toBeNull();
  });

  it('that is over says how it ended; what began while nobody looked, only at least how long', () => {
    showIncident(wireIncidentPage({ incident: overIncident(), members: [], steps: [] }));
    expect(document.title).toBe('Stale, over: kustomize-controller on stg-edge · Plumbline');
    expect(said()).toBe(
      'Over; it was stale for at least 20 min: all converged. At its worst it reached 14 objects on 1 cluster.',
    );
    expect(figures().slice(0, 2)).toEqual([
      'Began, at the latest | 20 Nov 21:59:14 UTC | it began while nobody looked',
      'Ended | 20 Nov 22:19:14 UTC | after at least 20 min: all converged',
    ]);
  });

  it('that was noticed late says so', () => {
    showIncident(wireIncidentPage({ incident: wireIncident({ noticedAt: minutesAgo(43) }) }));
    expect(figures()[0]).toContain('noticed 4 min later');
  });
});

describe('the story of an incident', () => {
  const steps = [
    wireStep('opened', 47, 1),
    wireStep('grown', 46, 3),
    wireStep('grown', 45, 9),
    wireStep('shrunk', 40, 4),
  ];

  it('is drawn, and is there as a table and in lines', () => {
    showIncident(wireIncidentPage({ incident: flapping, steps, stepsLeftOut: true }));
    const reach = screen.getByRole('region', { name: /^Reach/ });
    expect(reach.querySelector('.reach-line')?.getAttribute('d')).toMatch(/^M0 72H0V64H21\.3V/);
    const table = within(reach).getByRole('table', { name: 'Reach over time' });
    expect(
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(['21 Nov 02:12:14 UTC11', '21 Nov 02:13:14 UTC31', '21 Nov 02:14:14 UTC91', '21 Nov 02:19:14 UTC41']);
    expect(reach.textContent).toContain('earlier steps are not listed');
    const lines = within(screen.getByRole('table', { name: 'Steps of the incident' }))
      .getAllByRole('row')
      .slice(1);
    expect(lines.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ['21 Nov 02:12:14 UTC', 'Noticed: Kustomization flux-system/checkout on eu-west-3', '1 object'],
      ['21 Nov 02:13:14 UTC to 02:14:14 UTC', 'Grew by 8 objects, in 2 steps', '9 objects on 1 cluster'],
      ['21 Nov 02:19:14 UTC', 'Shrank by 5 objects', '4 objects on 1 cluster'],
    ]);
  });

  it('that has only just begun is drawn up to now, and not beyond', () => {
    const begun = minutesAgo(0.5);
    showIncident(
      wireIncidentPage({ incident: wireIncident({ openedAt: begun }), steps: [wireStep('opened', 0.5, 1)] }),
    );
    expect(document.querySelector('.time-axis .end')?.textContent).toBe('now');
    expect(document.querySelector('.reach-line')?.getAttribute('d')).toBe('M0 72H500V0H1000V72');
  });

  it('has the times in which nobody looked, and what they leave open', () => {
    const blind = [
      { cluster: 'eu-west-3', from: minutesAgo(60), to: minutesAgo(47), reason: 'no route' },
      { cluster: 'us-east-1', from: minutesAgo(20), to: null, reason: '' },
    ];
    showIncident(wireIncidentPage({ blind, blindLeftOut: true }));
    const cause = screen.getByRole('region', { name: 'Cause' });
    expect(
      within(cause)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'eu-west-3: from 21 Nov 01:59:14 UTC to 21 Nov 02:12:14 UTC, no route',
      'us-east-1: from 21 Nov 02:39:14 UTC until now',
    ]);
    expect(cause.textContent).toContain(
      'There were more. Meanwhile it may have begun, ended, or been over for a while.',
    );
    // The first ended as the incident began: only the second lies on the picture.
    expect(document.querySelectorAll('.reach-blind')).toHaveLength(1);
  });
});

describe('members of an incident', () => {
  const own = wireMember({ from: minutesAgo(47) });
  const beneath = wireMember({
    ref: { cluster: 'stg-edge', group: 'g', kind: 'Kustomization', namespace: 'flux-system', name: 'policy' },
    to: minutesAgo(20),
    ended: 'converged',
    verdict: 'waiting',
    reason: 'DependencyNotReady',
    own: false,
    cause: deadController,
  });

  it('are told from when to when, with their fault or whose it was', () => {
    showIncident(wireIncidentPage({ members: [own, beneath] }));
    const rows = within(screen.getByRole('table', { name: 'What is and was in the incident' })).getAllByRole('row');
    expect(rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent?.trim()))).toEqual([
      [
        'Diverged',
        'checkout Kustomization in flux-system',
        'eu-west-3',
        '21 Nov 02:12:14 UTC',
        'still in it',
        '47 min',
        'BuildFailed, its own fault',
      ],
      [
        'Waiting',
        'policy Kustomization in flux-system',
        'stg-edge',
        '21 Nov 02:12:14 UTC',
        '21 Nov 02:39:14 UTC',
        '27 min, converged',
        'DependencyNotReady, because of kustomize-controller on stg-edge',
      ],
    ]);
  });

  it('beneath the cause of the incident do not name it once more', () => {
    showIncident(wireIncidentPage({ incident: overIncident(), members: [beneath] }));
    expect(screen.getByRole('row', { name: /policy/ }).lastElementChild?.textContent).toBe(
      'DependencyNotReady, beneath it',
    );
  });

  it('lead to every absence on their clusters meanwhile, where all of these are named', () => {
    showIncident(wireIncidentPage({ incident: overIncident() }));
    const link = screen.getByRole('link', { name: 'every absence on its cluster meanwhile' });
    expect(link.getAttribute('href')).toBe(
      '/absences?cluster=stg-edge&from=2026-11-20T21%3A59%3A14.000Z&to=2026-11-20T22%3A19%3A14.000Z',
    );
  });

  it('lead to no absences where their clusters are too many', () => {
    showIncident(wireIncidentPage({ incident: flapping }));
    expect(screen.queryByRole('link', { name: /^every absence/ })).toBeNull();
  });

  it('come page by page, and all of them as a file', async () => {
    const { user, asked } = showIncident(wireIncidentPage({ members: [own], nextCursor: 'next' }), () =>
      wireIncidentPage({ members: [own, beneath] }),
    );
    expect(screen.getByRole('link', { name: 'All as CSV' }).getAttribute('href')).toBe(
      '/api/v1/incidents/checkout0047?format=csv',
    );
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(screen.getByText('2 members')).toBeTruthy());
    expect(asked).toEqual(['/api/v1/incidents/checkout0047?cursor=next']);
  });
});

describe('the address of an incident', () => {
  it('of one that is part of another now says so', () => {
    showIncident(wireIncidentPage({ mergedFrom: { id: 'younger00001', at: minutesAgo(38) } }));
    expect(screen.getByText(/^The incident of this address/).textContent).toBe(
      'The incident of this address, younger00001, turned out to be one with this one at 21 Nov 02:21:14 UTC.',
    );
  });

  it('that none has leads on', () => {
    showPage(<MissingIncident id="nope" summary={wireFleetSummary()} moment={null} />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('There is no incident nope.');
    expect(screen.getByRole('link', { name: 'Incidents of the last 90 days' }).getAttribute('href')).toBe(
      '/incidents?last=90d',
    );
  });

  it('of one that was not known yet then says so', () => {
    const moment = { at: '2026-11-21T01:00:00Z', previous: null, next: null };
    showPage(<MissingIncident id="checkout0047" summary={wireFleetSummary()} moment={moment} />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      'As known then, there was no incident checkout0047.',
    );
    expect(screen.getByText('It may have been noticed later.')).toBeTruthy();
  });
});

describe('while it is looked at', () => {
  const news = (incident: string, into: string | null = null) => ({
    ...wireStep('closed', 0, 0),
    position: 7,
    incident,
    into,
  });
  const over = wireIncidentPage({ incident: wireIncident({ closedAt: minutesAgo(0), ended: 'converged' }) });

  it('its own steps bring it anew, those of others do not', async () => {
    const { asked } = showIncident(wireIncidentPage(), () => over);
    act(() => FakeEventSource.last.send({ type: 'incidents', news: [news('another00001')] }));
    expect(asked).toEqual([]);
    act(() => FakeEventSource.last.send({ type: 'incidents', news: [news('another00001'), news('checkout0047')] }));
    await waitFor(() => expect(said()).toContain('Over; it was diverged for 47 min: all converged.'));
    expect(asked).toEqual(['/api/v1/incidents/checkout0047']);
  });

  it('what becomes of it is said aloud', async () => {
    showIncident(wireIncidentPage(), () => over);
    act(() => FakeEventSource.last.send({ type: 'incidents', news: [news('checkout0047')] }));
    expect(
      await screen.findByText('Kustomization flux-system/checkout on eu-west-3: over, all converged.'),
    ).toBeTruthy();
  });

  it('so does one that turns out to be part of it', async () => {
    const { asked } = showIncident(wireIncidentPage(), () => over);
    act(() => FakeEventSource.last.send({ type: 'incidents', news: [news('another00001', 'checkout0047')] }));
    await waitFor(() => expect(asked).toEqual(['/api/v1/incidents/checkout0047']));
  });

  it('what cannot be asked for again is told to be of before', async () => {
    showIncident(wireIncidentPage(), () => ({ nonsense: true }));
    act(() => FakeEventSource.last.send({ type: 'reset', at: minutesAgo(0) }));
    expect(await screen.findByText(/What stands here is from before\./)).toBeTruthy();
    expect(said()).toContain('Diverged for 47 min');
  });
});
