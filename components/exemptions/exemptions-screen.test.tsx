import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WireConflictList } from '#lib/api/conflict.ts';
import type { WireExemptionList } from '#lib/api/exemption.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { wireConflict, wireConflicts, wireExemptionRow, wireExemptions } from '../testing/wire-ownership.ts';
import { ExemptionsScreen } from './exemptions-screen.tsx';
import { filterFrom, tabFrom } from './ownership-filter.ts';

const summary = wireFleetSummary({ exemptions: 41, conflicts: 7 });

function paramsOf(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

function showExemptions(list: WireExemptionList, search = '', answer: (path: string) => unknown = () => list) {
  const sent = { tab: 'exemptions', filter: filterFrom(paramsOf(search)), list } as const;
  return showPage(<ExemptionsScreen sent={sent} summary={summary} />, { search, answer });
}

function showConflicts(
  list: WireConflictList,
  search = '?tab=conflicts',
  answer: (path: string) => unknown = () => list,
) {
  const sent = { tab: 'conflicts', filter: filterFrom(paramsOf(search)), list } as const;
  return showPage(<ExemptionsScreen sent={sent} summary={summary} />, { search, answer });
}

const pruned = wireExemptionRow();
const suspended = wireExemptionRow(
  {
    kind: 'suspended',
    field: 'spec.suspend',
    meaning: 'changes in git do not arrive',
    by: null,
    at: null,
    reach: null,
  },
  { cluster: 'stg-eu', name: 'policy', verdict: 'suspended' },
);
const list = wireExemptions([suspended, pruned]);
const sentence = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('exemptions', () => {
  it('says in how many places the sentence is weakened, on how many objects of how many', () => {
    showExemptions(list);
    expect(sentence()).toBe('2 of 40 objects have settings that weaken the guarantee (2 settings).');
  });

  it('stand by kind: object, field, what it means, how far it reaches, who set it and when', () => {
    showExemptions(list);
    const groups = screen.getAllByRole('rowgroup').slice(1);
    expect(groups.map((group) => within(group).getAllByRole('rowheader')[0]?.textContent)).toEqual([
      'Suspended 1changes in git do not arrive',
      'Not removed with git 1what is removed from git stays',
    ]);
    const row = screen.getByRole('row', { name: /checkout/ });
    expect(row.textContent).toContain('checkout Kustomization in flux-system');
    for (const text of ['eu-west-3', 'spec.prune', '12', 'kubectl-edit', '01:29'])
      expect(row.textContent).toContain(text);
    expect(within(row).getByRole('link', { name: 'checkout' }).getAttribute('href')).toBe(pruned.links.self);
    expect(screen.getByRole('row', { name: /policy/ }).textContent).toContain('not told');
  });

  it('where they mean different things, each line says what', () => {
    const other = wireExemptionRow({ meaning: 'it stays when it is removed from git' }, { name: 'mail' });
    showExemptions(wireExemptions([pruned, other]));
    expect(screen.getByRole('row', { name: /mail/ }).textContent).toContain('it stays when it is removed from git');
    expect(screen.getByRole('row', { name: /checkout/ }).textContent).toContain('what is removed from git stays');
  });

  it('kinds stand under what they take from the sentence; pressing one asks for it, and it stands in the URL', async () => {
    const { user, urls, asked } = showExemptions(list, '', () => wireExemptions([suspended], { counts: list.counts }));
    const group = screen.getByRole('group', { name: 'What is in git does not arrive' });
    await user.click(within(group).getByRole('button', { name: 'Suspended 1' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /checkout/ })).toBeNull());
    expect(urls.at(-1)).toBe('?exemption=suspended');
    expect(asked).toEqual(['/api/v1/exemptions?exemption=suspended']);
    expect(screen.getByRole('button', { name: 'Suspended 1' }).getAttribute('aria-pressed')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'All kinds 2' }));
    expect(urls.at(-1)).toBe('');
  });

  it('are filtered by who set them', async () => {
    const { user, urls } = showExemptions(list);
    await user.type(screen.getByRole('combobox', { name: 'Set by' }), 'kubectl-edit{Enter}');
    expect(urls.at(-1)).toBe('?by=kubectl-edit');
  });

  it('what emptied the list is named, each with its way out', async () => {
    const { user, urls } = showExemptions(wireExemptions([]), '?by=flux&exemption=suspended');
    expect(sentence()).toBe('Nothing that weakens the sentence matches "Suspended", set by flux.');
    await user.click(screen.getByRole('button', { name: 'Look without set by flux' }));
    expect(urls.at(-1)).toBe('?exemption=suspended');
  });

  it('none at all is said, with what was looked for', () => {
    showExemptions(wireExemptions([]));
    expect(sentence()).toBe('Nothing is known that weakens the sentence, on 40 objects.');
    expect(screen.getByText(/What would stand here: suspended objects/)).toBeTruthy();
  });

  it('a fleet of which nothing is known claims nothing', () => {
    showExemptions(wireExemptions([], { objects: { exempt: 0, all: 0 } }));
    expect(sentence()).toBe('No object is known yet, so nothing is known that weakens the sentence.');
  });

  it.each([
    ['?cluster=b', 'cluster b'],
    ['?cluster=b,c&kind=Kustomization', 'clusters b, c'],
  ])('%s, where no object is known, claims nothing of the rest of the fleet', (search, where) => {
    showExemptions(wireExemptions([], { objects: { exempt: 0, all: 0 } }), search);
    expect(sentence()).toBe(`No object on ${where} is known yet, so nothing is known there that weakens the sentence.`);
  });

  it('can be taken away as a file, as they are filtered', () => {
    showExemptions(list, '?by=flux');
    expect(screen.getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe(
      '/api/v1/exemptions?by=flux&format=csv',
    );
    expect(screen.getByRole('link', { name: 'JSON' }).getAttribute('href')).toBe(
      '/api/v1/exemptions?by=flux&limit=2000',
    );
  });

  it('more pages come when asked for, and nothing stands there twice', async () => {
    const first = wireExemptions([suspended], { total: 2, nextCursor: 'next' });
    const { user, asked } = showExemptions(first, '', () => wireExemptions([suspended, pruned], { total: 2 }));
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByRole('row', { name: /checkout/ });
    expect(screen.getAllByRole('row', { name: /policy/ })).toHaveLength(1);
    expect(asked).toEqual(['/api/v1/exemptions?cursor=next']);
  });

  it('a change of the fleet brings a new list', async () => {
    showExemptions(list, '', () => wireExemptions([pruned]));
    act(() => FakeEventSource.last.send({ type: 'summary', summary }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /policy/ })).toBeNull());
  });

  it('what is not seen may be missing, and that is told; so is an answer that failed', async () => {
    const { user } = showExemptions({ ...list, partial: ['ap-northeast-1 unreachable for 38 min'] }, '', () => ({}));
    expect(screen.getByText(/Not all is seen: ap-northeast-1 unreachable/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Suspended 1' }));
    expect(await screen.findByText(/in a shape that this page does not know/)).toBeTruthy();
  });

  it('arrows lead from object to object', async () => {
    const { user } = showExemptions(list);
    screen.getByRole('link', { name: 'policy' }).focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('checkout');
    await user.keyboard('{Home}');
    expect(document.activeElement?.textContent).toBe('policy');
  });
});

