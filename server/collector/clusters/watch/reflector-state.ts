import { type Failure, hasStatus } from '../answer.ts';
import type { ClusterFault, FeedState } from '../cluster-event.ts';
import type { ClusterTuning } from '../tuning.ts';
import type { StreamEnd } from './stream.ts';
import { isTooLarge } from './watch-event.ts';

/** The present step of a reflector. */
export type Phase =
  /** Begins an attempt at once. */
  | { readonly type: 'ready' }
  /** Receives the present objects on a stream (WatchList), which goes on as a watch. */
  | { readonly type: 'streaming-list' }
  /** Lists in pages; a first list comes from the server's cache. `opened`: the server had opened a stream for it before. */
  | { readonly type: 'listing'; readonly cached: boolean; readonly opened: boolean }
  | { readonly type: 'watching' }
  /** Pauses by the backoff, and no shorter than `atLeast` (ms). */
  | { readonly type: 'waiting'; readonly atLeast: number }
  /** RBAC refuses it, or the server does not know the kind (HTTP 404): pauses, `slowly` once that has lasted. */
  | { readonly type: 'refused' | 'absent'; readonly slowly: boolean };

/** Where the reflector of one kind stands. */
export interface ReflectorState {
  readonly phase: Phase;
  /** The last resourceVersion: a watch goes on from it; '' where the objects must be listed. */
  readonly version: string;
  /** Nothing was listed before. */
  readonly first: boolean;
  /** The feed as it is shown; null before the first attempt. */
  readonly feed: FeedState | null;
  /** A break that is not shown yet, for most heal at once (GOAWAY, a balancer's limit). */
  readonly broken: ClusterFault | null;
  /** The last stream fell silent, and no line came since. */
  readonly silent: boolean;
  /** Streams in a row that were opened and failed before anything that could be read. */
  readonly unreadable: number;
  /** Refusals in a row. */
  readonly refusals: number;
  /** Since when requests fail (ms since the epoch). */
  readonly failingSince: number | null;
}

/** Moves a reflector on. `at` in ms since the epoch. */
export type ReflectorInput =
  /** An attempt begins. `streams`: a first list may be streamed. */
  | { readonly type: 'begin'; readonly streams: boolean }
  /** The server accepted the watch. */
  | { readonly type: 'opened' }
  /** The first objects are complete, at this version. */
  | { readonly type: 'synced'; readonly version: string }
  /** A change or a bookmark; `version` is '' where it bears none. */
  | { readonly type: 'received'; readonly version: string }
  | { readonly type: 'stream-ended'; readonly end: StreamEnd; readonly at: number }
  | { readonly type: 'list-started' }
  | { readonly type: 'listed'; readonly version: string }
  | { readonly type: 'list-failed'; readonly failure: Failure; readonly at: number }
  /** The break has lasted for `brokenGrace`. */
  | { readonly type: 'still-broken' }
  /** An error of ours ended the attempt: what came since the last list may not have been taken. */
  | { readonly type: 'thrown'; readonly fault: ClusterFault };

/** After so many refusals in a row it is asked slowly: a server that has just started has not read its roles yet. */
const refusalsAtOnce = 4;

/** Before the first attempt. `resume`: the resourceVersion to go on from without a list; null for a full sync. */
export function firstState(resume: string | null): ReflectorState {
  const version = resume ?? '';
  return {
    phase: { type: 'ready' },
    version,
    first: version === '',
    feed: null,
    broken: null,
    silent: false,
    unreadable: 0,
    refusals: 0,
    failingSince: null,
  };
}

/** The state after an input: client-go's manners (reflector.go). */
export function nextState(
  state: ReflectorState,
  input: ReflectorInput,
  { relistAfter }: Pick<ClusterTuning, 'relistAfter'>,
): ReflectorState {
  switch (input.type) {
    case 'begin':
      if (state.version !== '') return { ...state, phase: { type: 'watching' } };
      return input.streams ? { ...attempt(state), phase: { type: 'streaming-list' } } : startList(state, false);
    case 'opened':
      if (state.phase.type === 'streaming-list') return show(state, { state: 'syncing' });
      // After a silence, and after streams that only brought what cannot be read, only a line counts, not that one opened.
      return state.silent || state.unreadable >= 2 ? state : live(state);
    case 'synced':
      return { ...received(state, input.version), phase: { type: 'watching' }, first: false };
    case 'received':
      return received(state, input.version);
    case 'stream-ended':
      return streamEnded(input.end.received ? { ...state, silent: false } : state, input.end, input.at, relistAfter);
    case 'list-started':
      return show(state, { state: 'syncing' });
    case 'listed':
      return { ...state, phase: { type: 'ready' }, version: input.version };
    case 'list-failed': {
      const opened = state.phase.type === 'listing' && state.phase.opened;
      return failed(state, input.failure, opened, input.at, relistAfter);
    }
    case 'still-broken':
      return state.broken === null ? state : show(state, { state: 'failed', fault: state.broken });
    case 'thrown':
      return { ...show(forget(state), { state: 'failed', fault: input.fault }), phase: { type: 'ready' } };
  }
}

