'use client';

import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { parseTime } from '#lib/format/time.ts';

const Start = createContext({ at: 0, still: false });

interface NowProviderProps {
  /** RFC 3339. */
  readonly asOf: string;
  /** Time stands there: the page shows a past moment. */
  readonly still?: boolean;
  readonly children: ReactNode;
}

/** Gives the page its first "now": the server's, so that server and browser write the same ages. */
export function NowProvider({ asOf, still = false, children }: NowProviderProps) {
  const start = useMemo(() => ({ at: parseTime(asOf) ?? 0, still }), [asOf, still]);
  return <Start value={start}>{children}</Start>;
}

let skew = 0;

/** Tells what the server's clock says now (ms), so that ages do not depend on a reader's clock that runs wrong. */
export function noteServerTime(at: number): void {
  skew = at - Date.now();
}

let stoppedAt: number | null = null;

/** Durations stand still: nobody tells any more whether what they count still lasts. */
export function stopClock(): void {
  stoppedAt ??= moving();
}

/** Durations count again. */
export function startClock(): void {
  stoppedAt = null;
}

function moving(): number {
  return Math.floor((Date.now() + skew) / 1000) * 1000;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function never(): () => void {
  return () => {};
}

/**
 * Milliseconds since the epoch, on the server's clock, moving once a second for all who ask; still on a page of the past, and while
 * the server is not heard.
 */
export function useNow(): number {
  const { at, still } = useContext(Start);
  return useSyncExternalStore(
    still ? never : subscribe,
    () => (still ? at : (stoppedAt ?? moving())),
    () => at,
  );
}

/** The same, moving also while the server is not heard: for the age of the page itself. */
export function useMovingNow(): number {
  const { at } = useContext(Start);
  return useSyncExternalStore(subscribe, moving, () => at);
}
