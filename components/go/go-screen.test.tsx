import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { goApi, type WireGo } from '#lib/api/pager/go.ts';
import { FakeEventSource } from '../testing/fake-event-source.ts';
import { showPage } from '../testing/show-page.tsx';
import { wireFleetSummary } from '../testing/wire-fleet.ts';
import { wireGo } from '../testing/wire-go.ts';
import { wireIncident } from '../testing/wire-incident.ts';
import { failingCheckout, wireObject, wireTransition } from '../testing/wire-object.ts';
import { GoScreen } from './go-screen.tsx';

const at = '2026-11-21T02:00:00Z';
const params = { cluster: 'eu-west-3', kind: 'Kustomization', name: 'chekout' };

function show(over: Partial<WireGo> = {}, answer?: () => unknown) {
  const sent = { params, answer: wireGo(over) };
  const moment = sent.answer.at === null ? null : { at: sent.answer.at, previous: null, next: null };
  return showPage(
    <GoScreen sent={sent} summary={wireFleetSummary()} moment={moment} />,
    answer === undefined ? {} : { answer },
  );
}

const hrefOf = (name: string | RegExp): string | null => screen.getByRole('link', { name }).getAttribute('href');
const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

describe('one object, not for certain', () => {
  const object = failingCheckout();
  const inferred: Partial<WireGo> = {
    outcome: 'inferred',
    sentence: 'The labels may mean Kustomization flux-system/checkout on eu-west-3.',
    assumed: ['No cluster was named: every cluster was searched.'],
    objects: [object],
    total: 1,
  };

  it('its verdict, the way to it, and what was assumed', () => {
    show(inferred);
    expect(heading()).toBe(inferred.sentence);
    expect(hrefOf('checkout on eu-west-3')).toBe(object.links.self);
    expect(screen.getByText('Diverged')).toBeTruthy();
    expect(within(screen.getByRole('region', { name: 'Assumed' })).getByText(/^No cluster was named/)).toBeTruthy();
  });

  it('of a past moment leads to that moment, and says which it is', () => {
    show({ ...inferred, at });
    expect(hrefOf('checkout on eu-west-3')).toBe(`${object.links.self}?at=${at}`);
    expect(screen.getByRole('region', { name: 'The moment that is shown' }).textContent).toMatch(/02:00:00 UTC/);
    expect(hrefOf('Back to now')).not.toContain('at=');
  });

  it('by all that was named, where nobody could be led on: why', () => {
    show({ ...inferred, outcome: 'exact', assumed: [], timeNote: '"soon" cannot be read as a time: this is of now.' });
    expect(screen.getByText(/cannot be read as a time/)).toBeTruthy();
    expect(hrefOf('checkout on eu-west-3')).toBe(object.links.self);
  });
});

it('several: a table, and the way to the rest', () => {
  const objects = ['eu-west-3', 'us-east-1'].map((cluster) => wireObject({ cluster }));
  const list = { text: 'All 60 objects as a list', href: '/objects?kind=Kustomization' };
  show({ outcome: 'several', sentence: 'The labels fit 60 objects on 2 clusters.', objects, total: 60, ways: [list] });
  const table = screen.getByRole('table', { name: 'Objects that fit, worst first' });
  expect(within(table).getAllByRole('row')).toHaveLength(3);
  expect(hrefOf('And 58 more')).toBe(list.href);
  expect(hrefOf(list.text)).toBe(list.href);
});

describe('none', () => {
  const { cluster, group, kind, namespace, name } = wireObject();
  const ref = { cluster, group, kind, namespace, name };

  it('what is known, what may have been meant, what else went on, and what was given', () => {
    show({ nearest: [ref], incidents: [wireIncident({ title: 'checkout on eu-west-3 fails' })] });
    expect(heading()).toBe('No Kustomization flux-system/chekout is known on eu-west-3.');
    expect(screen.getByText(/112 objects known there/)).toBeTruthy();
    expect(
      within(screen.getByRole('region', { name: /^Perhaps/ }))
        .getByRole('link')
        .getAttribute('href'),
    ).toBe(wireObject().links.self);
    expect(screen.getByRole('link', { name: 'checkout on eu-west-3 fails' })).toBeTruthy();
    const given = within(screen.getByRole('region', { name: 'What the link gave' }));
    expect(given.getAllByRole('term').map((term) => term.textContent)).toEqual(['cluster', 'kind', 'name']);
    expect(hrefOf('Everything on eu-west-3')).toBe('/clusters/eu-west-3');
  });

  it('one that was removed: when, how it was, its page just before and its history', () => {
    const last = wireTransition(5, null, { from: 'diverged' });
    show({ recorded: [{ ref, last }] });
    const recorded = screen.getByRole('region', { name: 'In the record' });
    expect(recorded.textContent).toMatch(/It was removed from the cluster at .* it was diverged/);
    expect(hrefOf('As it was just before')).toMatch(/^\/clusters\/.*\?at=2026-/);
    expect(hrefOf('its history')).toMatch(/^\/history\?cluster=/);
  });

  it('one that came later: its page as it is now', () => {
    show({ at, thereNow: [ref] });
    const now = screen.getByRole('region', { name: /^There now/ });
    expect(within(now).getByRole('link').getAttribute('href')).toBe(wireObject().links.self);
    expect(screen.getByRole('region', { name: 'Known then' })).toBeTruthy();
  });

  it('incidents that cannot be read are not called none', () => {
    show({ incidents: null });
    expect(screen.getByText('The record cannot be read now.')).toBeTruthy();
  });

  it('what was not read is said', () => {
    show({ unread: ['"x" is no label and is left out.'] });
    expect(screen.getByText('"x" is no label and is left out.')).toBeTruthy();
  });

  it('hostile labels are text', () => {
    show({ given: [{ name: '<b>', value: '<img src=x onerror=alert(1)>' }] });
    expect(screen.getByRole('definition').innerHTML).toBe('&lt;img src=x onerror=alert(1)&gt;');
    expect(document.querySelector('main img')).toBeNull();
  });
});

it('without labels it says what it is for, and takes them without a script', () => {
  show({ sentence: 'No labels were given.', given: [], known: [] });
  const form = screen.getByRole('textbox', { name: /^As the pager prints them/ }).closest('form');
  expect([form?.method, form?.getAttribute('action')]).toEqual(['get', '/go']);
  expect(screen.queryByRole('region', { name: 'Incidents' })).toBeNull();
});

it('what the link gave stands in the form, to be mended', () => {
  show();
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^As the pager prints them/, hidden: true });
  expect(field.value).toBe('cluster = eu-west-3\nkind = Kustomization\nname = chekout');
});

it('asks again when the fleet changes, and says where it cannot', async () => {
  const { asked } = show({}, () => ({ not: 'an answer' }));
  act(() => FakeEventSource.last.send({ type: 'reset', at: wireGo().asOf }));
  expect(await screen.findByText(/What stands here is from before\.$/)).toBeTruthy();
  expect(asked.at(-1)).toBe(`${goApi.path}?cluster=eu-west-3&kind=Kustomization&name=chekout`);
});

it('of a past moment nothing is asked again', () => {
  const { asked } = show({ at });
  expect(asked.filter((path) => path.startsWith(goApi.path))).toEqual([]);
});
