import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { showPage } from '../../testing/show-page.tsx';
import { wireFleetSummary } from '../../testing/wire-fleet.ts';
import { PageFrame } from '../page-frame.tsx';
import { themeFrom, type Theme } from './theme-name.ts';
import { ThemeProvider } from './theme.tsx';

function show(search = '', kept: Theme = null) {
  return showPage(
    <ThemeProvider kept={kept}>
      <PageFrame title="Page" tab={null} summary={wireFleetSummary()}>
        <p>content</p>
      </PageFrame>
    </ThemeProvider>,
    { search },
  );
}

const theme = () => document.querySelector('[data-feed]')?.getAttribute('data-theme') ?? null;

async function choose(page: ReturnType<typeof show>, name: string) {
  await page.user.click(screen.getByRole('button', { name: 'Keys and signs' }));
  await page.user.click(await screen.findByRole('radio', { name }));
}

// What an address asked for goes from page to page: each test ends where nobody asked.
afterEach(async () => {
  cleanup();
  await choose(show(), 'As the system');
});

it.each<[string, string, Theme, Theme]>([
  ['nobody chose', '', null, null],
  ['the browser keeps one', '', 'dark', 'dark'],
  ['the address wins over what the browser keeps', '?theme=light', 'dark', 'light'],
  ['what there is not counts as not asked', '?theme=pink', null, null],
])('%s', (_name, search, kept, expected) => {
  show(search, kept);
  expect(theme()).toBe(expected);
});

it('goes along to a page whose link does not name it, and stands in its address again', async () => {
  show('?theme=dark');
  cleanup();
  const next = show('');
  expect(theme()).toBe('dark');
  await expect.poll(() => next.urls.at(-1)).toBe('?theme=dark');
});

it('that is chosen is kept in a cookie for the server, and takes the place of what the address asked', async () => {
  const page = show('?theme=dark&q=x');
  await choose(page, 'Light');
  expect(theme()).toBe('light');
  expect(document.cookie).toContain('plumbline-theme=light');
  await expect.poll(() => page.urls.at(-1)).toBe('?q=x');
  await page.user.click(screen.getByRole('radio', { name: 'As the system' }));
  expect(theme()).toBeNull();
  expect(document.cookie).not.toContain('plumbline-theme');
});

it.each([
  ['dark', 'dark'],
  ['light', 'light'],
  ['', null],
  ['<script>', null],
  [undefined, null],
])('a cookie %j is theme %s', (value, expected) => {
  expect(themeFrom(value)).toBe(expected);
});