function streamEnded(state: ReflectorState, end: StreamEnd, at: number, relistAfter: number): ReflectorState {
  if (state.phase.type === 'streaming-list' && isWorthAList(end)) return startList(state, end.opened);
  switch (end.next) {
    case 'again':
    case 'unsupported':
      return { ...state, phase: { type: 'ready' } };
    case 'silent': {
      // Twice without a line: maybe our version lies in a future that never came (etcd restored from a backup).
      const kept = state.silent ? forget(state) : state;
      return { ...show(kept, { state: 'silent' }), phase: { type: 'ready' }, silent: true };
    }
    case 'relist':
      return { ...show(forget(state), { state: 'syncing' }), phase: { type: 'waiting', atLeast: 0 } };
    case 'broken':
      return {
        ...state,
        phase: { type: 'waiting', atLeast: 0 },
        broken: state.broken ?? end.failure.fault,
      };
    case 'wait':
      return failed(state, end.failure, end.opened, at, relistAfter);
  }
}

/** As client-go does: what fails as a stream may still work as a list, unless it was refused or asked to wait. */
function isWorthAList(end: StreamEnd): boolean {
  if (end.next === 'unsupported') return true;
  return end.next === 'wait' && end.failure.fault.type === 'server' && !hasStatus(end.failure.fault, 404);
}

function failed(
  before: ReflectorState,
  { fault, retryAfter }: Failure,
  opened: boolean,
  at: number,
  relistAfter: number,
): ReflectorState {
  const counted = opened ? { ...before, unreadable: before.unreadable + 1 } : before;
  const state = hasStatus(fault, 410) || isTooLarge(fault.message) ? forget(counted) : counted;
  if (fault.type === 'forbidden') return refused(show(state, { state: 'forbidden', fault }), 'refused');
  // A server that has just started does not know its CRDs yet: once is no proof.
  if (hasStatus(fault, 404))
    return refused(show(state, state.refusals > 0 ? { state: 'absent' } : { state: 'failed', fault }), 'absent');
  const failingSince = state.failingSince ?? at;
  const next = { ...show(state, { state: 'failed', fault }), failingSince };
  return {
    ...(fault.type === 'server' && at - failingSince > relistAfter ? forget(next) : next),
    phase: { type: 'waiting', atLeast: retryAfter ?? 0 },
  };
}

function refused(state: ReflectorState, type: 'refused' | 'absent'): ReflectorState {
  const refusals = state.refusals + 1;
  return { ...state, refusals, phase: { type, slowly: refusals > refusalsAtOnce } };
}

function startList(state: ReflectorState, opened: boolean): ReflectorState {
  return { ...attempt(state), phase: { type: 'listing', cached: state.first, opened }, first: false };
}

/** A feed that was refused or failed stays so until the server accepts a new attempt. */
function attempt(state: ReflectorState): ReflectorState {
  const shown = state.feed?.state;
  return shown === undefined || shown === 'live' || shown === 'silent' ? show(state, { state: 'syncing' }) : state;
}

function received(state: ReflectorState, version: string): ReflectorState {
  return live({ ...state, version: version === '' ? state.version : version, unreadable: 0 });
}

function live(state: ReflectorState): ReflectorState {
  return { ...show(state, { state: 'live' }), failingSince: null, refusals: 0 };
}

/** The next attempt lists. */
function forget(state: ReflectorState): ReflectorState {
  return { ...state, version: '', failingSince: null };
}

function show(state: ReflectorState, feed: FeedState): ReflectorState {
  const isShown = state.feed !== null && textOf(state.feed) === textOf(feed);
  return { ...state, feed: isShown ? state.feed : feed, broken: null };
}

function textOf(feed: FeedState): string {
  return 'fault' in feed ? JSON.stringify(feed) : feed.state;
}
