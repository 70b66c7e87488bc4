import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireAlarms } from '#lib/api/alarm/alarms.ts';
import type { Moment } from '#lib/api/moment.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import {
  noAlarms,
  wireAlarms,
  wireClusterCoverage,
  wireFinding,
  wireKindCoverage,
  wireReach,
  wireSilentCause,
  wireSource,
} from '../testing/wire-alarms.ts';
import { minutesAgo, wireFleetSummary } from '../testing/wire-fleet.ts';
import { alarmsParams, filterFrom } from './alarms-filter.ts';
import { AlarmsScreen } from './alarms-screen.tsx';

function show(answer: WireAlarms, search = '', moment: Moment | null = null, after: unknown = answer) {
  const params = alarmsParams(filterFrom(Object.fromEntries(new URLSearchParams(search))));
  return showPage(<AlarmsScreen sent={{ params, answer }} summary={wireFleetSummary()} moment={moment} />, {
    search,
    answer: () => after,
  });
}

const section = (name: RegExp) => screen.getByRole('region', { name });
const heading = () => screen.getByRole('heading', { level: 1 });
const hrefs = (within: HTMLElement) =>
  Array.from(within.querySelectorAll('a'), (link) => [link.textContent, link.getAttribute('href')]);
const flux = 'group=kustomize.toolkit.fluxcd.io&kind=Kustomization';

