import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { tellCondition } from '#server/store/port/condition.ts';
import { createBatchEncoder, decodeState } from '#server/store/codec/encoded.ts';
import type { OpenRefusal } from '#server/store/port/open-refusal.ts';
import { createPacker, type Packer } from '#server/store/codec/pack/packer.ts';
import type { Lease, Retention, StoredClusterState, WriteBatch, WriteResult } from '#server/store/port/port.ts';
import { leaseKeeper } from './lease-keeper.ts';
import type { Entry } from './messages.ts';
import { startRecordKeeper } from './record-keeper.ts';
import { startThread } from './thread.ts';
import { rowsOf, writeQueue, type Pending, type Recorded } from './write-queue.ts';

/** One commit as it was measured. */
export interface CommitSample {
  /** ms, from the first statement to the synchronised commit. */
  readonly duration: number;
  readonly rows: number;
  readonly batches: number;
}

/** Whether the store takes what is given. `blocked`: it refuses (disk full, read-only, ...), everything waits and is tried again. */
export type RecorderState =
  | { readonly type: 'writing' }
  | { readonly type: 'blocked'; readonly refusal: WriteResult; readonly since: number; readonly attempts: number };

/** What the recorder needs. */
export interface RecorderDeps {
  /** The SQLite file. */
  readonly path: string;
  /** Names this very process, never one before or beside it (host, pid and a random part): leases are held under it. */
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The store never grows beyond so many bytes: what would make it so is refused as on a full disk. Default: no bound. */
  readonly maxBytes?: number;
  /** How long the record is kept; without it everything is, and nothing is rolled up. */
  readonly retention?: Retention;
  /** How long a lease lasts without renewal (ms). Default 15,000; renewed at a third of it. */
  readonly leaseTtl?: number;
  /** Beyond so many waiting rows `room` waits. Default 20,000: about 40 MB of records and their details. */
  readonly capacity?: number;
  /** The cluster must be acquired and loaded again: another holder has it, or a write of it could not be stored. */
  readonly onLost?: (cluster: string) => void;
  /** Called after every commit, for metrics. */
  readonly onCommit?: (sample: CommitSample) => void;
}

/** The writing end of the store for the collector, in a thread of its own. */
export interface Recorder {
  /** What details are packed with: an object that is kept packed by it is not packed anew for the store. */
  readonly packer: Packer;
  /** Takes the lease of a cluster and keeps renewing it; null where a living other holder has it, or the store can not be written now. */
  acquire(cluster: string): Promise<Lease | null>;
  /** What is stored of a cluster, everything written before included; null where the store can not be read now. */
  load(cluster: string): Promise<StoredClusterState | null>;
  /** Queues a batch. Batches of one cluster are written in order; the answer comes when it is on the disk or lost for ever. */
  write(cluster: string, batch: WriteBatch): Promise<Recorded>;
  /** Queues the end of a cluster that is configured no longer, and gives up its lease after it. */
  forget(cluster: string, at: number): Promise<Recorded>;
  /** Gives up the lease of a cluster after everything that waits for it is written. */
  release(cluster: string): Promise<void>;
  pending(): Pending;
  /** Null while there is room, else resolves as soon as there is: until then nothing more is to be written. */
  readonly room: () => Promise<void> | null;
  state(): RecorderState;
  /** Writes everything that waits, gives up the leases and ends the thread; what the store refuses then is lost. */
  stop(): Promise<void>;
}

const groupDelay = 100;
const groupRows = 500;
const largestGroup = 5000;
const firstBackoff = 250;
const longestBackoff = 10_000;

