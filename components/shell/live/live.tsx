'use client';

import { createContext, useContext, useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react';
import { addressOf } from '#lib/api/endpoint.ts';
import type { WireFleetSummary } from '#lib/api/fleet.ts';
import { streamApi, type StreamFrame } from '#lib/api/stream.ts';
import { parseTime } from '#lib/format/time.ts';
import { noteServerTime, startClock, stopClock } from '../../ui/now.tsx';
import { startFeed, type Feed, type FeedState, type StreamHandlers } from './feed.ts';

/** Topic that a page follows: the parameters of /api/v1/stream; null for a page that follows nothing. */
export type Topic = Readonly<Record<string, string>> | null;

interface Live {
  /** Null before the browser has taken over, and on pages that follow nothing. */
  readonly state: FeedState | null;
  readonly summary: WireFleetSummary | null;
  readonly retry: () => void;
  readonly listen: (handler: (frame: StreamFrame) => void) => () => void;
}

const LiveContext = createContext<Live>({ state: null, summary: null, retry: () => {}, listen: () => () => {} });

/** The connection, the newest summary and how to try again now. */
export function useLive(): Live {
  return useContext(LiveContext);
}

/** Hears every frame of the page's topic. */
export function useFrames(onFrame: (frame: StreamFrame) => void): void {
  const { listen } = useLive();
  const handle = useEffectEvent(onFrame);
  useEffect(() => listen((frame) => handle(frame)), [listen]);
}

interface LiveProviderProps {
  readonly topic: Topic;
  /** The summary that the server sent with the page. */
  readonly summary: WireFleetSummary | null;
  readonly children: ReactNode;
}

/** Follows the server while the page is seen. */
export function LiveProvider({ topic, summary, children }: LiveProviderProps) {
  const [state, setState] = useState<FeedState | null>(null);
  const [fresh, setFresh] = useState<WireFleetSummary | null>(null);
  const handlers = useRef(new Set<(frame: StreamFrame) => void>());
  const feed = useRef<Feed | null>(null);
  const url = topic === null ? null : addressOf(streamApi, topic);

  const [madeAt] = useState(summary?.asOf ?? '');

  useEffect(() => {
    if (url === null) return;
    const following = startFeed({
      url,
      madeAt,
      now: () => Date.now(),
      after(delay, task) {
        const timer = setTimeout(task, delay);
        return { cancel: () => clearTimeout(timer) };
      },
      open: openEventSource,
      onState(next) {
        if (next.connection === 'lost') stopClock();
        else if (next.connection === 'open') startClock();
        setState(next);
      },
      onFrame(frame) {
        if (frame.type === 'summary') setFresh(frame.summary);
        if (frame.type === 'tick') noteServerTime(parseTime(frame.at) ?? Date.now());
        for (const handler of handlers.current) handler(frame);
      },
    });
    feed.current = following;
    const followVisibility = () => (document.hidden ? following.pause() : following.resume());
    followVisibility();
    document.addEventListener('visibilitychange', followVisibility);
    return () => {
      document.removeEventListener('visibilitychange', followVisibility);
      following.stop();
      startClock();
    };
  }, [url, madeAt]);

  const newest = url !== null && fresh !== null && (summary === null || fresh.asOf >= summary.asOf) ? fresh : summary;
  const live = useMemo(
    (): Live => ({
      state: url === null ? null : state,
      summary: newest,
      retry: () => feed.current?.retry(),
      listen(handler) {
        handlers.current.add(handler);
        return () => handlers.current.delete(handler);
      },
    }),
    [url, state, newest],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
}

const frameTypes = ['reset', 'tick', 'summary', 'rows', 'cluster', 'object', 'removed', 'incidents'] as const;

/** Opens an EventSource. It is closed at its first error: the feed decides when to try again, so that the page can say when. */
function openEventSource(url: string, handlers: StreamHandlers): { close(): void } {
  const source = new EventSource(url);
  source.addEventListener('open', handlers.opened);
  source.addEventListener('error', () => {
    source.close();
    handlers.failed();
  });
  for (const type of frameTypes) {
    source.addEventListener(type, (event) => {
      if (typeof event.data === 'string') handlers.frame(event.data, event.lastEventId);
    });
  }
  return { close: () => source.close() };
}
