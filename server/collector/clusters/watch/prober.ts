import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import { type Failure, hasStatus } from '../answer.ts';
import { resourcePath } from '../api-path.ts';
import { createBackoff } from '../backoff.ts';
import { type GuardedDeps, keepReading } from '../boundary.ts';
import type { FeedState, WatchedKind } from '../cluster-event.ts';
import { createNap, pause } from '../pause.ts';
import { readListPage } from './watch-event.ts';
import { namesOnly } from '../reading-deps.ts';

/** The number of kinds that are only looked at, and the longest of their waits of late (ms). */
export interface ProbeStats {
  readonly kinds: number;
  readonly longest: number;
}

export interface ProberDeps extends GuardedDeps {
  onFeed(kind: GroupKind, feed: FeedState): void;
  /** An object of the kind exists: it is probed no more. */
  onFound(kind: WatchedKind): void;
  /** The kind was empty at this resourceVersion: true where it is watched from there on, and probed no more. */
  onEmpty(kind: WatchedKind, resourceVersion: string): boolean;
  /** The cluster does not serve the kind (any more). */
  onMissing(kind: WatchedKind): void;
  /** Called each round, and when there are none any more. */
  onProbeStats(stats: ProbeStats): void;
}

/** Probes kinds that may have no objects: each once in `probeEvery`, one every `probePause` at most, and so many at once. */
export type Prober = ReturnType<typeof startProber>;

/** After a probe that failed (ms). */
const soonAgain = 5_000;
/** A kind that is named again and again is looked at no more often than this (ms). */
const hurry = 2_000;
/** Requests that are under way at once: over a long way one after another would be too slow. */
const atOnce = 8;

