import type { StreamHandlers } from './feed.ts';

const frameTypes = ['reset', 'tick', 'head', 'rows', 'cluster', 'object', 'removed'] as const;

/** Opens an EventSource. It is closed at its first error: the feed decides when to try again, so that the page can say when. */
export function openEventSource(url: string, handlers: StreamHandlers): { close(): void } {
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
