import type { ForeignObject } from '#lib/foreign.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import { type Failure, hasStatus } from '../transport/answer.ts';
import { createBackoff } from '../backoff.ts';
import type { FeedState } from '../cluster-event.ts';
import { listAll } from './list.ts';
import { pause } from '../pause.ts';
import { followStream, type FollowTarget, type StreamOutcome } from './stream.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClusterTuning } from '../tuning.ts';
import { isTooLarge } from './watch-event.ts';

/** What follows from it. Between syncStart and syncEnd objects come with initial = true; a broken sync starts again. */
export interface FollowSink {
  state(feed: FeedState): void;
  syncStart(): void;
  applied(object: ForeignObject, initial: boolean): void;
  deleted(object: ForeignObject): void;
  syncEnd(resourceVersion: string): void;
  bookmark(resourceVersion: string): void;
  /** The server does not know the kind (HTTP 404). */
  missing(): void;
}

/** Shared by all followers of one cluster: whether its server can stream a first list (WatchList). */
export interface WatchListSupport {
  supported: boolean;
}

export interface FollowDeps {
  readonly target: FollowTarget;
  readonly sink: FollowSink;
  readonly transport: Transport;
  readonly watchList: WatchListSupport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  /** Where to go on without a list; null for a full sync. */
  readonly resume: string | null;
}

/**
 * Follows one kind for ever with client-go's manners (reflector.go): streamed or paged first list, then watches that are
 * resumed from the last resourceVersion whatever broke them, and a new list only when the server has forgotten it (410).
 */
export function startFollow(deps: FollowDeps): { stop(): Promise<void> } {
  const { target, sink, transport, watchList, clock, random, tuning } = deps;
  const stopper = new AbortController();
  const { signal } = stopper;
  const backoff = createBackoff(tuning, clock.now, random);
  let version = deps.resume ?? '';
  let first = version === '';
  let lastEmitted = '';
  let silent = false;
  let opened = false;
  /** Streams in a row that were opened and failed before any word that could be read. */
  let unreadable = 0;
  let refusals = 0;
  let failingSince: number | null = null;
  let brokenTimer: Timer | null = null;

  function emit(feed: FeedState): void {
    brokenTimer?.cancel();
    brokenTimer = null;
    const words = 'fault' in feed ? JSON.stringify(feed) : feed.state;
    if (words === lastEmitted || signal.aborted) return;
    lastEmitted = words;
    sink.state(feed);
  }

  /** A word that could be read. */
  function received(): void {
    unreadable = 0;
    live();
  }

  function live(): void {
    failingSince = null;
    refusals = 0;
    brokenTimer?.cancel();
    brokenTimer = null;
    if (lastEmitted !== 'live') emit({ state: 'live' });
  }

  /** What was refused or failed stays told so until the server accepts a new attempt. */
  function attemptSync(): void {
    if (lastEmitted === '' || lastEmitted === 'live' || lastEmitted === 'silent') emit({ state: 'syncing' });
  }

  function syncStarts(): void {
    emit({ state: 'syncing' });
    sink.syncStart();
  }

  function stream(initial: boolean): Promise<StreamOutcome> {
    if (initial) attemptSync();
    return followStream({
      target,
      transport,
      clock,
      random,
      tuning,
      signal,
      version,
      initial,
      listener: {
        opened() {
          opened = true;
          if (initial) syncStarts();
          // After a silence, and after streams that only brought what cannot be read, only a word counts, not that one opened.
          else if (!silent && unreadable < 2) live();
        },
        word() {
          silent = false;
        },
        object(type, object, seen, syncing) {
          if (!syncing) {
            if (seen !== '') version = seen;
            received();
          }
          if (type === 'DELETED') sink.deleted(object);
          else sink.applied(object, syncing);
        },
        synced(seen) {
          version = seen;
          first = false;
          sink.syncEnd(seen);
          received();
        },
        bookmark(seen) {
          if (seen !== '') version = seen;
          received();
          if (seen !== '') sink.bookmark(seen);
        },
      },
    });
  }

  async function list(): Promise<StreamOutcome> {
    attemptSync();
    const cached = first;
    first = false;
    const { path, selector, apiVersion, kind } = target;
    const listed = await listAll({
      ...{ transport, tuning, path, selector, apiVersion, kind, signal, cached },
      onStart: syncStarts,
      onObject: (object) => sink.applied(object, true),
    });
    if (signal.aborted) return { next: 'again' };
    if (listed.type === 'fault') return { next: 'wait', failure: listed };
    version = listed.resourceVersion;
    sink.syncEnd(version);
    return { next: 'again' };
  }

  async function step(): Promise<StreamOutcome> {
    if (version !== '') return stream(false);
    if (!watchList.supported || !target.bookmarks) return list();
    const outcome = await stream(true);
    if (version !== '' || signal.aborted) return outcome;
    if (outcome.next === 'unsupported') {
      watchList.supported = false;
      return list();
    }
    // As client-go does: what fails as a stream may still work as a list, unless it was refused or asked to wait.
    return outcome.next === 'wait' && outcome.failure.fault.type === 'server' && !hasStatus(outcome.failure.fault, 404)
      ? list()
      : outcome;
  }

  async function wait(given: Failure): Promise<void> {
    const { fault, retryAfter } = given;
    if (fault.type === 'forbidden') {
      emit({ state: 'forbidden', fault });
      return refused();
    }
    if (hasStatus(fault, 404)) {
      // A server that has just started does not know its CRDs yet: once is no proof.
      emit(refusals > 0 ? { state: 'absent' } : { state: 'failed', fault });
      sink.missing();
      return refused();
    }
    emit({ state: 'failed', fault });
    failingSince ??= clock.now();
    if (fault.type === 'server' && clock.now() - failingSince > tuning.relistAfter) forget();
    return pause(clock, Math.max(backoff.next(), retryAfter ?? 0), signal);
  }

  /** Soon at first (a server that has just started has not read its roles yet), then slowly. */
  function refused(): Promise<void> {
    const slow = ++refusals > 4;
    return pause(clock, slow ? tuning.forbiddenRetry * (0.8 + 0.4 * random()) : backoff.next(), signal);
  }

  function forget(): void {
    version = '';
    failingSince = null;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      opened = false;
      const outcome = await step();
      if (signal.aborted) return;
      switch (outcome.next) {
        case 'again':
          break;
        case 'silent':
          // Twice without a word: maybe our version lies in a future that never came (etcd restored from a backup).
          if (silent) forget();
          silent = true;
          emit({ state: 'silent' });
          break;
        case 'relist':
          forget();
          emit({ state: 'syncing' });
          await pause(clock, backoff.next(), signal);
          break;
        case 'unsupported':
          forget();
          break;
        case 'broken': {
          // Most breaks heal at once (GOAWAY, a balancer's limit): only one that lasts is told.
          const { fault } = outcome.failure;
          brokenTimer ??= clock.after(tuning.brokenGrace, () => emit({ state: 'failed', fault }));
          await pause(clock, backoff.next(), signal);
          break;
        }
        case 'wait':
          if (opened) unreadable++;
          if (hasStatus(outcome.failure.fault, 410) || isTooLarge(outcome.failure.fault.message)) forget();
          await wait(outcome.failure);
          break;
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopper.abort();
      brokenTimer?.cancel();
      await running;
    },
  };
}
