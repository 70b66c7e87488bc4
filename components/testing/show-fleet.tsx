import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { vi } from 'vitest';
import type { WireFleet } from '#lib/api/fleet.ts';
import { FleetScreen } from '../matrix/fleet-screen.tsx';
import { viewFrom } from '../matrix/view-from.ts';
import { FakeEventSource } from './fake-event-source.ts';

/** Shows the fleet page as a browser would, at an address; the server answers every fetch with `answer`. */
export function showFleet(fleet: WireFleet, search = '', answer: WireFleet = fleet) {
  FakeEventSource.opened = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  const asked: Request[] = [];
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    asked.push(new Request(new URL(path, 'http://plumbline'), { ...init, signal: null }));
    return Promise.resolve(Response.json(answer));
  });
  Element.prototype.scrollIntoView = () => {};
  const urls: string[] = [];
  const params = new URLSearchParams(search);
  const view = viewFrom(Object.fromEntries(params));
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory onUrlUpdate={({ queryString }) => urls.push(queryString)}>
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })}
      >
        <FleetScreen sent={{ view, fleet }} />
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
  return { asked, urls, user: userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) }) };
}
