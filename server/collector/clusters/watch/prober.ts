import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { type Failure, hasStatus } from '../answer.ts';
import type { FeedState, WatchedKind } from '../cluster-event.ts';
import { createNap, pause } from '../pause.ts';
import { readListPage } from './watch-event.ts';
import { namesOnly, type ReadingDeps } from '../reading-deps.ts';

/** The number of kinds that are only looked at, and the longest of their waits of late (ms). */
export interface ProbeStats {
  readonly kinds: number;
  readonly longest: number;
}

export interface ProberDeps extends ReadingDeps {
  onFeed(kind: GroupKind, feed: FeedState): void;
  /** An object of the kind exists: it is probed no more. */
  onFound(kind: WatchedKind): void;
  /** The kind was empty at this resourceVersion: true where it is watched from there on, and probed no more. */
  onEmpty(kind: WatchedKind, resourceVersion: string): boolean;
  /** The cluster does not serve the kind (any more). */
  onMissing(kind: WatchedKind): void;
  /** Called each round, and when there are none any more. */
  onProbeStats(looks: ProbeStats): void;
}

/** Looks at kinds that may have no objects: each once in `probeEvery`, one every `probePause` at most, and so many at once. */
export type Prober = ReturnType<typeof startProber>;

/** After a probe that failed (ms). */
const soonAgain = 5_000;
/** A kind that is named again and again is looked at no more often than this (ms). */
const hurry = 2_000;
/** Requests that are under way at once: over a long way one after another would be too slow. */
const atOnce = 8;

/** A kind's turns to be looked at. */
interface Turn {
  readonly kind: WatchedKind;
  due: number;
  /** The feed that was sent last, as JSON. */
  emitted: string;
  /** The last look, or when it was first to be looked at (ms). */
  lookedAt: number;
  looked: boolean;
  flying: boolean;
}

/** Composites and claims first: they are few, and what people look at. */
function rank({ categories }: WatchedKind): number {
  return categories.includes('managed') ? 1 : 0;
}