describe('alarms', () => {
  it('say first for how many objects nobody is being called, and how many would call somebody, each with its list', () => {
    show(wireAlarms());
    expect(heading().textContent).toBe(
      'Nobody is being called for 1 object. Somebody would be called for 8 of 14 objects, nobody for 6.',
    );
    expect(hrefs(heading())).toEqual([
      ['1 object', '/objects?guarantee=broken'],
      ['8', '/objects?reach=routed'],
      ['14 objects', '/objects'],
      ['6', '/objects?reach=not-routed'],
    ]);
  });

  it('claim no silence where none is known, and say of how many that is not known', () => {
    const routed = wireReach(2, 0, 12);
    show(wireAlarms({ silent: [], totals: { objects: 14, away: 0, exported: routed, ruled: routed, routed } }));
    expect(heading().textContent).toBe(
      'No object is known to be silent. Somebody would be called for 2 of 14 objects; of 12 that is not known.',
    );
  });

  it('list what is silent before all else, a line a cause, with the broken link and its count, and lead to them', () => {
    const stopped = wireSilentCause({
      key: 'controller',
      title: 'kustomize-controller on stg-edge',
      text: 'stopped: 14 objects stale',
      verdict: 'stale',
      objects: 14,
      broken: { link: 'news', objects: 12, silent: 14 },
      href: '/objects?guarantee=broken&cause=controller',
    });
    show(wireAlarms({ silent: [wireSilentCause(), stopped], silentCauses: 9, silentTotal: 60 }));
    const silent = section(/^Nobody is being called/);
    expect(Array.from(silent.querySelectorAll('li'), ({ textContent }) => textContent.trim())).toEqual([
      'Divergedcheckout on eu-west-3 build fails: no rule reads it47 min',
      'Stalekustomize-controller on stg-edge stopped: 14 objects stale: its alert names a group, and was sounding before it was away (12 of 14 objects)14 objects47 min',
    ]);
    expect(within(silent).getByRole('link', { name: '14 objects' }).getAttribute('href')).toBe(stopped.href);
    expect(silent.textContent).toContain('The worst 2 of 9 causes: all 60 objects');
    expect(within(silent).getByRole('link', { name: 'all 60 objects' }).getAttribute('href')).toBe(
      '/objects?guarantee=broken',
    );
    const sections = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(sections.map((text) => text?.slice(0, 17))).toEqual([
      'Nobody is being c',
      'What weakens the ',
      'What is covered a',
      'Sources where ala',
      'What Flux tells A',
    ]);
  });

  it('group findings by type, each with its mend, and lead to what they concern', () => {
    const concerns = wireFinding({
      title: 'Other',
      objects: 12,
      href: '/objects?kind=HelmRelease',
      at: minutesAgo(60),
    });
    const uncounted = wireFinding({ objects: 3, alike: 9, others: ['It reads gotk_suspend_status.'] });
    show(wireAlarms({ findings: [{ type: 'dead-rule', total: 20, lines: 12, findings: [uncounted, concerns] }] }));
    const group = section(/^Dead rules 20/);
    expect(group.textContent).toContain('They read a metric that has no series at all');
    const [first, , second] = within(group).getAllByRole('listitem');
    expect(first?.textContent).toBe(
      'FluxReconciliationFailure (prometheus-eu) It reads gotk_reconcile_condition, of which there is no series: Flux removed it.Mend: Read gotk_resource_info{ready="False"} in its place.9 more alikeIt reads gotk_suspend_status.and 8 more',
    );
    expect(second?.textContent).toContain('Concerns 12 objects, since 21 Nov 01:59:14 UTC');
    expect(within(group).getByRole('link', { name: '12 objects' }).getAttribute('href')).toBe(
      '/objects?kind=HelmRelease',
    );
    expect(within(group).getByRole('link', { name: 'All 20' }).getAttribute('href')).toBe('/alarms?finding=dead-rule');
  });

  it('show kinds folded, and beneath them their clusters, each number with its list', async () => {
    const { user } = show(wireAlarms());
    const row = screen.getByRole('button', { name: 'Clusters with Kustomization' }).closest('tr');
    if (row === null) throw new Error('it stands in no row');
    expect(hrefs(row)).toEqual([
      ['2 clusters', `/alarms?${flux}`],
      ['10', `/objects?${flux}`],
      ['1', expect.stringContaining(`/objects?${flux}&verdict=diverged%2Cdrifted`)],
      ['1 silent', `/objects?${flux}&guarantee=broken`],
      ['10', `/objects?${flux}&reach=exported`],
      ['4', `/objects?${flux}&reach=ruled`],
      ['6 not', `/objects?${flux}&reach=not-ruled`],
      ['4', `/objects?${flux}&reach=routed`],
      ['6 not', `/objects?${flux}&reach=not-routed`],
    ]);
    expect(screen.queryByRole('row', { name: /^stg-edge/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Clusters with Kustomization' }));
    const below = screen.getByRole('row', { name: /^stg-edge/ });
    expect(below.textContent).toContain('4 by FluxReconciliationFailure');
    expect(below.textContent).toContain('4 to oncall (pagerduty)');
    expect(hrefs(below)).toContainEqual(['4', `/objects?cluster=stg-edge&${flux}&reach=ruled`]);
    expect(screen.getByRole('row', { name: /^eu-west-3/ }).textContent).toContain('not seen to fire');
  });

  it('of a thousand clusters show the worst, how many there are, and the way to all', async () => {
    const clusters = Array.from({ length: 10 }, (_, n) => wireClusterCoverage(`c${n}`));
    const kinds = [
      wireKindCoverage('Kustomization', clusters, { clustersTotal: 1000 }),
      wireKindCoverage('HelmRelease', clusters),
    ];
    const { user } = show(wireAlarms({ kinds }));
    await user.click(screen.getByRole('button', { name: 'Clusters with Kustomization' }));
    expect(screen.getByRole('link', { name: 'All 1,000 clusters' }).getAttribute('href')).toBe(`/alarms?${flux}`);
  });

  it('of one kind show its clusters at once, and ask for all of them', () => {
    const clusters = Array.from({ length: 12 }, (_, n) => wireClusterCoverage(`c${n}`));
    show(
      wireAlarms({ kinds: [wireKindCoverage('Kustomization', clusters, { clustersTotal: 3000 })] }),
      '?kind=Kustomization',
    );
    expect(screen.getByRole('row', { name: /^c11/ })).toBeTruthy();
    expect(screen.getByText('The worst 12 of 3,000 clusters; the file has all.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe(
      '/api/v1/alarms?kind=Kustomization&format=csv',
    );
  });

  it('say why something of a cluster is not known', async () => {
    const none = wireReach(0, 0, 4);
    const row = wireClusterCoverage('a', {
      exported: none,
      ruled: none,
      routed: none,
      rules: [],
      rulesTotal: 0,
      receivers: [],
      receiversTotal: 0,
      why: 'not-covered',
    });
    show(wireAlarms({ kinds: [wireKindCoverage('Kustomization', [row])] }));
    const text = screen.getByRole('row', { name: /^a/ }).textContent;
    expect(text).toContain('4 not known');
    expect(text).toContain('no alert source speaks for its cluster');
  });
});

describe('sources of alarms', () => {
  it('are shown with their state and age, and what was left out', () => {
    show(
      wireAlarms({
        sources: [
          wireSource({ clusters: ['eu-west-3', 'stg-edge'], cut: ['The first 50,000 of 60,000 alerts were read.'] }),
        ],
      }),
    );
    const text = section(/^Sources/).textContent;
    expect(text).toContain('prometheus-eu speaks for eu-west-3, stg-edge');
    expect(text).toContain('Ruleshttp://prometheus:9090 live for 10 h. Read at 21 Nov 02:58:56 UTC.');
    expect(text).toContain('Left outThe first 50,000 of 60,000 alerts were read.');
    expect(screen.getByText('Of prometheus-eu not all is read: nothing is called missing there.')).toBeTruthy();
  });

  it('of a cluster that says more of who is called than is kept, say so above all', () => {
    show(wireAlarms({ cut: [{ kind: 'Alert', clusters: ['a', 'b', 'c', 'd', 'e'], clustersTotal: 30 }] }));
    expect(screen.getByText(/^Not every Alert is read on/).textContent).toBe(
      'Not every Alert is read on a, b, c, d and 26 more: at most 500 objects of a kind, 8 KB of one and 64 KB of a cluster are kept.',
    );
  });

  it('that cannot be read are said before anything that rests on them', () => {
    const failed = {
      ...wireSource().programs[0],
      program: 'prometheus',
      url: 'http://p',
      state: 'failed',
      reason: 'connect ECONNREFUSED',
      since: minutesAgo(4),
      readAt: null,
    } as const;
    show(wireAlarms({ sources: [wireSource({ programs: [failed] })] }));
    expect(
      screen.getByText('prometheus-eu cannot be read (connect ECONNREFUSED): alarms that rest on it are not known.'),
    ).toBeTruthy();
    expect(section(/^Sources/).textContent).toContain(
      'cannot be read for 4 min: connect ECONNREFUSED. Never read whole.',
    );
  });
});

describe('where nothing is known of alarms', () => {
  it('says what to write in plumbline.yaml, and that every paging status is unknown', () => {
    show(noAlarms('none'));
    expect(heading().textContent?.trim()).toBe('Every paging status is unknown: no alert source is configured.');
    expect(document.querySelector('pre')?.textContent).toContain('alarms:\n  - prometheus: http://');
    expect(screen.queryByRole('search')).toBeNull();
  });

  it('says of a past moment that it is not kept', () => {
    show(noAlarms('not-kept'), '', { at: minutesAgo(300), previous: null, next: null });
    expect(heading().textContent?.trim()).toBe('What alarms were then is not kept.');
  });

  it('says while they are not read that nothing counts as called for', () => {
    show(noAlarms('not-read'));
    expect(heading().textContent).toContain('an alert source of its cluster cannot be read');
    expect(screen.getByText(/nothing counts as called for/)).toBeTruthy();
  });
});

describe('the filter of alarms', () => {
  it('stands in the URL and is asked for', async () => {
    const { user, asked, urls } = show(wireAlarms());
    await user.selectOptions(screen.getByRole('combobox', { name: 'Findings' }), 'Dead rules');
    await waitFor(() => expect(asked.at(-1)).toBe('/api/v1/alarms?finding=dead-rule&limit=2000'));
    expect(urls.at(-1)).toBe('?finding=dead-rule');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Source' }), 'prometheus-eu');
    await waitFor(() => expect(asked.at(-1)).toContain('source=prometheus-eu'));
  });

  it('that empties the page can be taken away, part by part', async () => {
    const nothing = wireAlarms({ kinds: [], findings: [], silent: [], sources: [] });
    const { user, urls } = show(nothing, '?kind=Bucket&source=eu');
    expect(screen.getByText('Nothing is known of kind Bucket and source eu.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Look without kind Bucket' }));
    await waitFor(() => expect(urls.at(-1)).toBe('?source=eu'));
  });

  it('is kept in the lists that numbers lead to', () => {
    show(wireAlarms(), '?cluster=eu-west-3');
    expect(hrefs(heading())[0]).toEqual(['1 object', '/objects?cluster=eu-west-3&guarantee=broken']);
  });
});

it('alarms are asked for again as they change, and an answer that fails leaves what stood there', async () => {
  const { asked } = show(wireAlarms(), '', null, { title: 'no shape' });
  act(() => FakeEventSource.last.send({ type: 'reset', at: minutesAgo(0) }));
  await waitFor(() => expect(asked.filter((path) => path.startsWith('/api/v1/alarms'))).toHaveLength(1));
  expect(await screen.findByText(/What stands here is from before\./)).toBeTruthy();
  expect(heading().textContent).toContain('Nobody is being called for 1 object.');
});
