import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { encodeAlarms } from '#server/store/codec/alarm/encoded-alarms.ts';
import { createBatchEncoder, decodeState } from '#server/store/codec/encoded.ts';
import type { OpenRefusal } from '#server/store/port/open-refusal.ts';
import { createPacker, type Packer } from '#server/store/codec/pack/packer.ts';
import type { AlarmBatch, StoredAlarms } from '#server/store/port/alarm-batch.ts';
import {
  alarmSource,
  clusterSource,
  sourceKey,
  type FactSource,
  type FactSourceType,
  type Lease,
  type Retention,
  type StoredClusterState,
  type WriteBatch,
} from '#server/store/port/port.ts';
import { nothing } from '../model/publishing/journal.ts';
import { createCommitLoop, groupRows, type CommitSample } from './commit-loop.ts';
import { leaseKeeper } from './lease-keeper.ts';
import type { Entry } from './messages.ts';
import { startRecordKeeper } from './record-keeper.ts';
import { createStoreState, type RecorderState } from './store-state.ts';
import { startThread, type Thread } from './thread.ts';
import { rowsOf, type Pending, type Recorded } from './waiting-writes.ts';
import { writeQueue } from './write-queue.ts';

/** Parameters of the recorder. */
export interface RecorderDeps {
  /** The SQLite file. */
  readonly path: string;
  /** Names this very process, never one before or beside it (host, pid and a random part): leases are held under it. */
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The store never grows beyond so many bytes: what would make it so is refused as on a full disk. Default: no bound. */
  readonly maxBytes?: number;
  /** Decides which faults are one incident. Default: as plumbline.yaml has it without a word. */
  readonly incidents?: IncidentPolicy;
  /** Time within which somebody must be called (ms): figures of calls are added up ahead for it. Default: as plumbline.yaml has it without a word. */
  readonly alarmWithin?: number;
  /** Time for which the record is kept; without it everything is, and nothing is rolled up. */
  readonly retention?: Retention;
  /** Time for which a lease lasts without renewal (ms). Default 15,000; renewed at a third of it. */
  readonly leaseTtl?: number;
  /** Beyond so many waiting rows `room` waits for who has a hundredth of so many, beyond twice as many for all. Default 20,000: about 40 MB of records and their details. */
  readonly capacity?: number;
  /** The source must be acquired and loaded again: another holder has it, or a write of it could not be stored. */
  readonly onLost?: (source: FactSource) => void;
  /** Called after every commit, for metrics. */
  readonly onCommit?: (sample: CommitSample) => void;
}

/** Writes one alarm source, under the lease that was acquired of it. */
export interface AlarmRecorder {
  /**
   * Queues a batch: those of one source are written in order, and one that comes while another waits becomes one with it. The answer comes when it is
   * on the disk or lost for ever.
   */
  write(batch: AlarmBatch): Promise<Recorded>;
  /** Its state as it is stored, everything written before included; null where the store can not be read now. */
  load(): Promise<StoredAlarms | null>;
  /** Queues the end of a source that is configured no longer, at `at` (ms), and gives up its lease after it. */
  forget(at: number): Promise<Recorded>;
}

/** The writing end of the store for the collector, in a thread of its own. */
export interface Recorder {
  /** Packer of details: an object that is kept packed by it is not packed anew for the store. */
  readonly packer: Packer;
  /** Takes the lease of a source and keeps renewing it; null where a living other holder has it, or the store can not be written now. */
  acquire<T extends FactSourceType>(source: FactSource<T>): Promise<Lease<T> | null>;
  /** State stored of a cluster, everything written before included; null where the store can not be read now. */
  load(cluster: string): Promise<StoredClusterState | null>;
  /** Queues a batch. Batches of one cluster are written in order; the answer comes when it is on the disk or lost for ever. */
  write(cluster: string, batch: WriteBatch): Promise<Recorded>;
  /**
   * Queues the end of a cluster that is configured no longer: it is forgotten in steps, with the writes of others between them, and its lease is given up
   * after the last. Until then it is not acquired: what comes back under its name begins anew after it.
   */
  forget(cluster: string, at: number): Promise<Recorded>;
  /** Writer of an alarm source, whose lease is acquired as that of a cluster. */
  alarms(source: string): AlarmRecorder;
  pending(): Pending;
  /**
   * Null while there is room for what a cluster writes, else resolves as soon as there is: until then nothing more of it is to be
   * written. Who fills it is held first, so that there is room for the others.
   */
  readonly room: (cluster: string) => Promise<void> | null;
  state(): RecorderState;
  /** Writes everything that waits, gives up the leases and ends the thread; what the store refuses then is lost. */
  stop(): Promise<void>;
}