/** Kinds in the order in which they are looked at. */
export function compositesFirst(kinds: readonly WatchedKind[]): readonly WatchedKind[] {
  return kinds.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The first look is exact and brings one name. Later ones are answered from the server's cache, which costs its etcd nothing;
 * it ignores the limit, but what was empty has few objects when it is found.
 */
function pathOf({ kind, looked }: Turn): string {
  return `/apis/${kind.group}/${kind.version}/${kind.resource}?limit=1${looked ? '&resourceVersion=0' : ''}`;
}

/** Starts the prober of one cluster, with nothing to probe. */
export function startProber(deps: ProberDeps) {
  const { clock, tuning } = deps;
  const stopper = new AbortController();
  const nap = createNap(clock, stopper.signal);
  const turns = new Map<string, Turn>();
  const flights = new Set<Promise<void>>();
  const stats = createStats(deps, turns);
  const quiet = { until: 0 };
  const probe = createProbe(deps, { turns, stats, quiet, signal: stopper.signal });

  function next(): Turn | null {
    let first: Turn | null = null;
    for (const turn of turns.values()) if (!turn.flying && (first === null || turn.due < first.due)) first = turn;
    return first;
  }

  function launch(turn: Turn): void {
    turn.flying = true;
    const flight = probe(turn).finally(() => {
      flights.delete(flight);
      nap.wake();
    });
    flights.add(flight);
  }

  async function run(): Promise<void> {
    while (!stopper.signal.aborted) {
      const turn = next();
      const now = clock.now();
      if (now < quiet.until) await pause(clock, quiet.until - now, stopper.signal);
      else if (turn === null || flights.size >= atOnce) await nap.pause(tuning.probeEvery);
      else if (turn.due > now) await nap.pause(turn.due - now);
      else {
        launch(turn);
        await pause(clock, tuning.probePause, stopper.signal);
      }
    }
  }

  const running = run();
  return {
    /** The kinds to look at from now on; known ones keep their turn. */
    setKinds(kinds: readonly WatchedKind[]): void {
      const wanted = new Set(kinds.map(kindKey));
      for (const key of turns.keys()) if (!wanted.has(key)) turns.delete(key);
      for (const kind of kinds) {
        const key = kindKey(kind);
        const turn = turns.get(key);
        if (turn?.kind.version === kind.version && turn.kind.resource === kind.resource) continue;
        // The rank only orders what is due at once.
        const fresh = { due: rank(kind), lookedAt: clock.now(), looked: false, flying: false };
        turns.set(key, { ...fresh, kind, emitted: turn?.emitted ?? '' });
      }
      stats.emit(clock.now());
      nap.wake();
    },
    /** Something named an object of this kind: it is looked at next. */
    lookAt(kind: GroupKind): void {
      const turn = turns.get(kindKey(kind));
      if (!turn) return;
      turn.due = Math.min(turn.due, turn.looked ? turn.lookedAt + hurry : 0);
      nap.wake();
    },
    async stop(): Promise<void> {
      stopper.abort();
      await Promise.all([running, ...flights]);
    },
  };
}

interface Round {
  readonly turns: Map<string, Turn>;
  readonly stats: Stats;
  /** Until then the server asked to be left alone (ms). */
  readonly quiet: { until: number };
  readonly signal: AbortSignal;
}

/** Looks once at the kind of a turn. */
function createProbe(deps: ProberDeps, { turns, stats, quiet, signal }: Round): (turn: Turn) => Promise<void> {
  const { transport, clock, random, tuning } = deps;

  function emit(turn: Turn, feed: FeedState): void {
    const text = JSON.stringify(feed);
    if (text === turn.emitted) return;
    turn.emitted = text;
    deps.onFeed({ group: turn.kind.group, kind: turn.kind.kind }, feed);
  }

  function failed(turn: Turn, { fault, retryAfter }: Failure, now: number): void {
    if (retryAfter !== null) quiet.until = Math.max(quiet.until, now + retryAfter);
    if (fault.type === 'forbidden') return emit(turn, { state: 'forbidden', fault });
    if (hasStatus(fault, 404)) {
      emit(turn, { state: 'absent' });
      return deps.onMissing(turn.kind);
    }
    emit(turn, { state: 'failed', fault });
    // What could not be looked at is looked at again soon; the cluster may be back by then.
    turn.due = now + Math.min(tuning.probeEvery, soonAgain);
  }

  return async (turn) => {
    const { kind } = turn;
    const options = { accept: namesOnly, timeout: tuning.getTimeout, most: tuning.answerBytes, signal };
    const answer = await transport.get(pathOf(turn), options);
    turn.flying = false;
    if (signal.aborted || turns.get(kindKey(kind)) !== turn) return;
    const now = clock.now();
    turn.due = now + tuning.probeEvery * (0.8 + 0.15 * random());
    if (answer.type === 'fault') return failed(turn, answer, now);
    const page = answer.type === 'ok' ? readListPage(answer.body, `${kind.group}/${kind.version}`, kind.kind) : null;
    if (page?.type === 'fault') return emit(turn, { state: 'failed', fault: page.fault });
    stats.looked(turn, now);
    if (page !== null && page.items.length === 0) {
      emit(turn, { state: 'idle' });
      if (deps.onEmpty(kind, page.resourceVersion)) turns.delete(kindKey(kind));
      return;
    }
    // One object too large to be read is an object too.
    turns.delete(kindKey(kind));
    deps.onFound(kind);
  };
}

type Stats = ReturnType<typeof createStats>;

/** The longest waits of this round and of the one before. */
function createStats({ clock, tuning, onProbeStats }: ProberDeps, turns: ReadonlyMap<string, Turn>) {
  const longest = { now: 0, before: 0, since: clock.now() };
  let hadKinds = false;

  function emit(now: number): void {
    const due = turns.size === 0 ? hadKinds : now >= longest.since + tuning.probeEvery;
    if (!due) return;
    hadKinds = turns.size > 0;
    // Who is waiting just now counts too.
    const waiting = [...turns.values()].reduce((most, { lookedAt }) => Math.max(most, now - lookedAt), 0);
    onProbeStats({ kinds: turns.size, longest: Math.max(longest.now, longest.before, waiting) });
    Object.assign(longest, { now: 0, before: longest.now, since: now });
  }

  return {
    looked(turn: Turn, now: number): void {
      longest.now = Math.max(longest.now, now - turn.lookedAt);
      turn.lookedAt = now;
      turn.looked = true;
      emit(now);
    },
    /** Sends them where a round is over. */
    emit,
  };
}
