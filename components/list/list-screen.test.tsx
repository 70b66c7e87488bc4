import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireObjectList } from '#lib/api/object.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { failingCheckout, wireAlarm, wireList, wireObject } from '../testing/wire-object.ts';
import { filterFrom } from './list-filter.ts';
import { ListScreen } from './list-screen.tsx';

function show(list: WireObjectList, search = '', answer: (path: string) => WireObjectList = () => list) {
  const filter = filterFrom(Object.fromEntries(new URLSearchParams(search)));
  return showPage(<ListScreen sent={{ filter, list }} summary={wireFleetSummary()} moment={null} />, {
    search,
    answer,
  });
}

const mail = wireObject({ cluster: 'stg-us', name: 'mail', kind: 'HelmRelease', verdict: 'drifted' });
const stale = (name: string) => wireObject({ name, verdict: 'stale' });
const rowNames = () => screen.getAllByRole('rowheader').map((row) => row.textContent);

it('says of how many objects how many are away, by verdict, and how many are not confirmed', () => {
  show(
    wireList([
      failingCheckout(),
      mail,
      wireObject({ name: 'web', verdict: 'unconfirmed' }),
      wireObject({ name: 'ok' }),
    ]),
  );
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    '4 objects, away: 1 diverged, 1 drifted; not confirmed: 1 unconfirmed.',
  );
});

it('says what it is filtered by, and what of the rest is worse, with the way there', () => {
  const outside = 'Outside this filter: 2 diverged on 1 cluster.';
  show(wireList([failingCheckout()], { filter: { text: 'kind Kustomization', outside } }), '?kind=Kustomization');
  expect(screen.getByText(/^Filtered by/).textContent).toBe(`Filtered by kind Kustomization. ${outside}`);
  expect(screen.getByRole('link', { name: outside }).getAttribute('href')).toBe('/objects');
});

it('does not call away what is only stale', () => {
  show(wireList([failingCheckout(), stale('infra'), wireObject({ name: 'ok' })]));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    '3 objects, away: 1 diverged; not confirmed: 1 stale.',
  );
  expect(document.title).toBe('1 diverged: objects · Plumbline');
});

it.each([
  ['?verdict=stale', '1 stale: objects'],
  ['?verdict=stale,diverged', '3 diverged: objects'],
  ['?verdict=converged', 'Objects'],
  ['?verdict=drifted', 'Objects'],
  ['?kind=Kustomization', '3 diverged: objects'],
])('the tab of %s counts what is listed', (search, title) => {
  const list = wireList([stale('infra')]);
  show({ ...list, counts: { ...list.counts, diverged: 3 } }, search);
  expect(document.title).toBe(`${title} · Plumbline`);
});

