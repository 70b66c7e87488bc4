import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minute } from '#lib/domain/time/length.ts';
import { nightFleet } from '../../testing/night-fleet.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { showPage } from '../../testing/show-page.tsx';
import { FleetScreen } from '../../matrix/fleet-screen.tsx';
import { viewFrom } from '../../matrix/view-from.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('the loss of the live feed is said once to those who hear the page', () => {
  const fleet = nightFleet();
  showPage(<FleetScreen sent={{ view: viewFrom({}), fleet }} moment={null} />, { answer: () => fleet });
  const said = () => screen.getAllByRole('status').map((each) => each.textContent);
  act(() => FakeEventSource.last.open());
  expect(said().join('')).not.toContain('not heard');
  act(() => FakeEventSource.last.fail());
  expect(said()).toContain('The server is not heard: durations stand still, and what stands here may have changed.');
});

it('durations stand still while the server is not heard', () => {
  const fleet = nightFleet();
  showPage(<FleetScreen sent={{ view: viewFrom({}), fleet }} moment={null} />, { answer: () => fleet });
  act(() => FakeEventSource.last.open());
  act(() => FakeEventSource.last.fail());
  const causes = () => screen.getByRole('list', { name: 'Causes' }).textContent;
  const before = causes();
  act(() => {
    vi.advanceTimersByTime(20 * minute);
  });
  expect(causes()).toBe(before);
});
