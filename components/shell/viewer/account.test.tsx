import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ShownViewer } from '#lib/domain/access/visit.ts';
import { showPage } from '../../testing/show-page.tsx';
import { Account } from './account.tsx';
import { ViewerProvider } from './viewer.tsx';

const viewer: ShownViewer = {
  name: 'Ada Lovelace',
  subject: 'https://id.example#ada',
  by: 'session',
  roles: ['viewer'],
  sees: ['Cluster eu-1: namespace payments'],
  whole: false,
  until: Date.parse('2026-11-21T12:00:00Z'),
  logout: '/access/logout?word=x',
};

function show(shown: ShownViewer | null) {
  return showPage(
    <ViewerProvider viewer={shown}>
      <Account />
    </ViewerProvider>,
  );
}

it('who is logged in sees what is theirs, until when, and the way out', async () => {
  const { user, asked } = show(viewer);
  await user.click(screen.getByRole('button', { name: 'Logged in as Ada Lovelace' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('https://id.example#ada');
  expect(dialog.textContent).toContain('Cluster eu-1: namespace payments');
  expect(dialog.textContent).toContain('Roles: viewer. Until 21 Nov 12:00:00 UTC.');
  expect(screen.getByRole('link', { name: 'Log out' }).getAttribute('href')).toBe('/access/logout?word=x');
  expect(screen.queryByRole('link', { name: 'Who looked' })).toBeNull();
  expect(asked).toEqual([]);
});

it('an auditor gets to who looked; what a proxy says ends there alone', async () => {
  const { user } = show({ ...viewer, roles: ['viewer', 'auditor'], logout: null });
  await user.click(screen.getByRole('button'));
  await screen.findByRole('dialog');
  expect(screen.getByRole('link', { name: 'Who looked' }).getAttribute('href')).toBe('/access');
  expect(screen.queryByRole('link', { name: 'Log out' })).toBeNull();
});

it('nothing stands there where nobody is asked', () => {
  show(null);
  expect(screen.queryByRole('button')).toBeNull();
});
