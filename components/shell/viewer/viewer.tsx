'use client';

import { createContext, useContext, type ReactNode } from 'react';
import type { ShownViewer } from '#lib/domain/access/visit.ts';

const ViewerContext = createContext<ShownViewer | null>(null);

/** Says to every page for whom it is made; null where nobody is asked. */
export function ViewerProvider({
  viewer,
  children,
}: {
  readonly viewer: ShownViewer | null;
  readonly children: ReactNode;
}) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

/** For whom the page is made; null where nobody is asked. */
export function useViewer(): ShownViewer | null {
  return useContext(ViewerContext);
}

/** True if nothing lies outside the view of whom the page is made for. */
export function useSeesAll(): boolean {
  return useViewer()?.whole ?? true;
}
