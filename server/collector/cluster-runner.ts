import type { CurrentCluster } from '#lib/domain/record/current.ts';
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { Policy } from '#lib/domain/guarantee/guarantee.ts';
import type { DeclaredStack } from '#server/config/declared-stack.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { clusterSource, type StoredClusterState, type WriteBatch } from '#server/store/port/port.ts';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { ClusterAccess } from './clusters/access.ts';
import type { ClusterEvent } from './clusters/cluster-event.ts';
import { startClusterSession, type ClusterSession } from './clusters/session.ts';
import type { Permit, Semaphore } from './clusters/semaphore.ts';
import { type ClusterTuning, defaultTuning } from './clusters/tuning.ts';
import { startClusterModel, type ClusterModel } from './model/cluster-model.ts';
import { resumableOf } from './model/intake/kept-before.ts';
import type { UnpackedCache } from './model/objects/unpacked-cache.ts';
import type { ExternalClaims } from './model/claims/external-claims.ts';
import type { RemoteApplierIndex } from './model/remote/remote-applier-index.ts';
import type { Recorder } from './recorder/recorder.ts';
import { clusterLimits, spentOn } from './row-budget/limits.ts';
import { createReadingPause } from './row-budget/reading-pause.ts';
import type { RowLimit } from './row-budget/row-budget.ts';

/** The way into a cluster, or why there is none: a kubeconfig that cannot be used is shown on the cluster, and harms no other. */
export type ClusterAccessResult =
  | { readonly type: 'access'; readonly access: ClusterAccess }
  | { readonly type: 'invalid'; readonly message: string }
  /** No cluster: a row of its own for what is declared. */
  | { readonly type: 'declared' };

/** Needed to read and record one cluster. */
export interface ClusterRunnerDeps {
  readonly name: string;
  readonly labels: CurrentCluster['labels'];
  readonly accessResult: ClusterAccessResult;
  readonly stacks: readonly DeclaredStack[];
  /** Beginnings of metrics that name objects, of the alarm sources that speak for it. */
  readonly metrics: readonly string[];
  /** All that a person should know of how it is reached; `reachesOver`: it delivers to other clusters. Asked whenever its row is written. */
  readonly cautions?: (reachesOver: boolean) => readonly string[];
  /** Called with its row whenever that is written. */
  readonly onRow?: (row: CurrentCluster) => void;
  readonly policy: Policy;
  readonly keepMessages: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly recorder: Recorder;
  /** Shared by all clusters: so many connections are opened at once. */
  readonly dials: Semaphore;
  /** Shared by all clusters: so many have their first sync at once. */
  readonly syncs: Semaphore;
  /** Shared by all clusters: what reaches over from one to another. */
  readonly remotes: RemoteApplierIndex;
  readonly externals: ExternalClaims;
  /** Shared by all clusters: so many objects are kept unpacked at once. */
  readonly unpackedCache: UnpackedCache;
  readonly tuning?: Partial<ClusterTuning>;
  /** Most that it may write; other limits in tests. */
  readonly limits?: readonly RowLimit[];
}

/** One cluster that is being read and recorded. */
export type ClusterRunner = ReturnType<typeof startClusterRunner>;

/** A cluster that another collector holds is asked for again after so long (ms). */
const askAgain = 1_000;

interface Running {
  readonly model: ClusterModel;
  readonly session: ClusterSession | null;
}

/** Takes the lease of a cluster and gives what is stored of it; null where it is to be asked for again. */
async function takeUp({ name, clock, recorder }: ClusterRunnerDeps): Promise<StoredClusterState | null> {
  const lease = await recorder.acquire(clusterSource(name));
  const restored = lease ? await recorder.load(name) : null;
  if (restored?.forgetting !== true) return restored;
  // Whoever began to forget it ended before that was done.
  await recorder.forget(name, clock.now());
  return null;
}

/** Ends what runs, one after the other: a model writes until its session has ended, and nothing else begins under the name until then. */
function createLeaving() {
  let last = Promise.resolve();
  return (left: Running | null): Promise<void> => {
    const ended = last.then(async () => {
      await left?.session?.stop();
      left?.model.stop();
    });
    last = ended.catch(() => undefined);
    return ended;
  };
}

