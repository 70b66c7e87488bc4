import type { ForeignObject } from '#lib/foreign.ts';
import type { Clock } from '#server/runtime/clock.ts';
import { type Failure, failure } from '../transport/answer.ts';
import { childAbort } from '../pause.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClusterTuning } from '../tuning.ts';
import { readWatchEvent } from './watch-event.ts';

/** What is followed: one kind, maybe only a selection of its objects. */
export interface FollowTarget {
  /** e.g. /apis/kustomize.toolkit.fluxcd.io/v1/kustomizations */
  readonly path: string;
  /** Joined to every query, e.g. fieldSelector=...; '' for none. */
  readonly selector: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether the server bookmarks it each minute; where it does not, quiet is no sign of anything. */
  readonly bookmarks: boolean;
}

/**
 * What to do after a stream: go on from the last resourceVersion; list anew; read the first list another way;
 * reopen because it fell silent; go on soon because it broke; wait because it was refused.
 */
export type StreamOutcome =
  | { readonly next: 'again' | 'relist' | 'unsupported' | 'silent' }
  | { readonly next: 'broken' | 'wait'; readonly failure: Failure };

export interface StreamListener {
  opened(): void;
  /** Any line at all. */
  word(): void;
  /** `syncing`: before the end of the initial events. `version` is '' where the object bears none. */
  object(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ForeignObject, version: string, syncing: boolean): void;
  synced(version: string): void;
  bookmark(version: string): void;
}

export interface StreamDeps {
  readonly target: FollowTarget;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  readonly signal: AbortSignal;
  /** The resourceVersion to go on from; '' with `initial`. */
  readonly version: string;
  /** Ask for the present objects first (WatchList). */
  readonly initial: boolean;
  readonly listener: StreamListener;
}

/** Runs one watch to its end. */
export async function followStream({
  target,
  transport,
  clock,
  random,
  tuning,
  signal,
  version,
  initial,
  listener,
}: StreamDeps): Promise<StreamOutcome> {
  const { controller, release } = childAbort(signal);
  const seconds = Math.ceil((tuning.watchTimeout / 1_000) * (1 + random()));
  let syncing = initial;
  let words = 0;
  let openedAt: number | null = null;
  let lastWord = clock.now();
  let outcome: StreamOutcome | null = null;

  function finish(given: StreamOutcome): void {
    outcome ??= given;
    controller.abort();
  }

  function onLine(line: string): void {
    if (outcome !== null || signal.aborted) return;
    words++;
    lastWord = clock.now();
    listener.word();
    const event = readWatchEvent(line, target.apiVersion, target.kind);
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        listener.object(event.type, event.object, event.resourceVersion, syncing);
        break;
      case 'BOOKMARK':
        if (!syncing) {
          listener.bookmark(event.resourceVersion);
        } else if (event.initialEventsEnd && event.resourceVersion !== '') {
          syncing = false;
          listener.synced(event.resourceVersion);
        } else {
          // An old server ignores sendInitialEvents: it would never say where the first list ends.
          finish({ next: 'unsupported' });
        }
        break;
      case 'expired':
        finish({ next: 'relist' });
        break;
      case 'fault':
        finish({ next: 'wait', failure: event });
        break;
    }
  }

  function listen(): void {
    const quiet = clock.now() - lastWord;
    if (openedAt !== null && quiet >= tuning.silentAfter) finish({ next: 'silent' });
    else silence = clock.after(Math.max(1, tuning.silentAfter - (openedAt === null ? 0 : quiet)), listen);
  }

  let silence = clock.after(tuning.silentAfter, target.bookmarks ? listen : () => undefined);
  let lifetime = silence;
  const end = await transport.watch(`${target.path}?${queryOf(target, version, initial, seconds)}`, {
    signal: controller.signal,
    onOpen() {
      openedAt = clock.now();
      lastWord = openedAt;
      // A server or proxy that ignores timeoutSeconds would keep a stale route for ever.
      lifetime = clock.after(seconds * 1_000 + 15_000, () => finish({ next: 'again' }));
      listener.opened();
    },
    onLine,
  });
  silence.cancel();
  lifetime.cancel();
  release();
  if (outcome !== null) return outcome;
  if (end.type === 'cancelled') return { next: 'again' };
  if (end.type === 'ended') {
    const short = words === 0 && clock.now() - (openedAt ?? lastWord) < tuning.shortWatch;
    if (short) return { next: 'wait', failure: endedAtOnce };
    return syncing ? { next: 'broken', failure: brokenSync } : { next: 'again' };
  }
  if (end.opened) return { next: 'broken', failure: end };
  if (initial && end.fault.type === 'server' && (end.fault.status === 400 || end.fault.status === 422))
    return { next: 'unsupported' };
  return { next: 'wait', failure: end };
}

function queryOf(target: FollowTarget, version: string, initial: boolean, seconds: number): string {
  const position = initial
    ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
    : `resourceVersion=${encodeURIComponent(version)}`;
  const selector = target.selector === '' ? '' : `&${target.selector}`;
  return `watch=true&${position}&allowWatchBookmarks=true&timeoutSeconds=${seconds}${selector}`;
}

const endedAtOnce = failure({ type: 'protocol', message: 'the watch ended at once without a word' });
const brokenSync = failure({ type: 'protocol', message: 'the watch ended before its first list was complete' });