/** Starts the recorder. A store that can not be opened is a value. */
export async function startRecorder(deps: RecorderDeps): Promise<Recorder | OpenRefusal> {
  const { path, holder, clock, log, leaseTtl = 15_000, capacity = 20_000 } = deps;
  const thread = startThread({ path, clock, log, ...(deps.maxBytes === undefined ? {} : { maxBytes: deps.maxBytes }) });
  const opening = await thread.ask({ type: 'open' });
  if (opening.type !== 'opened' || opening.refusal !== null) {
    await thread.end();
    if (opening.type === 'opened' && opening.refusal !== null) return opening.refusal;
    return {
      type: 'unusable',
      path,
      message: opening.type === 'failed' ? opening.message : 'the recorder thread does not answer',
    };
  }

  tellCondition(path, { type: 'writing' });
  const queue = writeQueue();
  const packer = createPacker();
  const encode = createBatchEncoder(packer);
  let state: RecorderState = { type: 'writing' };
  let timer: Timer | null = null;
  let committing: Promise<void> | null = null;
  let stopping = false;
  let stopped: Promise<void> | null = null;
  let backoff = firstBackoff;
  let waitingForRoom: (() => void)[] = [];

  function lose(cluster: string): void {
    leases.drop(cluster);
    deps.onLost?.(cluster);
  }

  const leases = leaseKeeper({
    thread,
    clock,
    log,
    holder,
    ttl: leaseTtl,
    onLost: (cluster) => {
      queue.abandon('fenced', 'another collector holds the cluster', cluster);
      lose(cluster);
    },
    onAnswer(refusal) {
      if (refusal !== null) return block(refusal);
      if (state.type === 'writing') return;
      resume();
      commitSoon();
    },
  });

  const keeper =
    deps.retention === undefined
      ? null
      : startRecordKeeper({
          thread,
          clock,
          log,
          retention: deps.retention,
          busy: () => state.type === 'blocked' || queue.pending().rows >= groupRows,
        });

  function makeRoom(): void {
    if (queue.pending().rows >= capacity && !stopping) return;
    const resolves = waitingForRoom;
    waitingForRoom = [];
    for (const resolve of resolves) resolve();
  }

  function commitSoon(): void {
    if (stopping || committing !== null || state.type === 'blocked') return;
    const { batches, rows } = queue.pending();
    if (batches === 0) return;
    if (rows >= groupRows) commitNow();
    else timer ??= clock.after(groupDelay, commitNow);
  }

  function commitNow(): void {
    timer?.cancel();
    timer = null;
    if (stopping || committing !== null) return;
    committing = commit().finally(() => {
      committing = null;
      commitSoon();
    });
  }

  async function commit(): Promise<void> {
    const head = queue.head(largestGroup);
    if (head.length === 0) return;
    const answer = await thread.ask({ type: 'commit', entries: head.map((queued) => queued.entry) });
    const failed: WriteResult = {
      type: 'failed',
      message: answer.type === 'failed' ? answer.message : 'the recorder thread does not answer',
    };
    const results = answer.type === 'committed' ? answer.results : head.map(() => failed);
    const { refusal, lost } = queue.answer(head, results);
    for (const cluster of lost) {
      log.warn({ cluster }, 'writes of a cluster are lost; it is read anew');
      lose(cluster);
    }
    if (answer.type === 'committed' && results.some((result) => result.type === 'written')) {
      deps.onCommit?.({
        duration: answer.duration,
        rows: head.reduce((sum, queued) => sum + queued.rows, 0),
        batches: head.length,
      });
    }
    makeRoom();
    if (refusal === null) resume();
    else block(refusal);
  }

  function resume(): void {
    backoff = firstBackoff;
    if (state.type === 'writing') return;
    log.info({ blockedFor: clock.now() - state.since }, 'the store takes writes again');
    state = { type: 'writing' };
    tellCondition(path, state);
  }

  function block(refusal: WriteResult): void {
    if (state.type === 'writing') {
      log.warn({ refusal, pending: queue.pending() }, 'the store refuses writes; they wait and are tried again');
      state = { type: 'blocked', refusal, since: clock.now(), attempts: 1 };
    } else state = { ...state, refusal, attempts: state.attempts + 1 };
    const why = refusal.type === 'full' || refusal.type === 'read-only' ? refusal.type : 'failed';
    const message = 'message' in refusal ? refusal.message : '';
    tellCondition(path, { type: 'refusing', why, message, since: state.since, triedAt: clock.now() });
    timer?.cancel();
    timer = clock.after(backoff, commitNow);
    backoff = Math.min(backoff * 2, longestBackoff);
  }

  function enqueue(cluster: string, make: (lease: Lease) => Entry): Promise<Recorded> {
    if (stopping) return Promise.resolve({ type: 'lost', why: 'stopped', message: 'the recorder is stopping' });
    const lease = leases.held(cluster);
    if (lease === null) return Promise.resolve({ type: 'lost', why: 'fenced', message: 'the cluster is not held' });
    return new Promise((resolve) => {
      const entry = make(lease);
      queue.add({ entry, rows: rowsOf(entry), since: clock.now(), settle: resolve });
      commitSoon();
    });
  }

  /** Resolves when nothing of the cluster waits any more. */
  function drained(cluster: string): Promise<unknown> {
    return queue.holds(cluster)
      ? enqueue(cluster, (lease) => ({ type: 'batch', lease, batch: emptyBatch }))
      : Promise.resolve();
  }

  async function flushAndEnd(): Promise<void> {
    stopping = true;
    keeper?.stop();
    leases.pause();
    makeRoom();
    await committing;
    timer?.cancel();
    // One more attempt for each that waits; a store that still refuses gets no second one.
    for (let before = Infinity; queue.pending().batches > 0 && queue.pending().batches < before;) {
      before = queue.pending().batches;
      await commit();
      timer?.cancel();
    }
    const lost = queue.abandon('stopped', 'the recorder stopped before it could be written');
    if (lost > 0) log.error({ batches: lost }, 'the recorder stopped with writes that the store refused');
    await leases.releaseAll();
    await thread.ask({ type: 'close' });
    await thread.end();
  }

  return {
    packer,
    acquire: (cluster) => (stopping ? Promise.resolve(null) : leases.acquire(cluster)),
    async load(cluster) {
      await drained(cluster);
      const answer = await thread.ask({ type: 'load', cluster });
      return answer.type === 'loaded' ? decodeState(answer.state) : null;
    },
    write: (cluster, batch) => enqueue(cluster, (lease) => ({ type: 'batch', lease, batch: encode(batch) })),
    async forget(cluster, at) {
      const outcome = await enqueue(cluster, (lease) => ({ type: 'forget', lease, at }));
      if (outcome.type === 'written') await leases.release(cluster);
      return outcome;
    },
    async release(cluster) {
      await drained(cluster);
      await leases.release(cluster);
    },
    pending: queue.pending,
    room() {
      if (queue.pending().rows < capacity || stopping) return null;
      return new Promise((resolve) => void waitingForRoom.push(resolve));
    },
    state: () => state,
    stop() {
      stopped ??= flushAndEnd();
      return stopped;
    },
  };
}

const emptyBatch = createBatchEncoder()({
  at: 0,
  cluster: null,
  objects: [],
  removed: [],
  transitions: [],
  changes: [],
  corrections: [],
  earlier: [],
  arrivals: [],
  confirmations: [],
  coverage: [],
  resume: [],
});
