import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';
import { vi } from 'vitest';
import { commitNamesApi, lagApi, type WireCommitName, type WireLagList } from '#lib/api/commit.ts';
import { FakeEventSource } from './fake-event-source.ts';
import { moment } from './wire-fleet.ts';

const asOf = new Date(moment).toISOString();
const noLags: WireLagList = { asOf, lags: [], leftOut: 0, repositories: [] };

interface Surroundings {
  /** Query of the page's address. */
  readonly search?: string;
  /** Answer of the server to a GET of a path. */
  readonly answer?: (path: string) => unknown;
  /** Commits that mirrors hold. */
  readonly commits?: readonly WireCommitName[];
  readonly lags?: WireLagList;
}

/**
 * Shows a page as a browser would, at the moment of the fixtures: with an address, a query cache, a server that only
 * answers GET, and a stream that the test sends frames on (`FakeEventSource.last`). Time stands under the test's hand.
 */
export function showPage(
  page: ReactNode,
  { search = '', answer = () => ({}), commits = [], lags = noLags }: Surroundings = {},
) {
  vi.useFakeTimers({
    now: moment,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    shouldAdvanceTime: true,
  });
  const asked: string[] = [];
  const gitAsked: string[] = [];
  const methods = new Set<string>();
  const urls: string[] = [];
  FakeEventSource.opened = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    methods.add(init?.method ?? 'GET');
    if (path.startsWith(`${commitNamesApi.path}?`)) {
      gitAsked.push(path);
      return Promise.resolve(Response.json({ asOf, commits, unknown: [] }));
    }
    if (path.startsWith(`${lagApi.path}?`)) {
      gitAsked.push(path);
      return Promise.resolve(Response.json(lags));
    }
    asked.push(path);
    return Promise.resolve(Response.json(answer(path)));
  });
  Element.prototype.scrollIntoView = () => {};
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory onUrlUpdate={({ queryString }) => urls.push(queryString)}>
      <QueryClientProvider client={client}>{page}</QueryClientProvider>
    </NuqsTestingAdapter>,
  );
  return {
    asked,
    gitAsked,
    methods,
    urls,
    user: userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) }),
  };
}
