import { StreamFrame } from '#lib/api/stream.ts';
import { minute } from '#lib/domain/time/length.ts';

/** The page's connection to the server. `paused` while the tab is hidden. Times in ms on the browser's clock. */
export interface FeedState {
  readonly connection: 'connecting' | 'open' | 'lost' | 'paused';
  /** When the server last said anything; where it has not yet, when the page came. */
  readonly lastNewsAt: number;
  /** The server's own time of its last word, RFC 3339; null before the first. */
  readonly serverTime: string | null;
  /** When the collector last said anything, RFC 3339, as the server tells it. */
  readonly lastWordAt: string | null;
  readonly lostAt: number | null;
  readonly nextTryAt: number | null;
}

export interface StreamHandlers {
  opened(): void;
  failed(): void;
  frame(data: string, id: string): void;
}

export interface FeedDeps {
  /** Path and query of the stream. */
  readonly url: string;
  /** When the server made the page (RFC 3339): what changed since comes first. */
  readonly madeAt: string;
  now(): number;
  after(delay: number, task: () => void): { cancel(): void };
  open(url: string, handlers: StreamHandlers): { close(): void };
  onFrame(frame: StreamFrame): void;
  onState(state: FeedState): void;
}

export interface Feed {
  /** The tab was hidden: gives the connection back (six open tabs exhaust HTTP/1.1). */
  pause(): void;
  /** The tab is seen again: goes on from the last frame that it had. */
  resume(): void;
  /** Does not wait for the next try. */
  retry(): void;
  stop(): void;
}

const waits = [1000, 2000, 4000, 8000, 15_000, 30_000];

/** Follows the server's stream; a lost connection is tried again after 1, 2, 4, 8, 15 and then every 30 s, from the last frame's id. */
export function startFeed(deps: FeedDeps): Feed {
  let state: FeedState = {
    connection: 'connecting',
    lastNewsAt: deps.now(),
    serverTime: null,
    lastWordAt: null,
    lostAt: null,
    nextTryAt: null,
  };
  let lastId: string | null = null;
  let failures = 0;
  let stream: { close(): void } | null = null;
  let waiting: { cancel(): void } | null = null;

  function change(part: Partial<FeedState>): void {
    state = { ...state, ...part };
    deps.onState(state);
  }

  function release(): void {
    stream?.close();
    waiting?.cancel();
    stream = null;
    waiting = null;
  }

  function connect(): void {
    release();
    const from = lastId === null ? { after: deps.madeAt } : { lastEventId: lastId };
    stream = deps.open(`${deps.url}&${new URLSearchParams(from).toString()}`, { opened, failed, frame });
  }

  function opened(): void {
    failures = 0;
    change({ connection: 'open', lostAt: null, nextTryAt: null });
  }

  function failed(): void {
    release();
    const wait = waits[Math.min(failures, waits.length - 1)] ?? 30_000;
    failures += 1;
    change({ connection: 'lost', lostAt: state.lostAt ?? deps.now(), nextTryAt: deps.now() + wait });
    waiting = deps.after(wait, connect);
  }

  function frame(data: string, id: string): void {
    if (id !== '') lastId = id;
    const read = readFrame(data, state.serverTime);
    change({ lastNewsAt: deps.now(), ...timesOf(read) });
    deps.onFrame(read);
  }

  connect();
  deps.onState(state);
  return {
    pause() {
      release();
      change({ connection: 'paused', lostAt: null, nextTryAt: null });
    },
    resume() {
      if (state.connection !== 'paused') return;
      change({ connection: 'connecting' });
      connect();
    },
    retry() {
      change({ nextTryAt: null });
      connect();
    },
    stop: release,
  };
}

/** A frame that this page does not know comes from a server newer than the page: everything is asked for again. */
function readFrame(data: string, at: string | null): StreamFrame {
  const read = StreamFrame.safeParse(parseJson(data));
  return read.success ? read.data : { type: 'reset', at: at ?? '' };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function timesOf(frame: StreamFrame): Partial<FeedState> {
  switch (frame.type) {
    case 'tick':
      return { serverTime: frame.at, lastWordAt: frame.lastWordAt };
    case 'summary':
      return { serverTime: frame.summary.asOf, lastWordAt: frame.summary.lastWordAt };
    default:
      return {};
  }
}

/** Trust in the page: `old` past 60 s without news (no dot is sure), `dead` past 5 min (nothing is). */
export function feedAge(lastNewsAt: number, now: number): 'live' | 'old' | 'dead' {
  const age = now - lastNewsAt;
  if (age > 5 * minute) return 'dead';
  return age > 60_000 ? 'old' : 'live';
}
