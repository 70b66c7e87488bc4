import { listAt, textAt, type ForeignObject } from '#lib/foreign.ts';
import type { Clock } from '#server/runtime/clock.ts';
import type { GroupKind } from '#lib/domain/observation/ref.ts';
import {
  applicationController,
  applicationInterval,
  settingsMap,
  shardHeartbeat,
  shardsMap,
} from '../../reconcilers/argocd/controller.ts';
import type { ClusterEvent, ObservedDeployment, FeedState } from '../cluster-event.ts';
import { readWorkload } from './deployments.ts';
import { pause } from '../pause.ts';
import type { Transport } from '../transport/transport.ts';
import type { ClusterTuning } from '../tuning.ts';

export interface ArgoSignsDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly tuning: ClusterTuning;
  readonly on: (event: ClusterEvent) => void;
}

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
const namesOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/** What came of a request: its body, or that there is nothing (live, without a body), or why it could not be read. */
type Read = { readonly feed: FeedState; readonly body: ForeignObject | null };

/**
 * Looks each 15 s at what shows that Argo CD's application-controller lives, and at what it is set to: its StatefulSet or
 * Deployment, and two ConfigMaps by their names. Started where Applications are served; the second look comes soon, for a
 * heartbeat proves something only once it was seen moving.
 */
export function startArgoSigns({ transport, clock, random, tuning, on }: ArgoSignsDeps): {
  /** The cluster is seen again: it is looked at at once. */
  again(): void;
  stop(): Promise<void>;
} {
  const stopper = new AbortController();
  let resting = new AbortController();
  let fresh = true;
  const told = new Map<GroupKind, string>();
  let namespaces: readonly string[] = [usual];

  function tell(kind: GroupKind, reads: readonly Read[]): void {
    const feeds = reads.map(({ feed }) => feed);
    const feed = feeds.find(({ state }) => state === 'forbidden') ?? feeds.find(({ state }) => state === 'failed');
    const words = JSON.stringify(feed ?? { state: 'live' });
    if (stopper.signal.aborted || words === told.get(kind)) return;
    told.set(kind, words);
    on({ type: 'feed', at: clock.now(), kind, feed: feed ?? { state: 'live' } });
  }

  async function read(path: string, accept?: string): Promise<Read> {
    const answer = await transport.get(path, {
      timeout: tuning.getTimeout,
      most: tuning.answerBytes,
      signal: stopper.signal,
      ...(accept === undefined ? {} : { accept }),
    });
    switch (answer.type) {
      case 'ok':
        return { feed: { state: 'live' }, body: answer.body };
      case 'fault': {
        const { fault } = answer;
        if (fault.type === 'server' && fault.status === 404) return { feed: { state: 'live' }, body: null };
        return { feed: { state: fault.type === 'forbidden' ? 'forbidden' : 'failed', fault }, body: null };
      }
      case 'not-modified':
      case 'too-large': {
        const fault = { type: 'protocol', message: `the answer to ${path} cannot be read` } as const;
        return { feed: { state: 'failed', fault }, body: null };
      }
    }
  }

  async function search(): Promise<void> {
    const lists = await Promise.all(
      ['statefulsets', 'deployments'].map((resource) => read(`/apis/apps/v1/${resource}?${query}`, namesOnly)),
    );
    const named = lists
      .flatMap(({ body }) => listAt(body, 'items').map((item) => textAt(item, 'metadata', 'namespace')))
      .filter((namespace) => namespace !== null);
    if (lists.every(({ body }) => body !== null))
      namespaces = named.length === 0 ? [usual] : [...new Set(named)].slice(0, mostNamespaces);
  }

  async function look(namespace: string): Promise<{ readonly maps: readonly Read[]; readonly workloads: Read[] }> {
    const place = `namespaces/${encodeURIComponent(namespace)}`;
    const [sets, deployments, settings, shards] = await Promise.all([
      read(`/apis/apps/v1/${place}/statefulsets?${query}`),
      read(`/apis/apps/v1/${place}/deployments?${query}`),
      read(`/api/v1/${place}/configmaps/${settingsMap}`),
      read(`/api/v1/${place}/configmaps/${shardsMap}`),
    ]);
    const items = [...listAt(sets.body, 'items'), ...listAt(deployments.body, 'items')];
    const workload = items[0] ?? null;
    const isKnown = sets.feed.state === 'live' && deployments.feed.state === 'live';
    // A cluster that cannot be reached says nothing: what was known of it grows old.
    const isSeen = [sets, deployments, settings].some(({ feed }) => feed.state !== 'failed');
    if (isSeen && !stopper.signal.aborted)
      on({
        type: 'argo',
        at: clock.now(),
        namespace,
        argo: {
          workloads: isKnown
            ? [
                ...listAt(sets.body, 'items').flatMap((set) => wordOf(set, true)),
                ...listAt(deployments.body, 'items').flatMap((deployment) => wordOf(deployment, false)),
              ]
            : null,
          heartbeat: shardHeartbeat(namespace, workload, shards.body),
          interval: applicationInterval(workload, settings.body),
        },
      });
    return { maps: [settings, shards], workloads: [sets, deployments] };
  }

  async function run(): Promise<void> {
    for (let round = 0; !stopper.signal.aborted; round += 1) {
      if (round % searchEach === 0) await search();
      const found = await Promise.all(namespaces.map(look));
      tell(
        statefulSet,
        found.flatMap(({ workloads }) => workloads),
      );
      tell(
        configMap,
        found.flatMap(({ maps }) => maps),
      );
      const wait = fresh ? Math.min(soon, tuning.leasesEvery) : tuning.leasesEvery;
      fresh = false;
      await pause(clock, wait * (0.95 + 0.1 * random()), resting.signal);
      resting = new AbortController();
    }
  }

  const running = run();
  return {
    again() {
      fresh = true;
      resting.abort();
    },
    async stop() {
      stopper.abort();
      resting.abort();
      await running;
    },
  };
}

/** A StatefulSet has no condition that dates when it lost its pods; its pods are available where they are ready. */
function wordOf(workload: unknown, stateful: boolean): ObservedDeployment[] {
  const words = readWorkload(workload, () => ({ type: 'controller', name: applicationController }));
  return words.map((word) => ({ ...word, ...(stateful ? { stateful: true } : {}), elects: null }));
}
