import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';

interface InBrowserProps {
  /** Query of the page's address. */
  readonly search: string;
  /** Hears every address that the page writes. */
  readonly onUrl: (search: string) => void;
  readonly children: ReactNode;
}

/** What surrounds a page in a browser: an address and a query cache of its own. */
export function InBrowser({ search, onUrl, children }: InBrowserProps) {
  return (
    <NuqsTestingAdapter searchParams={search} hasMemory onUrlUpdate={({ queryString }) => onUrl(queryString)}>
      <QueryClientProvider
        client={new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })}
      >
        {children}
      </QueryClientProvider>
    </NuqsTestingAdapter>
  );
}

/** A server that answers every GET with `answer` and keeps what it was asked. */
export function fakeServer(answer: (path: string) => unknown) {
  const asked: string[] = [];
  return {
    asked,
    fetch(path: string): Promise<Response> {
      asked.push(path);
      return Promise.resolve(Response.json(answer(path)));
    },
  };
}
