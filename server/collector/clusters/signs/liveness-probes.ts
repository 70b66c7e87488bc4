import { statusKeeper } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { listAt, textAt } from '#lib/foreign.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { ClusterEvent, FeedState } from '../cluster-event.ts';
import { createDeploymentList, type ListAnswer } from './deployment-list.ts';
import { readLease } from './lease.ts';
import { childAbort, pause } from '../pause.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClusterTuning } from '../tuning.ts';

export interface LivenessProbesDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  /** Namespaces in which controllers run by default; others are found. */
  readonly namespaces: readonly string[];
  readonly on: (event: ClusterEvent) => void;
}

const soon = 6_000;
/** A cluster that could not be reached is asked again at once: the request waits for the connection and goes out with it. */
const afterLoss = 1_000;
/** Of so many rounds of looks at the leases one looks at the Deployments too. */
const deploymentsEach = 2;
/** And one of so many asks where controllers run. */
const searchEach = 20;
const lease: GroupKind = { group: 'coordination.k8s.io', kind: 'Lease' };
const deployment: GroupKind = { group: 'apps', kind: 'Deployment' };
/** Who writes the status of Deployments: they prove only what they say while it lives. */
const keeperPath = `/apis/coordination.k8s.io/v1/namespaces/${statusKeeper.namespace}/leases?resourceVersion=0&fieldSelector=metadata.name%3D${statusKeeper.name}`;
/** Several instances of Flux, or one that is installed elsewhere: their manifests and charts carry this label. */
const controllers = new URLSearchParams({
  labelSelector: 'app.kubernetes.io/part-of in (crossplane,flux)',
  resourceVersion: '0',
}).toString();
const namesOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** Reads what shows that controllers live, until it is stopped. */
export interface LivenessProbes {
  /** The cluster is seen again: everything is looked at at once, and the leases soon once more, for only then they can be seen moving. */
  again(): void;
  stop(): Promise<void>;
}

/**
 * Looks at what shows that controllers live: the Leases of their namespaces every 15 s and their Deployments every 30 s
 * (never watched: each write of a lease would be an event), with these the lease of kube-controller-manager, and every 5 min the
 * names of Deployments by label, to find namespaces. All from the server's cache.
 */
export function startLivenessProbes({
  transport,
  clock,
  random,
  tuning,
  namespaces,
  on,
}: LivenessProbesDeps): LivenessProbes {
  const stopper = new AbortController();
  let resting: AbortController | null = null;
  let fresh = true;
  const told = new Map<GroupKind, string>();
  const deploymentList = createDeploymentList(read);
  let found: readonly string[] = [];
  /** The rounds in which Deployments are looked at and namespaces are searched for next. */
  let deploymentsAt = 0;
  let searchAt = 0;
  /** The look at the lease of kube-controller-manager that is under way. */
  let keeping: Promise<void> | null = null;

  function tell(kind: GroupKind, states: readonly FeedState[]): FeedState | null {
    const worst = states.find(({ state }) => state === 'failed') ?? states.find(({ state }) => state === 'forbidden');
    const feed = worst ?? { state: 'live' };
    const words = JSON.stringify(feed);
    if (states.length > 0 && words !== told.get(kind) && !stopper.signal.aborted) {
      told.set(kind, words);
      on({ type: 'feed', at: clock.now(), kind, feed });
    }
    return worst ?? null;
  }

  async function read(path: string, accept: string | null): Promise<ListAnswer> {
    const answer = await transport.get(path, {
      timeout: tuning.getTimeout,
      most: tuning.answerBytes,
      signal: stopper.signal,
      ...(accept === null ? {} : { accept }),
    });
    if (stopper.signal.aborted) return { feed: { state: 'live' }, body: null };
    switch (answer.type) {
      case 'ok':
        return { feed: { state: 'live' }, body: answer.body };
      case 'fault': {
        const { fault } = answer;
        return {
          feed: fault.type === 'forbidden' ? { state: 'forbidden', fault } : { state: 'failed', fault },
          body: null,
        };
      }
      case 'not-modified':
      case 'too-large': {
        const fault = { type: 'protocol', message: `the answer to ${path} cannot be read` } as const;
        return { feed: { state: 'failed', fault }, body: null };
      }
    }
  }

  /** Where it may not be read, or is not there, Deployments prove less: nothing to warn of. */
  async function readKeeper(): Promise<void> {
    const { body } = await read(keeperPath, null);
    const { namespace } = statusKeeper;
    if (body) on({ type: 'leases', at: clock.now(), namespace, leases: listAt(body, 'items').flatMap(readLease) });
  }

  async function readLeases(namespace: string): Promise<FeedState> {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases?resourceVersion=0&limit=500`;
    const { feed, body } = await read(path, null);
    if (body) on({ type: 'leases', at: clock.now(), namespace, leases: listAt(body, 'items').flatMap(readLease) });
    return feed;
  }

  async function readDeployments(namespace: string): Promise<FeedState> {
    const { feed, words } = await deploymentList.look(namespace);
    if (words || feed.state === 'forbidden')
      on({ type: 'deployments', at: clock.now(), namespace, deployments: words });
    return feed;
  }

  /** Who may not look at all namespaces goes by those that are usual; who could not, looks again soon. */
  async function search(round: number): Promise<void> {
    searchAt = round + searchEach;
    const { feed, body } = await read(`/apis/apps/v1/deployments?${controllers}`, namesOnly);
    if (feed.state === 'failed') searchAt = round + 1;
    if (!body) return;
    const named = listAt(body, 'items').map((item) => textAt(item, 'metadata', 'namespace'));
    found = [...new Set(named.filter((namespace) => namespace !== null))];
  }

  async function look(round: number): Promise<FeedState | null> {
    const searching = round >= searchAt ? search(round) : null;
    if (round === 0) await searching;
    const all = [...new Set([...namespaces, ...found])];
    const isDue = round >= deploymentsAt;
    // Nothing else waits for it.
    if (isDue && !all.includes(statusKeeper.namespace))
      keeping ??= readKeeper().finally(() => {
        keeping = null;
      });
    const [leases, deployments] = await Promise.all([
      Promise.all(all.map(readLeases)),
      Promise.all(isDue ? all.map(readDeployments) : []),
      searching,
    ]);
    const blind = tell(deployment, deployments)?.state === 'failed';
    if (deployments.length > 0) deploymentsAt = round + (blind ? 1 : deploymentsEach);
    return tell(lease, leases);
  }

  /** A lease proves nothing before it was seen moving: the second look comes soon (Flux renews each 5 s, client-go each 2 s). */
  function nextIn(worst: FeedState | null): number {
    if (worst?.state === 'failed' && worst.fault.type === 'unreachable') return Math.min(afterLoss, tuning.leasesEvery);
    const wait = fresh ? Math.min(soon, tuning.leasesEvery) : tuning.leasesEvery;
    fresh = false;
    return wait;
  }

  async function run(): Promise<void> {
    for (let round = 0; !stopper.signal.aborted; round += 1) {
      const worst = await look(round);
      const { controller, release } = childAbort(stopper.signal);
      resting = controller;
      await pause(clock, nextIn(worst) * (0.95 + 0.1 * random()), controller.signal);
      resting = null;
      release();
    }
  }

  const running = run();
  return {
    again() {
      fresh = true;
      deploymentsAt = 0;
      resting?.abort();
    },
    async stop() {
      stopper.abort();
      await Promise.all([running, keeping]);
    },
  };
}
