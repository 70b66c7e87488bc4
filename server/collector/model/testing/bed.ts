import type { CurrentObject, Transition } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import { parseForeign, type ForeignObject } from '#lib/foreign.ts';
import { day, hour } from '#lib/domain/time/length.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import type { FeedState, ObservedLease, WatchedKind } from '../../clusters/cluster-event.ts';
import { startClusterModel, type ClusterModel } from '../cluster-model.ts';
import type { ExternalClaims } from '../claims/external-claims.ts';
import type { RemoteApplierIndex } from '../remote/remote-applier-index.ts';
import { createUnpackedCache, type UnpackedCache } from '../objects/unpacked-cache.ts';
import { createWritten } from '../changes/written.ts';

const flux = 'kustomize.toolkit.fluxcd.io';
const sources = 'source.toolkit.fluxcd.io';

/** The kinds of the test bed, as discovery would tell them. */
export const kinds = {
  kustomization: {
    group: flux,
    kind: 'Kustomization',
    version: 'v1',
    resource: 'kustomizations',
    namespaced: true,
    categories: [],
  },
  gitRepository: {
    group: sources,
    kind: 'GitRepository',
    version: 'v1',
    resource: 'gitrepositories',
    namespaced: true,
    categories: [],
  },
  helmRelease: {
    group: 'helm.toolkit.fluxcd.io',
    kind: 'HelmRelease',
    version: 'v2',
    resource: 'helmreleases',
    namespaced: true,
    categories: [],
  },
  instance: {
    group: 'rds.aws.upbound.io',
    kind: 'Instance',
    version: 'v1beta1',
    resource: 'instances',
    namespaced: false,
    categories: ['crossplane', 'managed', 'aws'],
  },
  database: {
    group: 'example.org',
    kind: 'XDatabase',
    version: 'v1',
    resource: 'xdatabases',
    namespaced: false,
    categories: ['composite'],
  },
  providerRevision: {
    group: 'pkg.crossplane.io',
    kind: 'ProviderRevision',
    version: 'v1',
    resource: 'providerrevisions',
    namespaced: false,
    categories: ['crossplane', 'pkgrev'],
  },
} as const satisfies Readonly<Record<string, WatchedKind>>;

/** A revision of the control repository, by one hex digit. */
export function revision(digit: string): string {
  return `main@sha1:${digit.repeat(40)}`;
}

/** The parts of an object that a test is about; the rest is as a healthy object has it. */
export interface ObjectPart {
  readonly uid?: string;
  readonly generation?: number;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly createdAt?: number;
  readonly deletedAt?: number;
  readonly managedFields?: readonly object[];
  readonly spec?: object;
  readonly status?: object;
}

/** A collector's model of one cluster on a fake clock, with what it wrote. */
export interface Bed {
  readonly clock: FakeClock;
  readonly model: ClusterModel;
  readonly batches: WriteBatch[];
  /** An object of a kind as the API server would send it, each with a resourceVersion of its own. */
  object(kind: WatchedKind, name: string, part?: ObjectPart): ForeignObject;
  /** Lists the objects of a kind; its feed is live after that. */
  list(kind: WatchedKind, ...objects: readonly ForeignObject[]): void;
  write(kind: WatchedKind, object: ForeignObject): void;
  remove(kind: WatchedKind, object: ForeignObject): void;
  feed(kind: WatchedKind, state: FeedState): void;
  renew(...leases: readonly ObservedLease[]): void;
  /** Lets time pass while the leases move and the cluster is heard. */
  pass(ms: number): void;
  /** Lets time pass while the cluster is heard and no lease moves. */
  stand(ms: number): void;
  /** Connects, tells the kinds, gives `lists` and lets the first judgement come. */
  open(lists: readonly (readonly [WatchedKind, ...ForeignObject[]])[]): void;
  /** What was written of an object last. */
  recorded(name: string): StoredClusterState['objects'][number];
  at(name: string): CurrentObject;
  transitions(name: string): readonly Transition[];
  verdicts(name: string): readonly (string | null)[];
  /** What a store would give to the next collector. */
  stored(): StoredClusterState;
}

const controllers = ['kustomize-controller', 'source-controller', 'helm-controller'];

