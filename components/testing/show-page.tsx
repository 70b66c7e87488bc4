import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { FakeEventSource } from './fake-event-source.ts';

/** Shows a page as a browser would, at an address; the server answers every fetch with what `answer` gives. */
export function showPage(page: ReactNode, { search = '', answer }: { readonly search?: string; readonly answer: (path: string) => unknown }) {
  FakeEventSource.opened = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json(answer(path)));
  });
  const urls: string[] = [];
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory onUrlUpdate={({ queryString }) => urls.push(queryString)}>
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })}
      >
        {page}
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
  return { asked, urls, user: userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) }) };
}
