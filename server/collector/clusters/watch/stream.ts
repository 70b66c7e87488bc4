import type { Clock, Timer } from '#server/runtime/clock.ts';
import { type Failure, failure, hasStatus, type WatchEnd } from '../answer.ts';
import { childAbort } from '../pause.ts';
import { readWatchEvent, type WatchChange } from './watch-event.ts';
import type { ReadingDeps } from '../reading-deps.ts';

/** The objects that are followed: those of one kind, maybe only a selection. */
export interface WatchTarget {
  /** e.g. /apis/kustomize.toolkit.fluxcd.io/v1/kustomizations */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Joined to every query, e.g. fieldSelector=...; '' for none. */
  readonly selector: string;
  /** The server bookmarks it each minute; where it does not, quiet is no sign of anything. */
  readonly bookmarks: boolean;
}

/**
 * The next step after a stream: go on from the last resourceVersion; list anew; read the first list another way;
 * reopen because it fell silent; go on soon because it broke; wait because it was refused.
 */
type Outcome =
  | { readonly next: 'again' | 'relist' | 'unsupported' | 'silent' }
  | { readonly next: 'broken' | 'wait'; readonly failure: Failure };

/** An ended stream. `opened`: the server had accepted it; `received`: a line came, of any sort. */
export type StreamEnd = Outcome & { readonly opened: boolean; readonly received: boolean };

export interface StreamDeps extends ReadingDeps {
  readonly target: WatchTarget;
  readonly signal: AbortSignal;
  /** The resourceVersion to go on from; '' to ask for the present objects first (WatchList). */
  readonly version: string;
  onOpen(): void;
  /** `syncing`: one of the present objects; a bookmark then says that they are complete, and at which version. */
  /** Takes it; gives why there is no room for it. */
  onChange(change: WatchChange, syncing: boolean): Failure | null;
}

/** Runs one watch to its end. */
export async function followStream(deps: StreamDeps): Promise<StreamEnd> {
  const { target, transport, clock, random, tuning, signal, version } = deps;
  const { controller, release } = childAbort(signal);
  const seconds = Math.ceil((tuning.watchTimeout / 1_000) * (1 + random()));
  const begun = clock.now();
  let syncing = version === '';
  let received = false;
  let openedAt: number | null = null;
  let outcome: Outcome | null = null;

  function finish(given: Outcome): void {
    outcome ??= given;
    controller.abort();
  }

  function onLine(line: string): void {
    if (outcome !== null || signal.aborted) return;
    received = true;
    bounds.received();
    const event = readWatchEvent(line, target.apiVersion, target.kind);
    switch (event.type) {
      case 'BOOKMARK':
        // An old server ignores sendInitialEvents: it would never say where the first list ends.
        if (syncing && !(event.initialEventsEnd && event.resourceVersion !== ''))
          return finish({ next: 'unsupported' });
        deps.onChange(event, syncing);
        syncing = false;
        return;
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED': {
        const full = deps.onChange(event, syncing);
        return full === null ? undefined : finish({ next: 'wait', failure: full });
      }
      case 'expired':
        return finish({ next: 'relist' });
      case 'fault':
        return finish({ next: 'wait', failure: event });
    }
  }

  const bounds = boundStream(clock, target.bookmarks ? tuning.silentAfter : null, (next) => finish({ next }));
  const end = await transport
    .watch(`${target.path}?${queryOf(target, version, seconds)}`, {
      signal: controller.signal,
      onOpen() {
        openedAt = clock.now();
        // A server or proxy that ignores timeoutSeconds would keep a stale route for ever.
        bounds.opened(seconds * 1_000 + 15_000);
        deps.onOpen();
      },
      onLine,
    })
    .finally(() => {
      bounds.cancel();
      release();
    });
  const isShort = !received && clock.now() - (openedAt ?? begun) < tuning.shortWatch;
  return { ...(outcome ?? outcomeOf(end, version === '', syncing, isShort)), opened: openedAt !== null, received };
}

/** The outcome of a watch that was not ended by us. `isShort`: it ended at once without a line. */
function outcomeOf(end: WatchEnd, initial: boolean, syncing: boolean, isShort: boolean): Outcome {
  switch (end.type) {
    case 'cancelled':
      return { next: 'again' };
    case 'ended':
      if (isShort) return { next: 'wait', failure: endedAtOnce };
      return syncing ? { next: 'broken', failure: brokenSync } : { next: 'again' };
    case 'fault':
      // What came cannot be read: the next attempt will hardly bring anything else.
      if (end.opened && end.fault.type === 'protocol') return { next: 'wait', failure: end };
      if (end.opened) return { next: 'broken', failure: end };
      if (initial && (hasStatus(end.fault, 400) || hasStatus(end.fault, 422))) return { next: 'unsupported' };
      return { next: 'wait', failure: end };
  }
}

/** The times that a stream may take: `silentAfter` without a line (ms; null for any), and its lifetime once it is open. */
function boundStream(clock: Clock, silentAfter: number | null, onOver: (next: 'silent' | 'again') => void) {
  let isOpen = false;
  let lastReceived = clock.now();
  let silence: Timer | null = silentAfter === null ? null : clock.after(silentAfter, () => listen(silentAfter));
  let lifetime: Timer | null = null;

  function listen(most: number): void {
    const quiet = isOpen ? clock.now() - lastReceived : 0;
    if (quiet >= most) onOver('silent');
    else silence = clock.after(Math.max(1, most - quiet), () => listen(most));
  }

  return {
    received(): void {
      lastReceived = clock.now();
    },
    opened(duration: number): void {
      isOpen = true;
      lastReceived = clock.now();
      lifetime = clock.after(duration, () => onOver('again'));
    },
    cancel(): void {
      silence?.cancel();
      lifetime?.cancel();
    },
  };
}

function queryOf(target: WatchTarget, version: string, seconds: number): string {
  const position =
    version === ''
      ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
      : `resourceVersion=${encodeURIComponent(version)}`;
  const selector = target.selector === '' ? '' : `&${target.selector}`;
  return `watch=true&${position}&allowWatchBookmarks=true&timeoutSeconds=${seconds}${selector}`;
}

const endedAtOnce = failure({ type: 'protocol', message: 'the watch ended at once without a word' });
const brokenSync = failure({ type: 'protocol', message: 'the watch ended before its first list was complete' });