/** A moment as the API writes it: cut to whole seconds. */
export function rfc3339(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Ready as a condition. */
export function ready(status: string, reason: string, at: number, generation = 1): object {
  return {
    type: 'Ready',
    status,
    reason,
    message: reason,
    lastTransitionTime: rfc3339(at),
    observedGeneration: generation,
  };
}

/** What a bed shares with others: one clock and what reaches over between their clusters. */
export interface SharedBed {
  readonly cluster: string;
  readonly clock: FakeClock;
  readonly remotes: RemoteApplierIndex;
  readonly externals?: ExternalClaims;
}

/** The leases of all controllers, renewed at a moment (ms). */
function leasesAt(renewTime: number): readonly ObservedLease[] {
  const leases = controllers.map((name) => ({
    namespace: 'flux-system',
    name: `${name}-leader-election`,
    holder: 'pod',
    durationSeconds: 35,
    renewTime,
    transitions: 3,
  }));
  const namespace = 'crossplane-system';
  const core = { namespace, name: 'crossplane-leader-election-core', holder: 'pod', durationSeconds: 15 };
  return [{ ...core, renewTime, transitions: 3 }, ...leases];
}

function foreignObject(kind: WatchedKind, name: string, version: number, now: number, part: ObjectPart): ForeignObject {
  const metadata = {
    name,
    ...(kind.namespaced ? { namespace: 'flux-system' } : {}),
    uid: part.uid ?? `uid-${name}`,
    resourceVersion: String(version),
    generation: part.generation ?? 1,
    creationTimestamp: rfc3339(part.createdAt ?? now - day),
    labels: part.labels ?? {},
    annotations: part.annotations ?? {},
    ...(part.managedFields ? { managedFields: part.managedFields } : {}),
    ...(part.deletedAt === undefined ? {} : { deletionTimestamp: rfc3339(part.deletedAt), finalizers: ['x'] }),
  };
  const apiVersion = `${kind.group}/${kind.version}`;
  const { spec = {}, status = {} } = part;
  return parseForeign(JSON.stringify({ apiVersion, kind: kind.kind, metadata, spec, status })) ?? {};
}

type Told = 'object' | 'list' | 'write' | 'remove' | 'feed';
type Passing = 'renew' | 'pass' | 'stand';
type Read = 'recorded' | 'at' | 'transitions' | 'verdicts' | 'stored';

/** Tells the model of objects. */
function teller(clock: FakeClock, model: ClusterModel): Pick<Bed, Told> {
  let version = Math.trunc(clock.now() / 1000);
  return {
    object(kind, name, part = {}) {
      version += 1;
      return foreignObject(kind, name, version, clock.now(), part);
    },
    list(kind, ...objects) {
      const at = clock.now();
      model.take({ type: 'sync-start', at, kind });
      for (const object of objects) model.take({ type: 'applied', at, kind, initial: true, object });
      model.take({ type: 'sync-end', at, kind, resourceVersion: String(version) });
      model.take({ type: 'feed', at, kind, feed: { state: 'live' } });
    },
    write: (kind, object) => model.take({ type: 'applied', at: clock.now(), kind, initial: false, object }),
    remove: (kind, object) => model.take({ type: 'deleted', at: clock.now(), kind, object }),
    feed: (kind, state) => model.take({ type: 'feed', at: clock.now(), kind, feed: state }),
  };
}

/** Lets time pass, and tells the model of leases. */
function passing(clock: FakeClock, model: ClusterModel): Pick<Bed, Passing> {
  let renewedAt = clock.now();

  function tell(all: readonly ObservedLease[]): void {
    for (const [namespace, leases] of Map.groupBy(all, (lease) => lease.namespace))
      model.take({ type: 'leases', at: clock.now(), namespace, leases });
  }

  function renew(...own: readonly ObservedLease[]): void {
    renewedAt = clock.now() - 500;
    tell(own.length > 0 ? own : leasesAt(renewedAt));
  }

  function inTurns(ms: number, turn: () => void): void {
    for (let left = ms; left > 0; left -= 10_000) {
      clock.advance(Math.min(10_000, left));
      turn();
    }
    clock.advance(50);
  }

  return {
    renew,
    pass: (ms) => inTurns(ms, () => renew()),
    stand: (ms) => inTurns(ms, () => tell(leasesAt(renewedAt))),
  };
}

/** What the model wrote. */
function written(
  batches: readonly WriteBatch[],
  state: () => Pick<StoredClusterState, 'objects'>,
  model: ClusterModel,
): Pick<Bed, Read> {
  function recorded(name: string): StoredClusterState['objects'][number] {
    const found = state().objects.find(({ object }) => object.ref.name === name);
    if (!found) throw new Error(`${name} is not recorded`);
    return found;
  }

  function transitions(name: string): readonly Transition[] {
    return batches.flatMap((batch) => batch.transitions.filter((transition) => transition.ref.name === name));
  }

  return {
    recorded,
    at: (name) => recorded(name).object,
    transitions,
    verdicts: (name) => transitions(name).map((transition) => transition.to),
    stored: () => ({ cluster: model.cluster(), objects: state().objects, resume: [] }),
  };
}

/** Starts a bed; `restored` is what the store remembers, `start` the time (ms). */
export function startBed(
  restored: StoredClusterState | null = null,
  start?: number,
  shared?: SharedBed,
  // Nobody stays awake who is not looked at just now: what is packed must be what was there.
  unpackedCache: UnpackedCache = createUnpackedCache(undefined, 1),
): Bed {
  const clock = shared?.clock ?? fakeClock(start);
  const batches: WriteBatch[] = [];
  const store = createWritten(restored);
  const model = startClusterModel({
    cluster: shared?.cluster ?? 'c1',
    ...(shared ? { remotes: shared.remotes } : {}),
    ...(shared?.externals ? { externals: shared.externals } : {}),
    labels: {},
    policy: defaultPolicy,
    clock,
    restored,
    keepMessages: true,
    write(batch) {
      batches.push(batch);
      store.take(batch);
    },
    unpackedCache,
  });
  const { list, ...objects } = teller(clock, model);
  const { renew, ...time } = passing(clock, model);
  return {
    clock,
    model,
    batches,
    list,
    ...objects,
    renew,
    ...time,
    ...written(batches, store.state, model),
    open(lists) {
      model.take({ type: 'connected', at: clock.now(), protocol: 'h2', version: 'v1.34.3' });
      model.take({ type: 'kinds', at: clock.now(), kinds: lists.map(([kind]) => kind), absent: [] });
      renew();
      for (const [kind, ...listed] of lists) list(kind, ...listed);
      clock.advance(6_000);
      renew();
      clock.advance(200);
    },
  };
}

/** The status of a Kustomization that passed well at `at` with a revision. */
export function passedWell(at: number, applied: string, generation = 1): object {
  const history = [
    {
      digest: 'sha256:1',
      firstReconciled: rfc3339(at - hour),
      lastReconciled: rfc3339(at),
      lastReconciledDuration: '100ms',
      lastReconciledStatus: 'ReconciliationSucceeded',
      totalReconciliations: Math.trunc(at / 1000) % 100_000,
      metadata: { revision: applied },
    },
  ];
  return {
    conditions: [ready('True', 'ReconciliationSucceeded', at, generation)],
    observedGeneration: generation,
    lastAppliedRevision: applied,
    lastAttemptedRevision: applied,
    history,
  };
}

/** The spec of a Kustomization. */
export function kustomizationSpec(source: string, part: object = {}): object {
  return { interval: '10m', path: './app', prune: true, sourceRef: { kind: 'GitRepository', name: source }, ...part };
}

/** Labels by which a Kustomization marks what it delivers. */
export function deliveredBy(name: string): { readonly [key: string]: string } {
  return { [`${flux}/name`]: name, [`${flux}/namespace`]: 'flux-system' };
}

/** The spec and status of a GitRepository that offers a revision. */
export function offering(at: number, artifact: string): { readonly spec: object; readonly status: object } {
  return {
    spec: { interval: '1m', url: 'https://git.example.org/acme/control.git', ref: { branch: 'main' } },
    status: {
      conditions: [
        ready('True', 'Succeeded', at),
        {
          type: 'ArtifactInStorage',
          status: 'True',
          reason: 'Succeeded',
          message: `stored artifact for revision '${artifact}'`,
          lastTransitionTime: rfc3339(at),
          observedGeneration: 1,
        },
      ],
      observedGeneration: 1,
      artifact: { revision: artifact, digest: 'sha256:1', lastUpdateTime: rfc3339(at) },
    },
  };
}