/** Starts to read one cluster: takes its lease, loads what is known, and goes on from there. */
export function startClusterRunner(deps: ClusterRunnerDeps) {
  const { name, clock, log, accessResult } = deps;
  let running: Running | null = null;
  const leaving = createLeaving();
  let timer: Timer | null = null;
  let stopped = false;
  let clockAhead: number | null = null;
  let generation = 0;
  const pause = createReadingPause({
    limits: deps.limits ?? clusterLimits,
    clock,
    onPause: ({ reason }) => void (running &&= closed(deps, running, reason)),
    onEnd: restart,
  });

  function restart(): void {
    if (stopped) return;
    generation += 1;
    leave().then(again, (error: unknown) => log.error({ err: error, cluster: name }, 'a cluster could not be left'));
  }

  function again(): void {
    timer?.cancel();
    if (!stopped) timer = clock.after(askAgain, begin);
  }

  async function enter(mine: number): Promise<void> {
    const restored = await takeUp(deps);
    if (stopped || mine !== generation) return;
    if (!restored) return again();
    const model = startModel(deps, restored, (kinds) => running?.session?.named(kinds), {
      onWrite: (batch, known) => pause.spend(spentOn(batch, known)),
      onWorked: (ms) => running?.session?.charge(ms),
    });
    running = { model, session: null };
    const reason = pause.reason();
    if (reason !== null) return model.take(notRead(reason, clock.now()));
    if (accessResult.type !== 'access') return model.take(eventWithout(accessResult, clock.now()));
    const permit = await deps.syncs.enter();
    if (stopped || mine !== generation || pause.reason() !== null) return permit.end();
    const onClock = (ahead: number): void => void (clockAhead = ahead);
    running = { model, session: openSession(deps, accessResult.access, { model, restored, permit }, onClock) };
  }

  function leave(): Promise<void> {
    const left = running;
    running = null;
    return leaving(left);
  }

  function begin(): void {
    generation += 1;
    enter(generation).catch((error: unknown) => {
      log.error({ err: error, cluster: name }, 'a cluster could not be started');
      again();
    });
  }

  begin();
  return {
    name,
    /** Another collector holds it, or a write of it was lost: everything is read from the store again. */
    restart,
    /** Writes its row anew soon: what a person should know of how it is reached has changed. */
    renew: (): void => running?.model.renew(),
    /** True while this process reads it. */
    isRunning: (): boolean => running !== null,
    /** By how much its clock is ahead of ours (ms); null where that is not known. */
    clockAhead: (): number | null => clockAhead,
    async stop(): Promise<void> {
      stopped = true;
      generation += 1;
      timer?.cancel();
      await leave();
      // What is left is written as it ends.
      pause.stop();
    },
  };
}

/** Ends the session of a cluster; its model goes on, and knows why nothing comes. */
function closed({ name, clock, log }: ClusterRunnerDeps, { model, session }: Running, reason: string): Running {
  log.warn({ cluster: name, reason }, 'a cluster writes more than it may; it is read again after a pause');
  session?.stop().catch((error: unknown) => log.error({ err: error, cluster: name }, 'a session could not be ended'));
  model.take(notRead(reason, clock.now()));
  return { model, session: null };
}

/** The event of a cluster that is not read although it could be. */
function notRead(message: string, at: number): ClusterEvent {
  return { type: 'disconnected', at, fault: { type: 'protocol', message } };
}

function startModel(
  deps: ClusterRunnerDeps,
  restored: StoredClusterState,
  named: (kinds: readonly GroupKind[]) => void,
  told: { readonly onWrite: (batch: WriteBatch, known: number) => void; readonly onWorked: (ms: number) => void },
): ClusterModel {
  const { name, labels, policy, clock, recorder, keepMessages } = deps;
  const { remotes, externals, unpackedCache, stacks, metrics, cautions } = deps;
  // What is planned now comes with the first batch: it stands until another process says otherwise.
  let planned: readonly PlannedWork[] | null = policy.maintenance.filter(({ clusters }) => clusters.includes(name));
  const model: ClusterModel = startClusterModel({
    cluster: name,
    labels,
    policy,
    clock,
    restored,
    keepMessages,
    remotes,
    externals,
    unpackedCache,
    stacks,
    metrics,
    ...(cautions ? { cautions } : {}),
    named,
    onWorked: told.onWorked,
    write(batch) {
      if (batch.cluster !== null) deps.onRow?.(batch.cluster);
      void recorder.write(name, planned === null ? batch : { ...batch, planned });
      planned = null;
      told.onWrite(batch, model.size());
    },
    room: () => recorder.room(name),
    budget: { ...defaultTuning, ...deps.tuning },
  });
  return model;
}

/** The one event of a row that has no way into a cluster. */
function eventWithout(result: Exclude<ClusterAccessResult, { type: 'access' }>, at: number): ClusterEvent {
  return result.type === 'declared'
    ? { type: 'no-cluster', at }
    : { type: 'disconnected', at, fault: { type: 'credentials', message: result.message } };
}

/** Opens the session of a cluster, which has its turn to be looked at until it is in step or out of reach. */
function openSession(
  { name, clock, log, random, dials, tuning }: ClusterRunnerDeps,
  access: ClusterAccess,
  {
    model,
    restored,
    permit,
  }: { readonly model: ClusterModel; readonly restored: StoredClusterState; readonly permit: Permit },
  onClock: (ahead: number) => void,
): ClusterSession {
  const session = startClusterSession({
    access,
    cluster: name,
    clock,
    log,
    random,
    dials,
    resume: resumableOf(restored),
    ...(tuning ? { tuning } : {}),
    isEmpty: model.isEmpty,
    full: model.full,
    onReceived: permit.busy,
    onInStep: permit.end,
    on(event) {
      if (event.type === 'disconnected') permit.end();
      if (event.type === 'clock') onClock(event.ahead);
      model.take(event);
    },
  });
  return {
    named: session.named,
    charge: session.charge,
    stop() {
      permit.end();
      return session.stop();
    },
  };
}
