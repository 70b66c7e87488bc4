'use client';

import { useSyncExternalStore } from 'react';
import { feedAge } from './feed.ts';
import { useLive } from './live.tsx';

function everySecond(listener: () => void): () => void {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
}

/** The browser's own clock (ms), once a second; null on the server. The age of the feed is measured on it alone. */
export function useBrowserNow(): number | null {
  return useSyncExternalStore(
    everySecond,
    () => Math.floor(Date.now() / 1000) * 1000,
    () => null,
  );
}

/** Age of the page's news: how far it may be believed now. */
export function useFeedAge(): 'live' | 'old' | 'dead' {
  const { state } = useLive();
  const now = useBrowserNow();
  return state === null || now === null ? 'live' : feedAge(state.lastNewsAt, now);
}