describe('conflicts', () => {
  const edited = wireConflict({
    kind: 'edited-by-hand',
    cluster: 'stg-eu',
    resource: {
      group: 'x',
      kind: 'Kustomization',
      namespace: 'flux-system',
      name: 'policy',
      href: '/clusters/stg-eu/x',
    },
    owners: ['kustomize-controller', 'kubectl-edit'].map((name) => ({
      name,
      cluster: null,
      kind: null,
      namespace: null,
      href: null,
    })),
    why: 'kubectl-edit holds spec.suspend beside kustomize-controller',
  });

  it('say how many resources have more than one manager, and name both with their pages', () => {
    showConflicts(wireConflicts([wireConflict(), edited]));
    expect(sentence()).toBe('2 resources have more than one manager.');
    const row = screen.getByRole('row', { name: /shared/ });
    expect(row.textContent).toContain('shared ConfigMap in apps');
    expect(row.textContent).toContain('base and on-other');
    expect(row.textContent).toContain('both have applied it and do so again on every pass');
    expect(row.textContent).toContain('at least 47 min');
    expect(within(row).getByRole('link', { name: 'base' }).getAttribute('href')).toMatch(
      /\/Kustomization\/flux-system\/base$/,
    );
    const hand = screen.getByRole('row', { name: /policy/ });
    expect(within(hand).getByRole('link', { name: 'policy' }).getAttribute('href')).toBe('/clusters/stg-eu/x');
    expect(within(hand).queryByRole('link', { name: 'kubectl-edit' })).toBeNull();
  });

  it('two owners of one name are told apart', () => {
    const owners = ['a', 'b'].map((namespace) => ({
      name: 'app',
      cluster: 'eu-west-3',
      kind: 'Kustomization',
      namespace,
      href: `/clusters/eu-west-3/${namespace}/app`,
    }));
    showConflicts(wireConflicts([wireConflict({ owners })]));
    expect(screen.getByRole('row', { name: /shared/ }).textContent).toContain('a/app and b/app');
  });

  it('an owner on another cluster says where', () => {
    const [here, there] = wireConflict().owners;
    if (!here || !there) throw new Error('a conflict has two owners');
    showConflicts(wireConflicts([wireConflict({ owners: [here, { ...there, cluster: 'us-east-1' }] })]));
    expect(screen.getByRole('row', { name: /shared/ }).textContent).toContain('base and on-other on us-east-1');
  });

  it('none is said, with what was looked at; what is not listed is counted', () => {
    showConflicts(wireConflicts([]));
    expect(sentence()).toBe('No resource is known to have more than one manager.');
    expect(screen.getByText(/Looked at are the inventories/)).toBeTruthy();
  });

  it('what is not listed is counted', () => {
    showConflicts(wireConflicts([wireConflict()], { notListed: 61 }));
    expect(sentence()).toBe('62 resources have more than one manager.');
    expect(screen.getByText(/61 more conflicts are known of and not listed/)).toBeTruthy();
  });

  it('are filtered by kind', async () => {
    const { user, asked } = showConflicts(wireConflicts([wireConflict(), edited]));
    await user.click(screen.getByRole('button', { name: 'Held by hand 1' }));
    await waitFor(() => expect(asked).toEqual(['/api/v1/conflicts?conflict=edited-by-hand']));
  });
});

describe('the two lists', () => {
  it('carry their counts, say where one is, and keep what means the same to both', () => {
    showExemptions(list, '?cluster=stg-eu&by=flux');
    const here = screen.getByRole('navigation', { name: 'Lists' });
    const [exemptions, conflicts] = within(here).getAllByRole('link');
    expect(exemptions?.textContent).toBe('Exemptions 41');
    expect(exemptions?.getAttribute('aria-current')).toBe('page');
    expect(conflicts?.textContent).toBe('Conflicts 7');
    expect(conflicts?.getAttribute('href')).toBe('/exemptions?tab=conflicts&cluster=stg-eu');
  });

  it.each([
    [{ tab: 'conflicts' }, 'conflicts'],
    [{ tab: 'nonsense' }, 'exemptions'],
    [{}, 'exemptions'],
  ])('the address %o asks for %s', (params, tab) => {
    expect(tabFrom(params)).toBe(tab);
  });

  it('what cannot be read in an address counts as not set', () => {
    expect(filterFrom({ exemption: 'holiday', conflict: 'war', by: 'flux', kind: ['a', 'b'] })).toMatchObject({
      exemption: '',
      conflict: '',
      by: 'flux',
      kind: '',
    });
  });
});
