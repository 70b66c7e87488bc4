import type { Clock } from '#server/runtime/clock.ts';
import { hasStatus } from './answer.ts';
import type { FeedState, GroupKind, WatchedKind } from './cluster-event.ts';
import { pause } from './pause.ts';
import type { Transport } from './transport.ts';
import type { ClusterTuning } from './tuning.ts';
import { groupKindKey } from './wanted-kinds.ts';
import { readListPage } from './watch-event.ts';

const namesOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

export interface ProberDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  onFeed(kind: GroupKind, feed: FeedState): void;
  /** An object of the kind exists: it is probed no more. */
  onFound(kind: WatchedKind): void;
  /** The cluster does not serve the kind (any more). */
  onMissing(kind: WatchedKind): void;
}

/** Looks at kinds that may have no objects, one request per `probePause`. */
export interface Prober {
  /** The kinds to look at from now on; known ones keep their turn. */
  setKinds(kinds: readonly WatchedKind[]): void;
  stop(): Promise<void>;
}

/** After a probe that failed (ms). */
const soonAgain = 5_000;

interface Turn {
  readonly kind: WatchedKind;
  due: number;
  told: string;
}

/** Composites and claims first: they are few, and what people look at. */
function rank({ categories }: WatchedKind): number {
  return categories.includes('managed') ? 1 : 0;
}

/** Starts the prober of one cluster, with nothing to probe. */
export function startProber({ transport, clock, random, tuning, onFeed, onFound, onMissing }: ProberDeps): Prober {
  const stopper = new AbortController();
  const turns = new Map<string, Turn>();
  let wake: AbortController | null = null;

  function next(): Turn | null {
    let first: Turn | null = null;
    for (const turn of turns.values()) if (first === null || turn.due < first.due) first = turn;
    return first;
  }

  function tell(turn: Turn, feed: FeedState): void {
    const words = JSON.stringify(feed);
    if (words === turn.told) return;
    turn.told = words;
    onFeed({ group: turn.kind.group, kind: turn.kind.kind }, feed);
  }

  /** Gives how long to leave the cluster alone, in ms. */
  async function probe(turn: Turn): Promise<number> {
    const { kind } = turn;
    // Without resourceVersion=0: the server's cache ignores the limit and would send all of them.
    const path = `/apis/${kind.group}/${kind.version}/${kind.resource}?limit=1`;
    const answer = await transport.get(path, {
      accept: namesOnly,
      timeout: tuning.getTimeout,
      most: tuning.answerBytes,
      signal: stopper.signal,
    });
    turn.due = clock.now() + tuning.probeEvery * (0.8 + 0.4 * random());
    if (stopper.signal.aborted || turns.get(groupKindKey(kind)) !== turn) return 0;
    if (answer.type === 'fault') {
      if (answer.fault.type === 'forbidden') tell(turn, { state: 'forbidden', fault: answer.fault });
      else if (hasStatus(answer.fault, 404)) missing(turn);
      else {
        tell(turn, { state: 'failed', fault: answer.fault });
        // What could not be looked at is looked at again soon; the cluster may be back by then.
        turn.due = clock.now() + Math.min(tuning.probeEvery, soonAgain);
      }
      return Math.max(tuning.probePause, answer.retryAfter ?? 0);
    }
    const page = answer.type === 'ok' ? readListPage(answer.body, `${kind.group}/${kind.version}`, kind.kind) : null;
    if (page?.type === 'fault') {
      tell(turn, { state: 'failed', fault: page.fault });
    } else if (page !== null && page.items.length === 0) {
      tell(turn, { state: 'idle' });
    } else {
      // One object too large to be read is an object too.
      turns.delete(groupKindKey(kind));
      onFound(kind);
    }
    return tuning.probePause;
  }

  function missing(turn: Turn): void {
    tell(turn, { state: 'absent' });
    onMissing(turn.kind);
  }

  async function run(): Promise<void> {
    while (!stopper.signal.aborted) {
      const turn = next();
      const now = clock.now();
      if (turn !== null && turn.due <= now) {
        await pause(clock, await probe(turn), stopper.signal);
        continue;
      }
      wake = new AbortController();
      await pause(clock, turn === null ? tuning.probeEvery : turn.due - now, wake.signal);
      wake = null;
    }
  }

  const running = run();
  return {
    setKinds(kinds) {
      const wanted = new Set(kinds.map(groupKindKey));
      for (const key of turns.keys()) if (!wanted.has(key)) turns.delete(key);
      for (const kind of kinds) {
        const key = groupKindKey(kind);
        const turn = turns.get(key);
        if (turn?.kind.version === kind.version && turn.kind.resource === kind.resource) continue;
        // The rank only orders what is due at once.
        turns.set(key, { kind, due: rank(kind), told: turn?.told ?? '' });
      }
      wake?.abort();
    },
    async stop() {
      stopper.abort();
      wake?.abort();
      await running;
    },
  };
}