/** When a kind is probed next, and what came of it last. */
interface Slot {
  readonly kind: WatchedKind;
  due: number;
  /** The feed that was sent last, as JSON; null where the next is sent anyway. */
  emitted: string | null;
  /** When it was probed last, or was first to be (ms). */
  probedAt: number;
  probed: boolean;
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
 * The first probe is exact and brings one name. Later ones are answered from the server's cache, which costs its etcd nothing;
 * it ignores the limit, but what was empty has few objects when it is found.
 */
function pathOf({ kind, probed }: Slot): string {
  return `${resourcePath(kind)}?limit=1${probed ? '&resourceVersion=0' : ''}`;
}

/** Starts the prober of one cluster, with nothing to probe. */
export function startProber(deps: ProberDeps) {
  const { clock, tuning } = deps;
  const stopper = new AbortController();
  const nap = createNap(clock, stopper.signal);
  const slots = new Map<string, Slot>();
  const flights = new Set<Promise<void>>();
  const stats = createStats(deps, slots);
  const quiet = { until: 0 };
  const probe = createProbe(deps, { slots, stats, quiet, signal: stopper.signal });

  function next(): Slot | null {
    let first: Slot | null = null;
    for (const slot of slots.values()) if (!slot.flying && (first === null || slot.due < first.due)) first = slot;
    return first;
  }

  function launch(slot: Slot): void {
    slot.flying = true;
    const flight = probe(slot).finally(() => {
      flights.delete(flight);
      nap.wake();
    });
    flights.add(flight);
  }

  async function turn(): Promise<void> {
    const slot = next();
    const now = clock.now();
    if (now < quiet.until) await pause(clock, quiet.until - now, stopper.signal);
    else if (slot === null || flights.size >= atOnce) await nap.pause(tuning.probeEvery);
    else if (slot.due > now) await nap.pause(slot.due - now);
    else {
      launch(slot);
      await pause(clock, tuning.probePause, stopper.signal);
    }
  }

  const running = keepReading(deps, { what: 'turns of kinds', signal: stopper.signal, turn, onFault: () => undefined });
  return {
    /** The kinds to probe from now on; known ones keep their turn. */
    setKinds(kinds: readonly WatchedKind[]): void {
      const wanted = new Set(kinds.map(kindKey));
      for (const key of slots.keys()) if (!wanted.has(key)) slots.delete(key);
      for (const kind of kinds) {
        const key = kindKey(kind);
        const slot = slots.get(key);
        if (slot?.kind.version === kind.version && slot.kind.resource === kind.resource) continue;
        // The rank only orders what is due at once.
        const fresh = { due: rank(kind), probedAt: clock.now(), probed: false, flying: false };
        slots.set(key, { ...fresh, kind, emitted: slot?.emitted ?? null });
      }
      stats.emit(clock.now());
      nap.wake();
    },
    /** Something named an object of this kind: it is looked at next. */
    probeSoon(kind: GroupKind): void {
      const slot = slots.get(kindKey(kind));
      if (!slot) return;
      slot.due = Math.min(slot.due, slot.probed ? slot.probedAt + hurry : 0);
      nap.wake();
    },
    async stop(): Promise<void> {
      stopper.abort();
      await Promise.all([running, ...flights]);
    },
  };
}

interface Round {
  readonly slots: Map<string, Slot>;
  readonly stats: Stats;
  /** Until then the server asked to be left alone (ms). */
  readonly quiet: { until: number };
  readonly signal: AbortSignal;
}

/** Probes the kind of a turn once; never rejects. */
function createProbe(deps: ProberDeps, { slots, stats, quiet, signal }: Round): (slot: Slot) => Promise<void> {
  const { transport, clock, random, tuning, boundary } = deps;
  const backoff = createBackoff(tuning, clock.now, random);

  function emit(slot: Slot, feed: FeedState): void {
    const text = JSON.stringify(feed);
    if (text === slot.emitted) return;
    slot.emitted = text;
    deps.onFeed({ group: slot.kind.group, kind: slot.kind.kind }, feed);
  }

  function failed(slot: Slot, { fault, retryAfter }: Failure, now: number): void {
    if (retryAfter !== null) quiet.until = Math.max(quiet.until, now + retryAfter);
    if (fault.type === 'forbidden') return emit(slot, { state: 'forbidden', fault });
    if (hasStatus(fault, 404)) {
      emit(slot, { state: 'absent' });
      return deps.onMissing(slot.kind);
    }
    emit(slot, { state: 'failed', fault });
    // What could not be looked at is looked at again soon; the cluster may be back by then.
    slot.due = now + Math.min(tuning.probeEvery, soonAgain);
  }

  async function look(slot: Slot): Promise<void> {
    const { kind } = slot;
    const options = { accept: namesOnly, timeout: tuning.getTimeout, most: tuning.answerBytes, signal };
    const answer = await transport.get(pathOf(slot), options);
    slot.flying = false;
    if (signal.aborted || slots.get(kindKey(kind)) !== slot) return;
    const now = clock.now();
    slot.due = now + tuning.probeEvery * (0.8 + 0.15 * random());
    if (answer.type === 'fault') return failed(slot, answer, now);
    const page =
      answer.type === 'ok'
        ? readListPage(answer.body, `${kind.group}/${kind.version}`, kind.kind, tuning.objectsAtMost)
        : null;
    if (page?.type === 'fault') return emit(slot, { state: 'failed', fault: page.fault });
    stats.probed(slot, now);
    if (page !== null && page.items.length === 0) {
      emit(slot, { state: 'idle' });
      if (deps.onEmpty(kind, page.resourceVersion)) slots.delete(kindKey(kind));
      return;
    }
    // One object too large to be read is an object too.
    deps.onFound(kind);
    slots.delete(kindKey(kind));
  }

  function thrown(slot: Slot, error: unknown): void {
    const { kind } = slot;
    const fault = boundary.fault(`a look at ${kind.resource} of ${kind.group}`, error);
    slot.flying = false;
    if (signal.aborted || slots.get(kindKey(kind)) !== slot) return;
    slot.due = clock.now() + backoff.next();
    boundary.run(kind.kind, () => emit(slot, { state: 'failed', fault }));
  }

  return (slot) => look(slot).catch((error: unknown) => thrown(slot, error));
}

type Stats = ReturnType<typeof createStats>;

/** The longest waits of this round and of the one before. */
function createStats({ clock, tuning, onProbeStats }: ProberDeps, slots: ReadonlyMap<string, Slot>) {
  const longest = { now: 0, before: 0, since: clock.now() };
  let hadKinds = false;

  function emit(now: number): void {
    const due = slots.size === 0 ? hadKinds : now >= longest.since + tuning.probeEvery;
    if (!due) return;
    hadKinds = slots.size > 0;
    // Who is waiting just now counts too.
    const waiting = [...slots.values()].reduce((most, { probedAt }) => Math.max(most, now - probedAt), 0);
    onProbeStats({ kinds: slots.size, longest: Math.max(longest.now, longest.before, waiting) });
    Object.assign(longest, { now: 0, before: longest.now, since: now });
  }

  return {
    probed(slot: Slot, now: number): void {
      longest.now = Math.max(longest.now, now - slot.probedAt);
      slot.probedAt = now;
      slot.probed = true;
      emit(now);
    },
    /** Sends them where a round is over. */
    emit,
  };
}
