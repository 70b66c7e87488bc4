import type { Clock } from '#server/runtime/clock.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { hasStatus } from '../answer.ts';
import type { FeedState, WatchedKind } from '../cluster-event.ts';
import { childAbort, pause } from '../pause.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClusterTuning } from '../tuning.ts';
import { readListPage } from './watch-event.ts';

const namesOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** How many kinds are only looked at, and how long the longest of them has waited for a look of late (ms). */
export interface ProbeStats {
  readonly kinds: number;
  readonly longest: number;
}

export interface ProberDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  onFeed(kind: GroupKind, feed: FeedState): void;
  /** An object of the kind exists: it is probed no more. */
  onFound(kind: WatchedKind): void;
  /** The kind was empty at this resourceVersion: true where it is watched from there on, and probed no more. */
  onEmpty(kind: WatchedKind, resourceVersion: string): boolean;
  /** The cluster does not serve the kind (any more). */
  onMissing(kind: WatchedKind): void;
  /** Told each round, and when there are none any more. */
  onProbeStats(looks: ProbeStats): void;
}

/** Looks at kinds that may have no objects: each once in `probeEvery`, one every `probePause` at most, and so many at once. */
export interface Prober {
  /** The kinds to look at from now on; known ones keep their turn. */
  setKinds(kinds: readonly WatchedKind[]): void;
  /** Something named an object of this kind: it is looked at next. */
  lookAt(kind: GroupKind): void;
  stop(): Promise<void>;
}

/** After a probe that failed (ms). */
const soonAgain = 5_000;
/** What is named again and again is looked at no more often than this (ms). */
const hurry = 2_000;
/** Requests that are under way at once: over a long way one after another would be too slow. */
const atOnce = 8;

interface Permit {
  readonly kind: WatchedKind;
  due: number;
  told: string;
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
function pathOf({ kind, looked }: Permit): string {
  return `/apis/${kind.group}/${kind.version}/${kind.resource}?limit=1${looked ? '&resourceVersion=0' : ''}`;
}

/** Starts the prober of one cluster, with nothing to probe. */
export function startProber(deps: ProberDeps): Prober {
  const { transport, clock, random, tuning } = deps;
  const stopper = new AbortController();
  const turns = new Map<string, Permit>();
  const flights = new Set<Promise<void>>();
  let wake: AbortController | null = null;
  /** Until then the server asked to be left alone (ms). */
  let quietUntil = 0;
  let lastProbeStats = false;
  /** The longest waits of this round and of the one before. */
  const longest = { now: 0, before: 0, since: clock.now() };

  function next(): Permit | null {
    let first: Permit | null = null;
    for (const turn of turns.values()) if (!turn.flying && (first === null || turn.due < first.due)) first = turn;
    return first;
  }

  function tell(turn: Permit, feed: FeedState): void {
    const words = JSON.stringify(feed);
    if (words === turn.told) return;
    turn.told = words;
    deps.onFeed({ group: turn.kind.group, kind: turn.kind.kind }, feed);
  }

  function emitProbeStats(now: number): void {
    const due = turns.size === 0 ? lastProbeStats : now >= longest.since + tuning.probeEvery;
    if (!due) return;
    lastProbeStats = turns.size > 0;
    // Who is waiting just now counts too.
    const waiting = [...turns.values()].reduce((most, { lookedAt }) => Math.max(most, now - lookedAt), 0);
    deps.onProbeStats({ kinds: turns.size, longest: Math.max(longest.now, longest.before, waiting) });
    Object.assign(longest, { now: 0, before: longest.now, since: now });
  }

  function noteLook(turn: Permit, now: number): void {
    longest.now = Math.max(longest.now, now - turn.lookedAt);
    turn.lookedAt = now;
    turn.looked = true;
    emitProbeStats(now);
  }

  function failed(turn: Permit, answer: Extract<Awaited<ReturnType<Transport['get']>>, { type: 'fault' }>): void {
    const { fault, retryAfter } = answer;
    const now = clock.now();
    if (retryAfter !== null) quietUntil = Math.max(quietUntil, now + retryAfter);
    if (fault.type === 'forbidden') return tell(turn, { state: 'forbidden', fault });
    if (hasStatus(fault, 404)) {
      tell(turn, { state: 'absent' });
      return deps.onMissing(turn.kind);
    }
    tell(turn, { state: 'failed', fault });
    // What could not be looked at is looked at again soon; the cluster may be back by then.
    turn.due = now + Math.min(tuning.probeEvery, soonAgain);
  }

  function isPresent(turn: Permit): boolean {
    return !stopper.signal.aborted && turns.get(kindKey(turn.kind)) === turn;
  }

  async function probe(turn: Permit): Promise<void> {
    const { kind } = turn;
    const answer = await transport.get(pathOf(turn), {
      accept: namesOnly,
      timeout: tuning.getTimeout,
      most: tuning.answerBytes,
      signal: stopper.signal,
    });
    turn.flying = false;
    if (!isPresent(turn)) return;
    const now = clock.now();
    turn.due = now + tuning.probeEvery * (0.8 + 0.15 * random());
    if (answer.type === 'fault') return failed(turn, answer);
    const page = answer.type === 'ok' ? readListPage(answer.body, `${kind.group}/${kind.version}`, kind.kind) : null;
    if (page?.type === 'fault') return tell(turn, { state: 'failed', fault: page.fault });
    noteLook(turn, now);
    if (page !== null && page.items.length === 0) {
      tell(turn, { state: 'idle' });
      if (deps.onEmpty(kind, page.resourceVersion)) turns.delete(kindKey(kind));
      return;
    }
    // One object too large to be read is an object too.
    turns.delete(kindKey(kind));
    deps.onFound(kind);
  }

  function launch(turn: Permit): void {
    turn.flying = true;
    const flight = probe(turn).finally(() => {
      flights.delete(flight);
      wake?.abort();
    });
    flights.add(flight);
  }

  /** Sleeps so long, or until something is to be looked at again. */
  async function sleep(ms: number): Promise<void> {
    const { controller, release } = childAbort(stopper.signal);
    wake = controller;
    await pause(clock, ms, controller.signal);
    wake = null;
    release();
  }

  async function run(): Promise<void> {
    while (!stopper.signal.aborted) {
      const turn = next();
      const now = clock.now();
      if (now < quietUntil) await pause(clock, quietUntil - now, stopper.signal);
      else if (turn === null || flights.size >= atOnce) await sleep(tuning.probeEvery);
      else if (turn.due > now) await sleep(turn.due - now);
      else {
        launch(turn);
        await pause(clock, tuning.probePause, stopper.signal);
      }
    }
  }

  const running = run();
  return {
    setKinds(kinds) {
      const wanted = new Set(kinds.map(kindKey));
      for (const key of turns.keys()) if (!wanted.has(key)) turns.delete(key);
      for (const kind of kinds) {
        const key = kindKey(kind);
        const turn = turns.get(key);
        if (turn?.kind.version === kind.version && turn.kind.resource === kind.resource) continue;
        // The rank only orders what is due at once.
        const fresh = { due: rank(kind), lookedAt: clock.now(), looked: false, flying: false };
        turns.set(key, { ...fresh, kind, told: turn?.told ?? '' });
      }
      emitProbeStats(clock.now());
      wake?.abort();
    },
    lookAt(kind) {
      const turn = turns.get(kindKey(kind));
      if (!turn) return;
      turn.due = Math.min(turn.due, turn.looked ? turn.lookedAt + hurry : 0);
      wake?.abort();
    },
    async stop() {
      stopper.abort();
      wake?.abort();
      await Promise.all([running, ...flights]);
    },
  };
}