const isStopping: Recorded = { type: 'lost', why: 'stopped', message: 'the recorder is stopping' };
const notHeld: Recorded = { type: 'lost', why: 'fenced', message: 'the cluster is not held' };

/** Opens the store in a thread; where it cannot be opened, ends the thread and says why. */
async function openStore({
  path,
  clock,
  log,
  maxBytes,
  incidents,
  alarmWithin,
}: RecorderDeps): Promise<Thread | OpenRefusal> {
  const thread = startThread({
    path,
    clock,
    log,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(incidents === undefined ? {} : { incidents }),
    ...(alarmWithin === undefined ? {} : { alarmWithin }),
  });
  const opening = await thread.ask({ type: 'open' });
  if (opening.type === 'opened' && opening.refusal === null) return thread;
  await thread.end();
  if (opening.type === 'opened' && opening.refusal !== null) return opening.refusal;
  const message = opening.type === 'failed' ? opening.message : 'the recorder thread does not answer';
  return { type: 'unusable', path, message };
}

/** Has the writers of clusters wait while there is too much. */
function createRoom(isFull: (cluster: string) => boolean) {
  let waiting: { readonly cluster: string; readonly resolve: () => void }[] = [];
  return {
    /** There may be room again. */
    free(): void {
      const { held = [], freed = [] } = Object.groupBy(waiting, ({ cluster }) => (isFull(cluster) ? 'held' : 'freed'));
      waiting = held;
      for (const { resolve } of freed) resolve();
    },
    /** Null while there is room, else resolves as soon as there is. */
    wait: (cluster: string): Promise<void> | null =>
      isFull(cluster) ? new Promise((resolve) => void waiting.push({ cluster, resolve })) : null,
  };
}

type Enqueue = <T extends FactSourceType>(source: FactSource<T>, make: (lease: Lease<T>) => Entry) => Promise<Recorded>;

/** Ends of sources that are configured no longer: each gives up its lease once it is written. */
function createEnds(enqueue: Enqueue, release: (source: FactSource) => Promise<void>) {
  const underWay = new Map<string, Promise<Recorded>>();

  async function ended<T extends FactSourceType>(
    source: FactSource<T>,
    make: (lease: Lease<T>) => Entry,
  ): Promise<Recorded> {
    const outcome = await enqueue(source, make);
    if (outcome.type === 'written') await release(source);
    return outcome;
  }

  return {
    /** The end of a source that is under way; undefined where none is. */
    of: (source: FactSource): Promise<Recorded> | undefined => underWay.get(sourceKey(source)),
    /** Begins to end a source, once. */
    begin<T extends FactSourceType>(source: FactSource<T>, make: (lease: Lease<T>) => Entry): Promise<Recorded> {
      const key = sourceKey(source);
      const before = underWay.get(key);
      if (before !== undefined) return before;
      const end = ended(source, make).finally(() => underWay.delete(key));
      underWay.set(key, end);
      return end;
    },
  };
}

/** Beyond the capacity this part of it is left to each cluster, until twice the capacity waits. */
const reservedShare = 0.01;

/** Starts the recorder. A store that can not be opened is a value. */
export async function startRecorder(deps: RecorderDeps): Promise<Recorder | OpenRefusal> {
  const opened = await openStore(deps);
  return 'type' in opened ? opened : record(deps, opened);
}

