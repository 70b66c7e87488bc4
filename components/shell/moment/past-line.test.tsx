import { cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Moment } from '#lib/api/moment.ts';
import { minute } from '#lib/domain/time/length.ts';
import { FleetScreen } from '../../matrix/fleet-screen.tsx';
import { viewFrom } from '../../matrix/view-from.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { nightFleet } from '../../testing/night-fleet.ts';
import { pushed } from '../../testing/router.ts';
import { showPage } from '../../testing/show-page.tsx';
import { NoMomentScreen } from './no-moment-screen.tsx';

const at = '2026-11-21T01:12:00Z';
const past: Moment = { at, previous: '2026-11-21T01:11:59.999Z', next: null };

function show(moment: Moment | null) {
  const fleet = nightFleet();
  const sent = { view: viewFrom({}), fleet: { ...fleet, summary: { ...fleet.summary, asOf: at } } };
  return showPage(<FleetScreen sent={sent} moment={moment} />, { answer: () => sent.fleet });
}

const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join(' ');
const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');

describe('a page of the past', () => {
  it('says of when it is, follows nothing and claims nothing of now', () => {
    show(past);
    expect(document.querySelector('.past-line')?.textContent).toContain(
      'As known at 21 Nov 01:12:00 UTC, 1 h 47 min ago',
    );
    expect(FakeEventSource.opened).toEqual([]);
    expect(document.querySelector('header')?.textContent).not.toMatch(/live|As of|connecting/);
    expect(document.title).toMatch(/^21 Nov 01:12:00 UTC: /);
  });

  it('says of which year it is, where that is another; on paper always, for paper is kept', () => {
    const foot = () => document.querySelector('footer.paper-only')?.textContent;
    show({ ...past, at: '2025-11-21T01:12:00Z' });
    expect(document.title).toMatch(/^21 Nov 2025 01:12:00 UTC: /);
    expect(foot()).toContain('as known at 21 Nov 2026 01:12:00 UTC');
    cleanup();
    show(null);
    expect(foot()).toContain('as of 21 Nov 2026 01:12:00 UTC');
  });

  it('stands still: what lasted then lasts no longer as the page stands open', () => {
    show(past);
    const before = document.querySelector('.causes')?.textContent;
    vi.advanceTimersByTime(10 * minute);
    expect(document.querySelector('.causes')?.textContent).toBe(before);
  });

  it('leads on at the same moment wherever there is one, and back to now', () => {
    show(past);
    const all = hrefs();
    const steps = screen.getByRole('region', { name: 'The moment that is shown' });
    const own = new Set([...steps.querySelectorAll('a')].map((link) => link.getAttribute('href')));
    const places = all.filter((href) => !own.has(href) && /^\/(?:$|\?|objects(?:$|\?)|clusters\/)/.test(href));
    expect(places.filter((href) => !href.includes(`at=${at}`))).toEqual([]);
    expect(screen.getByRole('link', { name: 'Back to now' }).getAttribute('href')).toBe('/');
    expect(all).toContain(`/changes?from=${at}`);
    expect(all).not.toContain(`/exemptions?at=${at}`);
  });

  it('steps by time and from change to change; there is no way into the future', () => {
    show(past);
    const steps = screen.getByRole('navigation', { name: 'Other moments' });
    expect([...steps.children].map((step) => [step.textContent, step.getAttribute('href')])).toEqual([
      ['Previous change', '/?at=2026-11-21T01:11:59.999Z'],
      ['−1 h', '/?at=2026-11-21T00:12:00Z'],
      ['−10 min', '/?at=2026-11-21T01:02:00Z'],
      ['+10 min', '/?at=2026-11-21T01:22:00Z'],
      ['+1 h', '/?at=2026-11-21T02:12:00Z'],
      ['Next change', null],
      ['Another time', null],
    ]);
  });

  it('keeps its moment by key too', async () => {
    const { user } = show(past);
    await user.keyboard('go');
    expect(pushed).toHaveBeenLastCalledWith(`/objects?at=${at}`);
    await user.keyboard('t');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'As known at' }));
  });
});

describe('a page of now', () => {
  it('asks for another time at t, says what it cannot read, and Esc closes it', async () => {
    const { user } = show(null);
    expect(screen.queryByRole('region', { name: 'Time' })).toBeNull();
    await user.keyboard('t');
    const field = screen.getByRole('textbox', { name: 'As known at' });
    expect(document.activeElement).toBe(field);
    await user.keyboard('soon{Enter}');
    expect(alerts()).toContain('cannot be read as a time');
    fireEvent.change(field, { target: { value: '2027-01-01' } });
    await user.keyboard('{Enter}');
    expect(alerts()).toContain('not in the past');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('region', { name: 'Time' })).toBeNull();
  });
});

describe('a moment of which nothing can be shown', () => {
  it.each([
    [
      { type: 'before-record', at, since: '2026-11-21T02:00:00Z' },
      /^The record begins at 21 Nov 2026 02:00:00 UTC: nothing is known of 21 Nov 2026 01:12:00 UTC\.$/,
    ],
    [{ type: 'before-record', at, since: null }, /^Nothing is recorded yet\.$/],
    [{ type: 'future', at }, /is not in the past/],
    [{ type: 'no-time', text: 'soon' }, /^"soon" cannot be read as a time\.$/],
    [{ type: 'unreadable', at }, /cannot be read now/],
  ] as const)('%o', (why, title) => {
    showPage(<NoMomentScreen why={why} summary={nightFleet().summary} />);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(title);
    expect(hrefs().includes('/?at=2026-11-21T02:00:00Z')).toBe('since' in why && why.since !== null);
    expect(screen.getByRole('link', { name: 'Now' }).getAttribute('href')).toBe('/');
  });
});
