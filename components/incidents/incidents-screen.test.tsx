import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireIncidentList } from '#lib/api/incident.ts';
import type { WireSuspicion } from '#lib/api/git/suspect.ts';
import type { ShownViewer } from '#lib/domain/access/visit.ts';
import { ViewerProvider } from '../shell/viewer/viewer.tsx';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import {
  deadController,
  overIncident,
  wireIncident,
  wireIncidentPage,
  wireIncidents,
  wireMember,
} from '../testing/wire-incident.ts';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { incidentParamsFrom } from './incident-filter.ts';
import { suspectedIn } from '../suspects/suspected-in.ts';
import { wireSuspects, wireSuspicion } from '../testing/wire-suspect.ts';
import { IncidentsScreen } from './incidents-screen.tsx';

function showIncidents(
  list: WireIncidentList,
  search = '',
  answer: (path: string) => unknown = () => list,
  suspicion: WireSuspicion | null = null,
) {
  const params = incidentParamsFrom(Object.fromEntries(new URLSearchParams(search)));
  const ids = suspectedIn(list.rows);
  const suspects = { params: { incident: ids }, answer: wireSuspects(ids, suspicion) };
  return showPage(<IncidentsScreen sent={{ params, list, suspects }} summary={wireFleetSummary()} moment={null} />, {
    search,
    answer,
  });
}

const sentence = () => screen.getByRole('heading', { level: 1 }).textContent;
const table = () => screen.getByRole('table', { name: 'What failed, one line a cause' });
const rows = () =>
  within(table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent?.trim()));

const flapping = wireIncident({
  id: 'flapping0001',
  title: 'checkout on 9 clusters',
  takenFor: [{ title: 'Kustomization flux-system/checkout on eu-west-3', until: minutesAgo(41) }],
  now: { objects: 4, clusters: 3, environments: null },
  most: { objects: 14, clusters: 9, environments: 2 },
  returns: 2,
  planned: true,
});

describe('incidents', () => {
  it('say how many there are, then each: worst, cause, since when, for how long, how far, commits', () => {
    showIncidents(wireIncidents([wireIncident(), overIncident()]));
    expect(sentence()).toBe('1 incident is ongoing. 2 are known in this period.');
    expect(rows()).toEqual([
      [
        'Diverged',
        'Kustomization flux-system/checkout on eu-west-3 BuildFailed called after 4 min by FluxObjectNotReady',
        '21 Nov 02:12:14 UTC',
        '47 min, ongoing',
        '1 object, still',
        'worked at 2d81e55, first failed at 9f31c07, at least 1 between',
      ],
      [
        'Stale',
        'kustomize-controller on stg-edge ControllerDead called after 4 min by FluxObjectNotReady',
        'before 20 Nov 21:59:14 UTC',
        'at least 20 min, converged',
        '14 objects on 1 cluster',
        '',
      ],
    ]);
    expect(within(table()).getByRole('link', { name: deadController.title }).getAttribute('href')).toBe(
      '/incidents/kustomize300',
    );
  });

  it('say how far they went and go, what they were taken for, that they came back, and that work is planned', () => {
    showIncidents(wireIncidents([flapping]));
    expect(rows()[0]?.[1]).toBe(
      'checkout on 9 clusters BuildFailed; came back 2 times; first taken for Kustomization flux-system/checkout on eu-west-3; under planned work called after 4 min by FluxObjectNotReady',
    );
    expect(rows()[0]?.[4]).toBe('14 objects on 9 clusters in 2 environments, now 4 objects on 3 clusters');
  });

  it.each([
    ['seen', 'seen again'],
    ['suspended', 'suspended'],
    ['removed', 'removed'],
    ['forgotten', 'no longer watched'],
    ['moved', 'another cause'],
  ] as const)('that ended %s say "%s"', (ended, words) => {
    showIncidents(wireIncidents([overIncident({ ended })]));
    expect(rows()[0]?.[3]).toBe(`at least 20 min, ${words}`);
  });

  it('are accounted for, every number that is a list leading there', () => {
    const sums = {
      opened: 12,
      openAtStart: 2,
      closed: 9,
      closedFromBefore: 1,
      gone: 1,
      open: 4,
      large: 3,
      members: 88,
    };
    showIncidents(
      wireIncidents([wireIncident()], {
        figures: { ...sums, medianToConverge: 840_000, medianToConvergeAtLeast: true, medianToNotice: 5000 },
      }),
      '?cluster=eu-west-3&last=30d',
    );
    expect(sentence()).toBe('4 incidents are ongoing. 14 are known in this period, 2 of them from before it.');
    const values = [...document.querySelectorAll('.account-value')].map((value) => value.textContent);
    expect(values).toEqual(['12', '+2', '=9', '+1', '+4', '3', 'at least 14 min', '5 s']);
    expect([...document.querySelectorAll('.account-value a')].map((link) => link.getAttribute('href'))).toEqual([
      '/incidents?cluster=eu-west-3&last=30d&open=false',
      '/incidents?cluster=eu-west-3&last=30d&open=false',
      '/incidents?cluster=eu-west-3&last=30d&open=true',
      '/incidents?cluster=eu-west-3&last=30d&objects=5',
    ]);
  });
});

