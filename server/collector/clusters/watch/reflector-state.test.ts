import { describe, expect, it } from 'vitest';
import type { ClusterFault } from '../cluster-event.ts';
import { type Failure, failure } from '../answer.ts';
import { firstState, nextState, type ReflectorInput, type ReflectorState } from './reflector-state.ts';

const forbidden: ClusterFault = { type: 'forbidden', message: 'no' };
const unreachable: ClusterFault = { type: 'unreachable', message: 'gone' };
const status = (code: number, message = 'no'): ClusterFault => ({ type: 'server', status: code, message });

const fresh = firstState(null);
const streaming: ReflectorState = { ...fresh, phase: { type: 'streaming-list' }, feed: { state: 'syncing' } };
const listing: ReflectorState = { ...streaming, phase: { type: 'listing', cached: true, opened: false }, first: false };
const watching: ReflectorState = { ...firstState('10'), phase: { type: 'watching' }, feed: { state: 'live' } };
const broken: ReflectorState = { ...watching, phase: { type: 'waiting', atLeast: 0 }, broken: unreachable };
const failing: ReflectorState = { ...watching, feed: { state: 'failed', fault: status(500) }, failingSince: 1_000 };

const waits = (fault: ClusterFault, retryAfter: number | null = null, opened = false): ReflectorInput =>
  ended({ next: 'wait', failure: failure(fault, retryAfter) }, opened);
const breaks = (given: Failure): ReflectorInput => ended({ next: 'broken', failure: given }, true);

function ended(
  outcome: { next: 'again' | 'relist' | 'unsupported' | 'silent' } | { next: 'broken' | 'wait'; failure: Failure },
  opened = false,
  received = false,
): ReflectorInput {
  return { type: 'stream-ended', end: { ...outcome, opened, received }, at: 2_000 };
}

