import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { WireObjectPage } from '#lib/api/object.ts';
import { showPage } from '../../testing/show-page.tsx';
import { wireFleetSummary } from '../../testing/wire-fleet.ts';
import { failingCheckout, wireObject, wireObjectPage } from '../../testing/wire-object.ts';
import { wireConflict, wireExemption } from '../../testing/wire-ownership.ts';
import { wireRecordOf } from '../../testing/wire-record.ts';
import { ObjectScreen } from '../object-screen.tsx';

function show(page: WireObjectPage): void {
  showPage(<ObjectScreen page={page} summary={wireFleetSummary()} moment={null} record={wireRecordOf(page.object)} />, {
    answer: () => page,
  });
}

const section = (): HTMLElement => screen.getByRole('region', { name: /^More than one manager/ });

it('what it manages and another does, too, is told with both owners', () => {
  show(wireObjectPage({ object: wireObject({ name: 'base' }), conflicts: [wireConflict()] }));
  const text = section().textContent;
  expect(text).toContain('shared ConfigMap in apps: base and on-other');
  expect(text).toContain('in two inventories: both have applied it and do so again on every pass');
  expect(within(section()).getByRole('link', { name: 'on-other' }).getAttribute('href')).toMatch(/on-other$/);
  expect(within(section()).getByRole('link', { name: 'all of its cluster' }).getAttribute('href')).toBe(
    '/exemptions?tab=conflicts&cluster=eu-west-3&q=base',
  );
});

it('where it is managed twice itself it is not named again', () => {
  const object = failingCheckout();
  const { cluster: _cluster, ...resource } = { ...wireConflict().resource, cluster: '', href: object.links.self };
  show(wireObjectPage({ object, conflicts: [wireConflict({ resource })] }));
  expect(section().querySelector('li')?.textContent).toMatch(/^base and on-other/);
});

it('nothing is said where nobody else is known', () => {
  show(wireObjectPage());
  expect(screen.queryByRole('region', { name: /^More than one manager/ })).toBeNull();
});

it('what weakens the guarantee says how far it reaches', () => {
  show(
    wireObjectPage({
      object: failingCheckout({
        exemptions: [wireExemption({ reach: 12 }), wireExemption({ field: 'x', reach: null })],
      }),
    }),
  );
  const weakens = screen.getByRole('region', { name: /^Weakens/ }).textContent;
  expect(weakens).toContain('what is removed from git stays; covers 12 objects');
  expect(weakens).not.toContain('null');
});
