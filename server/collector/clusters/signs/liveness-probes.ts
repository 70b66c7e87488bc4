import { statusKeeper } from '#lib/domain/heartbeat/liveness-kinds.ts';
import { listAt, numberAt, timeAt } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import type { FeedState, ObservedLease } from '../cluster-event.ts';
import { createDeploymentList } from './deployments.ts';
import { resourcePath } from '../api-path.ts';
import { keepReading } from '../boundary.ts';
import { createNap } from '../pause.ts';
import { namesOnly } from '../reading-deps.ts';
import { createNamespaceChoice } from './namespace-choice.ts';
import { createSignBudget } from './sign-budget.ts';
import { createSignReader, type SignDeps, type SignReader } from './sign-reader.ts';

export interface LivenessProbesDeps extends SignDeps {
  /** Namespaces in which controllers run by default; others are found. */
  readonly namespaces: readonly string[];
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
const keeperPath = `${leasesOf(statusKeeper.namespace)}?resourceVersion=0&fieldSelector=metadata.name%3D${statusKeeper.name}`;
/** Several instances of Flux, or one that is installed elsewhere: their manifests and charts carry this label. */
const controllers = new URLSearchParams({
  labelSelector: 'app.kubernetes.io/part-of in (crossplane,flux)',
  resourceVersion: '0',
}).toString();

/** Reads what shows that controllers live, until it is stopped. */
export type LivenessProbes = ReturnType<typeof startLivenessProbes>;

/**
 * Looks at what shows that controllers live: the Leases of their namespaces every 15 s and their Deployments every 30 s
 * (never watched: each write of a lease would be an event), with these the lease of kube-controller-manager, and every 5 min the
 * names of Deployments by label, to find namespaces. All from the server's cache.
 */
export function startLivenessProbes(deps: LivenessProbesDeps) {
  const { clock, random, tuning } = deps;
  const stopper = new AbortController();
  const nap = createNap(clock, stopper.signal);
  const reader = createSignReader(deps, stopper.signal);
  const rounds = createRounds(deps, reader);
  let fresh = true;
  let round = 0;

  /** A lease proves nothing before it was seen moving: the second look comes soon (Flux renews each 5 s, client-go each 2 s). */
  function nextIn(worst: FeedState | null): number {
    if (worst?.state === 'failed' && worst.fault.type === 'unreachable') return Math.min(afterLoss, tuning.leasesEvery);
    const wait = fresh ? Math.min(soon, tuning.leasesEvery) : tuning.leasesEvery;
    fresh = false;
    return wait;
  }

  const running = keepReading(deps, {
    what: 'signs of life',
    signal: stopper.signal,
    async turn() {
      const worst = await rounds.run(round);
      round += 1;
      await nap.pause(nextIn(worst) * (0.95 + 0.1 * random()));
    },
    onFault(fault) {
      rounds.again();
      for (const kind of [lease, deployment]) reader.emit(kind, { state: 'failed', fault });
    },
  });
  return {
    /** The cluster is seen again: everything is looked at at once, and the leases soon once more, for only then they can be seen moving. */
    again(): void {
      fresh = true;
      rounds.again();
      nap.wake();
    },
    async stop(): Promise<void> {
      stopper.abort();
      await Promise.all([running, rounds.done()]);
    },
  };
}

/** Controllers are looked for in so many namespaces beside those that are usual. */
const namespacesAtMost = 64;

function createRounds({ clock, namespaces, boundary, tuning, on }: LivenessProbesDeps, { read, emit }: SignReader) {
  const deploymentList = createDeploymentList(read);
  const usual = [...namespaces, statusKeeper.namespace];
  const leaseBudget = createSignBudget('Lease', tuning.signsAtMost, usual);
  const deploymentBudget = createSignBudget('Deployment', tuning.signsAtMost, usual);
  const search = { of: 'controllers', what: 'controllers', usual, most: namespacesAtMost } as const;
  const choice = createNamespaceChoice(search, clock, on);
  /** The rounds in which Deployments are looked at and namespaces are searched for next. */
  let deploymentsAt = 0;
  let searchAt = 0;
  /** The look at the lease of kube-controller-manager that is under way. */
  let keeping: Promise<void> | null = null;

  async function readLeases(namespace: string, path: string): Promise<FeedState> {
    const { feed, body } = await read(path);
    if (body === null) return feed;
    const items = listAt(body, 'items');
    const refused = leaseBudget.refuse(namespace, items.length);
    if (refused === null) on({ type: 'leases', at: clock.now(), namespace, leases: items.flatMap(readLease) });
    return refused ?? feed;
  }

  /** Where it may not be read, or is not there, Deployments prove less: nothing to warn of. */
  async function readKeeper(): Promise<void> {
    try {
      await readLeases(statusKeeper.namespace, keeperPath);
    } catch (error) {
      boundary.fault('the lease of kube-controller-manager', error);
    }
    keeping = null;
  }

  async function readDeployments(namespace: string): Promise<FeedState> {
    const { feed, deployments } = await deploymentList.list(namespace);
    const refused = deployments && deploymentBudget.refuse(namespace, deployments.length);
    if (refused) return refused;
    if (deployments && deployments.length > 0) choice.found(namespace);
    if (deployments || feed.state === 'forbidden') on({ type: 'deployments', at: clock.now(), namespace, deployments });
    return feed;
  }

  /** Who may not look at all namespaces goes by those that are usual; who could not, looks again soon. */
  async function searchAnew(round: number): Promise<void> {
    searchAt = round + searchEach;
    const answer = await read(`/apis/apps/v1/deployments?${controllers}`, namesOnly);
    if (answer.feed.state === 'failed') searchAt = round + 1;
    choice.take([answer]);
  }

  return {
    /** Looks at all that is due in this round; gives the worst feed of the leases, null where all were read. */
    async run(round: number): Promise<FeedState | null> {
      const searching = round >= searchAt ? searchAnew(round) : null;
      if (round === 0) await searching;
      const all = [...new Set([...namespaces, ...choice.chosen().namespaces])];
      for (const each of [leaseBudget, deploymentBudget, deploymentList]) each.keep([...all, statusKeeper.namespace]);
      const isDue = round >= deploymentsAt;
      // Nothing else waits for it.
      if (isDue && !all.includes(statusKeeper.namespace)) keeping ??= readKeeper();
      const [leases, deployments] = await Promise.all([
        Promise.all(all.map((namespace) => readLeases(namespace, leasesPath(namespace)))),
        Promise.all(isDue ? all.map(readDeployments) : []),
        searching,
      ]);
      const blind = tellWorst(emit, deployment, deployments, choice.beyond())?.state === 'failed';
      if (deployments.length > 0) deploymentsAt = round + (blind ? 1 : deploymentsEach);
      return tellWorst(emit, lease, leases);
    },
    /** The next round looks at the Deployments too. */
    again(): void {
      deploymentsAt = 0;
    },
    /** Resolves when nothing is under way beside a round. */
    done: async (): Promise<void> => keeping ?? undefined,
  };
}

/** The worst of several feeds, sent as that of a kind, with what lies `beyond` them; null where all of them could be read. */
function tellWorst(
  emit: SignReader['emit'],
  kind: GroupKind,
  feeds: readonly FeedState[],
  beyond: FeedState | null = null,
): FeedState | null {
  const failed = feeds.find(({ state }) => state === 'failed');
  const worst = failed ?? feeds.find(({ state }) => state === 'forbidden') ?? null;
  if (feeds.length > 0) emit(kind, failed ?? beyond ?? worst ?? { state: 'live' });
  return worst;
}

function leasesOf(namespace: string): string {
  return resourcePath({ group: lease.group, version: 'v1', resource: 'leases' }, namespace);
}

function leasesPath(namespace: string): string {
  return `${leasesOf(namespace)}?resourceVersion=0&limit=500`;
}

/** A coordination.k8s.io/v1 Lease; nothing where it has no name. */
function readLease(lease: unknown): ObservedLease[] {
  const namespace = nameAt(lease, 'metadata', 'namespace');
  const name = nameAt(lease, 'metadata', 'name');
  if (namespace === null || name === null) return [];
  return [
    {
      namespace,
      name,
      holder: nameAt(lease, 'spec', 'holderIdentity'),
      durationSeconds: numberAt(lease, 'spec', 'leaseDurationSeconds'),
      renewTime: timeAt(lease, 'spec', 'renewTime'),
      transitions: numberAt(lease, 'spec', 'leaseTransitions'),
    },
  ];
}