describe('the state of a reflector', () => {
  it.each<[string, ReflectorState, ReflectorInput, Partial<ReflectorState>]>([
    // What to begin with.
    [
      'begins with a streamed list',
      fresh,
      { type: 'begin', streams: true },
      { phase: { type: 'streaming-list' }, feed: { state: 'syncing' }, first: true },
    ],
    [
      'begins with a list from the cache where none is streamed',
      fresh,
      { type: 'begin', streams: false },
      { phase: { type: 'listing', cached: true, opened: false }, first: false },
    ],
    [
      'lists exactly what was listed before',
      { ...fresh, first: false },
      { type: 'begin', streams: false },
      { phase: { type: 'listing', cached: false, opened: false } },
    ],
    [
      'goes on from a version without a list',
      firstState('10'),
      { type: 'begin', streams: true },
      { phase: { type: 'watching' }, feed: null, first: false },
    ],
    [
      'stays failed until a new attempt is accepted',
      { ...failing, version: '' },
      { type: 'begin', streams: true },
      { feed: failing.feed },
    ],
    // A first list.
    [
      'is syncing once the stream is accepted',
      { ...streaming, feed: { state: 'failed', fault: forbidden } },
      { type: 'opened' },
      { feed: { state: 'syncing' } },
    ],
    [
      'watches on when the first objects are complete',
      streaming,
      { type: 'synced', version: '20' },
      { phase: { type: 'watching' }, version: '20', first: false, feed: { state: 'live' } },
    ],
    [
      'watches from the version of a list',
      listing,
      { type: 'listed', version: '20' },
      { phase: { type: 'ready' }, version: '20', feed: { state: 'syncing' } },
    ],
    [
      'lists what cannot be streamed',
      streaming,
      ended({ next: 'unsupported' }, true),
      { phase: { type: 'listing', cached: true, opened: true } },
    ],
    [
      'lists what the server failed to stream',
      streaming,
      waits(status(500)),
      { phase: { type: 'listing', cached: true, opened: false } },
    ],
    ['does not list what is not served', streaming, waits(status(404)), { phase: { type: 'absent', slowly: false } }],
    [
      'does not list what is refused',
      streaming,
      waits(forbidden),
      { phase: { type: 'refused', slowly: false }, feed: { state: 'forbidden', fault: forbidden } },
    ],
    // A watch.
    [
      'is live once a watch is accepted',
      { ...watching, feed: { state: 'syncing' }, refusals: 3 },
      { type: 'opened' },
      { feed: { state: 'live' }, refusals: 0 },
    ],
    [
      'is not live by a watch that is accepted after a silence',
      { ...watching, feed: { state: 'silent' }, silent: true },
      { type: 'opened' },
      { feed: { state: 'silent' } },
    ],
    [
      'nor after two that brought nothing readable',
      { ...failing, unreadable: 2 },
      { type: 'opened' },
      { feed: failing.feed },
    ],
    [
      'is live by what it received',
      { ...failing, unreadable: 2, refusals: 1 },
      { type: 'received', version: '11' },
      { version: '11', feed: { state: 'live' }, unreadable: 0, refusals: 0, failingSince: null },
    ],
    ['keeps its version where an object bears none', watching, { type: 'received', version: '' }, { version: '10' }],
    [
      'goes on after a clean end',
      watching,
      ended({ next: 'again' }),
      { phase: { type: 'ready' }, version: '10', feed: { state: 'live' } },
    ],
    [
      'is listed anew once its version has expired',
      watching,
      ended({ next: 'relist' }),
      { phase: { type: 'waiting', atLeast: 0 }, version: '', feed: { state: 'syncing' } },
    ],
    // A silence.
    [
      'reopens a silent watch',
      watching,
      ended({ next: 'silent' }),
      { phase: { type: 'ready' }, version: '10', feed: { state: 'silent' }, silent: true },
    ],
    [
      'is listed anew after a second silence',
      { ...watching, silent: true },
      ended({ next: 'silent' }),
      { version: '', silent: true },
    ],
    [
      'keeps its version where a line came between',
      { ...watching, silent: true },
      ended({ next: 'silent' }, true, true),
      { version: '10', silent: true },
    ],
    // A break.
    [
      'does not tell a break at first',
      watching,
      breaks(failure(unreachable)),
      { phase: { type: 'waiting', atLeast: 0 }, feed: { state: 'live' }, broken: unreachable },
    ],
    ['keeps the first of several breaks', broken, breaks(failure(status(500))), { broken: unreachable }],
    [
      'tells a break that lasts',
      broken,
      { type: 'still-broken' },
      { feed: { state: 'failed', fault: unreachable }, broken: null },
    ],
    ['forgets a break that has healed', broken, { type: 'opened' }, { feed: { state: 'live' }, broken: null }],
    // A failure.
    [
      'waits as long as it is asked to',
      watching,
      waits({ type: 'throttled', message: 'no' }, 20_000),
      { phase: { type: 'waiting', atLeast: 20_000 }, failingSince: 2_000, version: '10' },
    ],
    [
      'counts a stream that failed before it could be read',
      watching,
      waits(status(500), null, true),
      { unreadable: 1 },
    ],
    [
      'counts also what was opened before its list',
      { ...listing, phase: { type: 'listing', cached: true, opened: true } },
      { type: 'list-failed', failure: failure(status(500)), at: 2_000 },
      { unreadable: 1 },
    ],
    [
      'is listed anew once the server has failed for long',
      { ...failing, failingSince: -60_000 },
      waits(status(500)),
      { version: '', failingSince: null },
    ],
    [
      'is not listed anew while the server cannot be reached',
      { ...failing, failingSince: -60_000 },
      waits(unreachable),
      { version: '10' },
    ],
    [
      'is listed anew where HTTP says 410',
      watching,
      waits(status(410)),
      { version: '', phase: { type: 'waiting', atLeast: 0 } },
    ],
    [
      'is listed anew where the version lies in the future',
      watching,
      waits(status(504, 'Too large resource version: 10')),
      { version: '' },
    ],
    [
      'is absent by a second 404 only',
      { ...watching, refusals: 1 },
      waits(status(404)),
      { feed: { state: 'absent' }, phase: { type: 'absent', slowly: false } },
    ],
    [
      'has failed by the first',
      watching,
      waits(status(404)),
      { feed: { state: 'failed', fault: status(404) }, refusals: 1 },
    ],
    [
      'is asked slowly after four refusals',
      { ...watching, refusals: 4 },
      waits(forbidden),
      { phase: { type: 'refused', slowly: true } },
    ],
  ])('%s', (_, before, input, after) => {
    expect(nextState(before, input, { relistAfter: 60_000 })).toMatchObject(after);
  });

  it('keeps the very feed that is told where its words are the same', () => {
    const next = nextState(failing, waits(status(500)), { relistAfter: 60_000 });
    expect(next.feed).toBe(failing.feed);
  });
});