describe('the sentence on incidents', () => {
  const of = (opened: number, openAtStart: number, open: number): WireIncidentList => {
    const list = wireIncidents([wireIncident()]);
    return { ...list, figures: list.figures && { ...list.figures, opened, openAtStart, open } };
  };
  it.each([
    [of(1, 0, 1), '1 incident is ongoing. It began in this period.'],
    [of(0, 1, 1), '1 incident is ongoing. It is from before this period.'],
    [of(1, 0, 0), 'No incident is ongoing. 1 is known in this period.'],
    [of(0, 1, 0), 'No incident is ongoing. 1 is known in this period, from before it.'],
    [of(5, 0, 5), '5 incidents are ongoing. 5 are known in this period.'],
    [
      { ...of(5, 0, 2), to: minutesAgo(600) },
      '2 incidents were ongoing as this period ended. 5 are known in this period.',
    ],
    [
      { ...of(5, 0, 0), to: minutesAgo(600) },
      'No incident was ongoing as this period ended. 5 are known in this period.',
    ],
  ])('%#: %s', (list, words) => {
    showIncidents(list);
    expect(sentence()).toBe(words);
  });

  it('says first that its figures are of more than is listed', () => {
    showIncidents(of(5, 0, 2), '?cause=controller');
    expect(sentence()).toBe('Of every verdict, cause and size: 2 incidents are ongoing. 5 are known in this period.');
  });
});

describe('where no incident is listed', () => {
  it('that is said of the period only where all of it is known', () => {
    showIncidents(wireIncidents([]));
    expect(sentence()).toBe('No incident is known in this period.');
    expect(screen.getByText('No incident is known of this period.')).toBeTruthy();
    expect(document.querySelector('.accounts')).toBeNull();
  });

  it('and nothing has been made into incidents yet, nothing is claimed', () => {
    showIncidents(wireIncidents([], { figures: null, made: { upTo: null } }));
    expect(sentence()).toBe('What failed in this period is not told yet.');
    expect(screen.getByText(/still being made into incidents: none of it is told yet/)).toBeTruthy();
    expect(screen.queryByText(/No incident/)).toBeNull();
  });

  it('and not all has been made into incidents, that is said of what has been', () => {
    showIncidents(wireIncidents([], { made: { upTo: minutesAgo(40) } }));
    expect(sentence()).toBe('No incident is known in this period so far.');
    expect(screen.getByText('No incident is known of this period so far.')).toBeTruthy();
  });

  it('by a filter, what narrows it is named, each with its way out', async () => {
    const { user, urls } = showIncidents(wireIncidents([]), '?verdict=stale,drifted&objects=20&minutes=60&open=true');
    expect(screen.getByText(/^No incident of everything on every cluster matches/)).toBeTruthy();
    const ways = screen.getAllByRole('button', { name: /^Look without/ });
    expect(ways.map((way) => way.textContent)).toEqual([
      'Look without worst stale or drifted',
      'Look without ongoing',
      'Look without at least 20 objects',
      'Look without at least 1 h',
    ]);
    await user.click(screen.getByRole('button', { name: 'Look without at least 20 objects' }));
    expect(urls.at(-1)).toBe('?verdict=stale,drifted&minutes=60&open=true');
  });
});

