'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { useState, type ReactNode } from 'react';
import { ThemeProvider } from './theme/theme.tsx';
import type { Theme } from './theme/theme-name.ts';

interface ProvidersProps {
  /** The theme that was chosen in this browser, as its cookie says. */
  readonly theme: Theme;
  readonly children: ReactNode;
}

/** Providers around every page: the query cache, the URL as state, the theme. The stream tells what is new, so nothing polls. */
export function Providers({ theme, children }: ProvidersProps) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, retry: 2 } },
      }),
  );
  return (
    <NuqsAdapter>
      <QueryClientProvider client={client}>
        <ThemeProvider kept={theme}>{children}</ThemeProvider>
      </QueryClientProvider>
    </NuqsAdapter>
  );
}