describe('what is only declared', () => {
  const stack = (name: string) => wireObject({ name, kind: 'Stack', group: 'declared', verdict: 'unobserved' });
  const stacks = [stack('dns'), stack('vpc')];

  it('is counted apart, and no title', () => {
    show(wireList([...stacks, wireObject({ name: 'ok' })], { declared: 2 }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      '3 objects, none away; 2 declared stacks are never observed.',
    );
    expect(document.title).toBe('Objects · Plumbline');
  });

  it('stands beside what else is not observed', () => {
    show(wireList([...stacks, wireObject({ name: 'web', verdict: 'unobserved' })], { declared: 2 }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
      '3 objects, none away; not confirmed: 1 unobserved; 2 declared stacks are never observed.',
    );
    expect(document.title).toBe('1 unobserved: objects · Plumbline');
    expect(screen.getByRole('button', { name: /^Unobserved/ }).textContent).toBe('Unobserved 3 (2 declared)');
  });
});

it('says of which objects it speaks', () => {
  show(wireList([stale('a'), stale('b')]), '?kind=Kustomization');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'Kind Kustomization: 2 objects, none away; not confirmed: 2 stale.',
  );
});

it.each([
  ['?kind=Kustomization&name=web', '/history?kind=Kustomization&name=web'],
  ['?cluster=eu-west-3', '/history?cluster=eu-west-3'],
  ['', undefined],
  ['?kind=Kustomization&verdict=stale', undefined],
  ['?group=apps', undefined],
])('%s leads to the timelines of %s', (search, href) => {
  show(wireList([stale('a')]), search);
  expect(screen.queryByRole('link', { name: 'Their history' })?.getAttribute('href')).toBe(href);
});

it('where no alarm is known of, no column asks for it on every line', () => {
  show(wireList([failingCheckout(), mail]));
  expect(screen.queryByRole('columnheader', { name: 'Alarm' })).toBeNull();
  expect(screen.queryByText('not known')).toBeNull();
});

it('says quietly where drift is not measured, wherever a verdict stands', () => {
  const api = wireObject({ name: 'api', kind: 'HelmRelease', drift: 'not-measured' });
  show(wireList([failingCheckout({ drift: 'not-measured' }), api, wireObject({ name: 'ok' })]));
  const what = (name: RegExp) => screen.getByRole('row', { name }).querySelector('.what')?.textContent;
  expect(what(/HelmRelease/)).toBe('Drift is not measured.');
  expect(what(/checkout/)).toMatch(/^The build of .* Drift is not measured\.$/);
  expect(what(/ ok/)).toBe('');
});

it('shows a row with its verdict, cluster, name, what goes on, what runs and for how long', () => {
  show(wireList([failingCheckout()]));
  const row = screen.getByRole('row', { name: /checkout/ }).textContent;
  expect(row).toContain('Diverged');
  expect(row).toContain('eu-west-3');
  expect(row).toContain('2d81e55');
  expect(row).toContain('47 min');
});

describe('filters', () => {
  it('stand in the URL, and the server is asked', async () => {
    const { user, urls, asked } = show(wireList([failingCheckout(), mail]), '', () => wireList([mail]));
    await user.click(screen.getByRole('button', { name: /Drifted/ }));
    await waitFor(() => expect(rowNames()).toEqual(['mail in flux-system']));
    expect(urls.at(-1)).toBe('?verdict=drifted');
    expect(asked).toEqual(['/api/v1/objects?verdict=drifted']);
  });

  it('a text counts with Enter', async () => {
    const { user, urls } = show(wireList([failingCheckout()]));
    await user.type(screen.getByRole('combobox', { name: 'Kind' }), 'HelmRelease{Enter}');
    expect(urls.at(-1)).toBe('?kind=HelmRelease');
  });

  it('that emptied the list are named, each with its way out', async () => {
    const { user, urls } = show(wireList([]), '?kind=Kustomization&namespace=nowhere');
    expect(screen.getByText('No object matches kind Kustomization and namespace nowhere.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Look without namespace nowhere' }));
    expect(urls.at(-1)).toBe('?kind=Kustomization');
  });
});

it('a verdict that there is not filters nothing, and is no part of the sentence', () => {
  const { asked } = show(wireList([stale('a'), wireObject({ name: 'ok' })]), '?verdict=sale');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('2 objects, none away; not confirmed: 1 stale.');
  expect(asked).toEqual([]);
});

it('what cannot be seen is told', () => {
  show(wireList([mail], { partial: ['HelmRelease forbidden on 2 clusters (missing rule: list)'] }));
  expect(screen.getByText(/Not all is seen: HelmRelease forbidden on 2 clusters/)).toBeTruthy();
});

it('more pages come when asked for, and nothing stands there twice', async () => {
  const first = wireList([failingCheckout()], { total: 2, nextCursor: 'next' });
  const { user, asked } = show(first, '', () => wireList([failingCheckout(), mail], { total: 2 }));
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(rowNames()).toEqual(['checkout in flux-system', 'mail in flux-system']));
  expect(asked).toEqual(['/api/v1/objects?cursor=next']);
});

it('a change of the fleet brings a new list', async () => {
  const { asked } = show(wireList([failingCheckout()]), '', () => wireList([mail]));
  act(() => FakeEventSource.last.send({ type: 'summary', summary: wireFleetSummary() }));
  await waitFor(() => expect(rowNames()).toEqual(['mail in flux-system']));
  expect(asked).toEqual(['/api/v1/objects']);
});

it('the silent are filled and framed, and say so', () => {
  show(wireList([failingCheckout({ alarm: wireAlarm({ state: 'silent', broken: 'rule' }) })]));
  const row = screen.getByRole('row', { name: /checkout/ });
  expect(within(row).getByText('nobody is being called')).toBeTruthy();
  expect(row.querySelector('td .silent')?.textContent).toContain('Diverged');
});

it.each([
  [{ verdict: 'nonsense' }, ''],
  [{ verdict: 'stale,diverged' }, 'stale,diverged'],
  [{ verdict: ['stale', 'diverged'] }, ''],
])('the address %o asks for verdict "%s"', (params, verdict) => {
  expect(filterFrom(params).verdict).toBe(verdict);
});

it('offers all that match as a file, with its suspects', () => {
  show(wireList([failingCheckout()]), '?kind=Kustomization');
  expect(screen.getByRole('link', { name: 'All as CSV' }).getAttribute('href')).toBe(
    '/api/v1/objects?kind=Kustomization&suspects=true&format=csv',
  );
});
