import { listAt } from '#lib/foreign.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import {
  applicationController,
  applicationInterval,
  settingsMap,
  shardHeartbeat,
  shardsMap,
} from '../../reconcilers/argocd/controller.ts';
import { hasStatus } from '../answer.ts';
import type { FeedState, ObservedArgoCd, ObservedDeployment } from '../cluster-event.ts';
import { readWorkload } from './deployments.ts';
import { apiPath, resourcePath } from '../api-path.ts';
import { keepReading } from '../boundary.ts';
import { pause } from '../pause.ts';
import { namesOnly } from '../reading-deps.ts';
import { createNamespaceChoice } from './namespace-choice.ts';
import { createSignReader, type SignAnswer, type SignDeps, type SignReader } from './sign-reader.ts';

/** Where it is installed by default; others are found. */
const usual = 'argocd';
/** Several may be installed on one cluster; more than this are none. */
const mostNamespaces = 20;
const soon = 6_000;
/** One of so many looks asks where Argo CD is installed. */
const searchEach = 20;
const configMap: GroupKind = { group: '', kind: 'ConfigMap' };
const statefulSet: GroupKind = { group: 'apps', kind: 'StatefulSet' };
const query = new URLSearchParams({
  labelSelector: `app.kubernetes.io/name=${applicationController}`,
  resourceVersion: '0',
}).toString();

/**
 * Looks each 15 s at what shows that Argo CD's application-controller lives, and at what it is set to: its StatefulSet or
 * Deployment, and two ConfigMaps by their names. Started where Applications are served; the second look comes soon, for a
 * heartbeat proves something only once it was seen moving.
 */
export function startArgoSigns(deps: SignDeps) {
  const { clock, random, tuning } = deps;
  const stopper = new AbortController();
  const reader = createSignReader(deps, stopper.signal);
  let waiting = new AbortController();
  let fresh = true;
  let round = 0;
  const what = { of: 'argo', what: 'Argo CD', usual: [usual], most: mostNamespaces } as const;
  const choice = createNamespaceChoice(what, clock, deps.on);

  function emit(kind: GroupKind, answers: readonly SignAnswer[], also: FeedState | null = null): void {
    const feeds = answers.map(({ feed }) => feed);
    const worst = feeds.find(({ state }) => state === 'forbidden') ?? feeds.find(({ state }) => state === 'failed');
    reader.emit(kind, worst ?? also ?? { state: 'live' });
  }

  async function search(): Promise<void> {
    const paths = ['statefulsets', 'deployments'].map((resource) => `${apps(resource)}?${query}`);
    choice.take(await Promise.all(paths.map((path) => reader.read(path, namesOnly))));
  }

  /** Nobody crowds out the usual one; nobody has it looked at where it runs elsewhere alone. */
  function namespacesNow(): readonly string[] {
    const { namespaces, hasUsual } = choice.chosen();
    return hasUsual || namespaces.length === 0 ? [usual, ...namespaces] : namespaces;
  }

  async function readArgo(namespace: string): Promise<Found> {
    const found = await readParts(namespace, reader);
    // A cluster that cannot be reached says nothing: what was known of it grows old.
    const isSeen = [...found.workloads, found.settings].some(({ feed }) => feed.state !== 'failed');
    if (isSeen && !stopper.signal.aborted) {
      const argo = argoOf(namespace, found);
      if (argo.workloads && argo.workloads.length > 0) choice.found(namespace);
      deps.on({ type: 'argo', at: clock.now(), namespace, argo });
    }
    return found;
  }

  async function turn(): Promise<void> {
    if (round % searchEach === 0) await search();
    const found = await Promise.all(namespacesNow().map(readArgo));
    emit(
      statefulSet,
      found.flatMap(({ workloads }) => workloads),
      choice.beyond(),
    );
    emit(
      configMap,
      found.flatMap(({ settings, shards }) => [settings, shards]),
    );
    round += 1;
    const wait = fresh ? Math.min(soon, tuning.leasesEvery) : tuning.leasesEvery;
    fresh = false;
    await pause(clock, wait * (0.95 + 0.1 * random()), waiting.signal);
    waiting = new AbortController();
  }

  const running = keepReading(deps, {
    what: 'signs of Argo CD',
    signal: stopper.signal,
    turn,
    onFault(fault) {
      for (const kind of [statefulSet, configMap]) reader.emit(kind, { state: 'failed', fault });
    },
  });
  return {
    /** The cluster is seen again: it is looked at at once. */
    again(): void {
      fresh = true;
      waiting.abort();
    },
    async stop(): Promise<void> {
      stopper.abort();
      waiting.abort();
      await running;
    },
  };
}

function apps(resource: string, namespace: string | null = null): string {
  return resourcePath({ group: 'apps', version: 'v1', resource }, namespace);
}

interface Found {
  /** StatefulSets, and Deployments. */
  readonly workloads: readonly [SignAnswer, SignAnswer];
  readonly settings: SignAnswer;
  readonly shards: SignAnswer;
}

async function readParts(namespace: string, { read }: SignReader): Promise<Found> {
  /** A 404 is a good answer: nothing is there. */
  async function readMaybe(path: string): Promise<SignAnswer> {
    const answer = await read(path);
    const isAbsent = answer.feed.state === 'failed' && hasStatus(answer.feed.fault, 404);
    return isAbsent ? { feed: { state: 'live' }, body: null } : answer;
  }

  const maps = resourcePath({ group: '', version: 'v1', resource: 'configmaps' }, namespace);
  const [sets, deployments, settings, shards] = await Promise.all([
    readMaybe(`${apps('statefulsets', namespace)}?${query}`),
    readMaybe(`${apps('deployments', namespace)}?${query}`),
    readMaybe(`${maps}${apiPath(settingsMap)}`),
    readMaybe(`${maps}${apiPath(shardsMap)}`),
  ]);
  return { workloads: [sets, deployments], settings, shards };
}

function argoOf(namespace: string, { workloads: [sets, deployments], settings, shards }: Found): ObservedArgoCd {
  const setItems = listAt(sets.body, 'items');
  const deploymentItems = listAt(deployments.body, 'items');
  const workload = setItems[0] ?? deploymentItems[0] ?? null;
  const isKnown = sets.feed.state === 'live' && deployments.feed.state === 'live';
  return {
    workloads: isKnown
      ? [
          ...setItems.flatMap((set) => workloadOf(set, true)),
          ...deploymentItems.flatMap((deployment) => workloadOf(deployment, false)),
        ]
      : null,
    heartbeat: shardHeartbeat(namespace, workload, shards.body),
    interval: applicationInterval(workload, settings.body),
  };
}

/** A StatefulSet has no condition that dates when it lost its pods; its pods are available where they are ready. */
function workloadOf(workload: unknown, stateful: boolean): ObservedDeployment[] {
  const found = readWorkload(workload, () => ({ type: 'controller', name: applicationController }));
  return found.map((deployment) => ({ ...deployment, ...(stateful ? { stateful: true } : {}), elects: null }));
}