describe('stored history that is still being made into incidents', () => {
  it('is said, and what lasts is counted only up to where it is known', () => {
    showIncidents(wireIncidents([wireIncident()], { made: { upTo: minutesAgo(40) } }));
    expect(screen.getByText(/told is what was known at 21 Nov 02:19:14 UTC/)).toBeTruthy();
    expect(rows()[0]?.[3]).toBe('7 min, ongoing');
  });

  it('is asked for again as it goes on', async () => {
    const { asked } = showIncidents(wireIncidents([wireIncident()], { made: { upTo: minutesAgo(40) } }), '', () =>
      wireIncidents([wireIncident(), overIncident()]),
    );
    act(() => FakeEventSource.last.send({ type: 'tick', at: minutesAgo(0), lastWordAt: null }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(asked).toEqual(['/api/v1/incidents?last=7d']);
    expect(screen.queryByText(/still being made/)).toBeNull();
  });
});

describe('filters of incidents', () => {
  it('stand in the URL, and the file has the same', async () => {
    const list = wireIncidents([overIncident()]);
    const { user, asked, urls } = showIncidents(list, '?label=environment%3Dproduction');
    const choose = (name: string, word: string) => user.selectOptions(screen.getByRole('combobox', { name }), word);
    await choose('State', 'over');
    await choose('Cause', 'controller');
    await choose('Objects, at least', '20');
    await choose('For at least', '1 h');
    await choose('Order', 'largest');
    const query =
      'label=environment%3Dproduction&cause=controller&open=false&objects=20&minutes=60&order=largest&last=7d';
    await waitFor(() => expect(asked.at(-1)).toBe(`/api/v1/incidents?${query}`));
    expect(urls.at(-1)).toContain('minutes=60');
    expect(screen.getByRole('link', { name: 'All as CSV' }).getAttribute('href')).toBe(
      `/api/v1/incidents?${query}&format=csv`,
    );
  });

  it.each([
    [null, false],
    [true, false],
    [false, true],
  ] as const)('offer causes outside the view where the viewer sees %j of everything: %j', (whole, isOffered) => {
    const list = wireIncidents([overIncident()]);
    const params = incidentParamsFrom({});
    const viewer: ShownViewer | null =
      whole === null
        ? null
        : { name: 'Ada', subject: 'ada', by: 'session', roles: ['viewer'], sees: [], whole, until: null, logout: null };
    const suspects = { params: { incident: '' }, answer: wireSuspects('', null) };
    showPage(
      <ViewerProvider viewer={viewer}>
        <IncidentsScreen sent={{ params, list, suspects }} summary={wireFleetSummary()} moment={null} />
      </ViewerProvider>,
    );
    const cause = screen.getByRole('combobox', { name: 'Cause' });
    expect(within(cause).queryByRole('option', { name: 'outside' }) !== null).toBe(isOffered);
  });

  it('that cannot be read filter nothing', () => {
    expect(incidentParamsFrom({ verdict: 'sale', cause: 'weather', objects: '-1', open: 'yes' })).toEqual({
      last: '7d',
    });
  });
});

describe('members', () => {
  const answer = (path: string) =>
    path.startsWith('/api/v1/incidents/')
      ? wireIncidentPage({
          incident: overIncident(),
          members: [
            wireMember({ from: minutesAgo(300), to: minutesAgo(280), ended: 'converged', verdict: 'stale' }),
            wireMember({ ref: null, cluster: 'stg-edge', objects: 14, verdict: 'unobserved', reason: 'unreachable' }),
          ],
          nextCursor: 'more',
        })
      : wireIncidents([overIncident()]);

  it('unfold beneath their line, the first 50, with the way to all', async () => {
    const { user, asked } = showIncidents(wireIncidents([overIncident({ members: 1000 })]), '', answer);
    const unfold = screen.getByRole('button', { name: '1,000 members of kustomize-controller on stg-edge' });
    await user.click(unfold);
    expect(unfold.getAttribute('aria-expanded')).toBe('true');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
    expect(asked).toEqual(['/api/v1/incidents/kustomize300?limit=50']);
    const [first, second] = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(first).toBe(
      ' Stalecheckout Kustomization in flux-systemeu-west-320 Nov 21:59:14 UTC20 min, convergedBuildFailed, its own fault',
    );
    expect(second).toContain('all of stg-edge 14 objects');
    expect(screen.getByText(/^50 of 1,000/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'all of them' }).getAttribute('href')).toBe(
      '/incidents/kustomize300#members',
    );
    await user.click(unfold);
    expect(screen.queryByRole('listitem')).toBeNull();
  });

  it('unfold and fold by keys, from line to line', async () => {
    const { user } = showIncidents(wireIncidents([wireIncident(), overIncident()]), '', answer);
    screen.getByRole('link', { name: 'Kustomization flux-system/checkout on eu-west-3' }).focus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(document.activeElement?.textContent).toBe('kustomize-controller on stg-edge');
    expect(screen.getByRole('button', { name: /^16 members/ }).getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{ArrowLeft}');
    expect(screen.getByRole('button', { name: /^16 members/ }).getAttribute('aria-expanded')).toBe('false');
  });
});

it('a step of an incident brings the list anew', async () => {
  const { asked } = showIncidents(wireIncidents([wireIncident()]), '', () => wireIncidents([overIncident()]));
  const [step] = wireIncidentPage().steps;
  if (step === undefined) throw new Error('The page has no step.');
  act(() =>
    FakeEventSource.last.send({ type: 'incidents', news: [{ ...step, position: 1, incident: 'any', into: null }] }),
  );
  await waitFor(() => expect(rows()[0]?.[0]).toBe('Stale'));
  expect(asked).toEqual(['/api/v1/incidents?last=7d']);
});

it('a single suspect stands in its line', () => {
  showIncidents(wireIncidents([wireIncident()]), '', undefined, wireSuspicion());
  expect(rows()[0]?.at(-1)).toContain('suspect: 9f31c07 checkout: split the ingress by country (#412), Ines Duarte');
});

it('a past moment is asked of, and leads on at that moment', () => {
  const at = '2026-11-21T02:30:00Z';
  const list = wireIncidents([wireIncident()]);
  const moment = { at, previous: null, next: null };
  showPage(
    <IncidentsScreen sent={{ params: { last: '7d', at }, list }} summary={wireFleetSummary()} moment={moment} />,
    { search: `?at=${at}`, answer: () => list },
  );
  expect(rows()[0]?.[3]).toBe('17 min, ongoing');
  expect(
    within(table())
      .getByRole('link', { name: /checkout/ })
      .getAttribute('href'),
  ).toBe(`/incidents/checkout0047?at=${at}`);
  expect(screen.getByRole('link', { name: 'All as CSV' }).getAttribute('href')).toContain(
    `at=${encodeURIComponent(at)}`,
  );
});