/** The parts that bring writes to the disk, in order and under leases. */
function startWriting(deps: RecorderDeps, thread: Thread, isStopping: () => boolean) {
  const { path, holder, clock, log, leaseTtl = 15_000, capacity = 20_000, retention = null } = deps;
  const queue = writeQueue();
  const state = createStoreState(path, clock, log, queue.pending);
  const room = createRoom((cluster) => {
    // Alarm sources wait in a place of their own: they hold up no cluster.
    const rows = queue.clusterRowsWaiting();
    if (rows < capacity || isStopping()) return false;
    return rows >= 2 * capacity || queue.rowsWaiting(clusterSource(cluster)) >= capacity * reservedShare;
  });

  function lose(source: FactSource): void {
    leases.drop(source);
    deps.onLost?.(source);
  }

  const listeners = { onLost: lose, onCommit: deps.onCommit, onTried: room.free };
  const commits = createCommitLoop({ thread, clock, log, queue, state, ...listeners });
  const leases = leaseKeeper({
    thread,
    clock,
    log,
    holder,
    ttl: leaseTtl,
    onLost(source) {
      queue.abandon('fenced', 'another collector holds it', source);
      lose(source);
    },
    onAnswer: commits.answered,
  });
  const busy = (): boolean => state.now().type === 'blocked' || queue.pending().rows >= groupRows;
  const keeper = startRecordKeeper({ thread, clock, log, retention, busy });
  return { queue, state, room, commits, leases, keeper, lose };
}

function record(deps: RecorderDeps, thread: Thread): Recorder {
  const { clock } = deps;
  const packer = createPacker();
  const encode = createBatchEncoder(packer);
  const { queue, state, room, commits, leases, keeper, lose } = startWriting(deps, thread, () => stopping);
  let stopping = false;
  let stopped: Promise<void> | null = null;

  function enqueue<T extends FactSourceType>(
    source: FactSource<T>,
    make: (lease: Lease<T>) => Entry,
  ): Promise<Recorded> {
    if (stopping) return Promise.resolve(isStopping);
    const lease = leases.held(source);
    if (lease === null) return Promise.resolve(notHeld);
    return new Promise((resolve) => {
      const entry = make(lease);
      if (queue.add({ entry, rows: rowsOf(entry), since: clock.now(), settle: resolve })) commits.soon();
      else lose(source);
    });
  }

  const ends = createEnds(enqueue, leases.release);

  /** Resolves when nothing of the source waits any more. */
  async function drain<T extends FactSourceType>(
    source: FactSource<T>,
    make: (lease: Lease<T>) => Entry,
  ): Promise<void> {
    if (queue.holds(source)) await enqueue(source, make);
  }

  async function acquire<T extends FactSourceType>(source: FactSource<T>): Promise<Lease<T> | null> {
    await ends.of(source);
    return stopping ? null : leases.acquire(source);
  }

  async function end(): Promise<void> {
    stopping = true;
    keeper.stop();
    leases.pause();
    const committed = commits.end();
    room.free();
    await committed;
    await leases.releaseAll();
    await thread.ask({ type: 'close' });
    await thread.end();
  }

  return {
    packer,
    acquire,
    async load(cluster) {
      await drain(clusterSource(cluster), (lease) => ({ type: 'batch', lease, batch: emptyBatch }));
      const answer = await thread.ask({ type: 'load', cluster });
      return answer.type === 'loaded' ? decodeState(answer.state) : null;
    },
    write: (cluster, batch) =>
      enqueue(clusterSource(cluster), (lease) => ({ type: 'batch', lease, batch: encode(batch) })),
    forget: (cluster, at) => ends.begin(clusterSource(cluster), (lease) => ({ type: 'forget', lease, at })),
    alarms(name) {
      const source = alarmSource(name);
      return {
        write: (batch) => enqueue(source, (lease) => ({ type: 'alarms', lease, batch: encodeAlarms(batch) })),
        async load() {
          await drain(source, (lease) => ({ type: 'alarms', lease, batch: noAlarms }));
          const answer = await thread.ask({ type: 'load-alarms', source: name });
          return answer.type === 'loaded-alarms' ? answer.alarms : null;
        },
        forget: (at) => ends.begin(source, (lease) => ({ type: 'forget-alarms', lease, at })),
      };
    },
    pending: queue.pending,
    room: room.wait,
    state: state.now,
    stop: () => (stopped ??= end()),
  };
}

const noAlarms = encodeAlarms({ at: 0, source: null, put: [], removed: [], calls: [], coverage: [] });
const emptyBatch = createBatchEncoder()({ ...nothing(), at: 0, cluster: null, coverage: [], resume: [] });
