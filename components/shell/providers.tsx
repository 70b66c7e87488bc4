'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { useState, type ReactNode } from 'react';
import { ThemeProvider } from './theme/theme.tsx';
import type { ShownViewer } from '#lib/domain/access/visit.ts';
import { ViewerProvider } from './viewer/viewer.tsx';
import type { Theme } from './theme/theme-name.ts';

interface ProvidersProps {
  /** The theme that was chosen in this browser, as its cookie says. */
  readonly theme: Theme;
  /** For whom the page is made; null where nobody is asked. */
  readonly viewer: ShownViewer | null;
  readonly children: ReactNode;
}

/** Providers around every page: the query cache, the URL as state, the theme. The stream tells what is new, so nothing polls. */
export function Providers({ theme, viewer, children }: ProvidersProps) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, retry: 2 } },
      }),
  );
  return (
    <NuqsAdapter>
      <QueryClientProvider client={client}>
        <ThemeProvider kept={theme}>
          <ViewerProvider viewer={viewer}>{children}</ViewerProvider>
        </ThemeProvider>
      </QueryClientProvider>
    </NuqsAdapter>
  );
}
