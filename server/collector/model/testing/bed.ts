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
  const written = createWritten(restored);
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
      written.take(batch);
    },
    unpackedCache,
  });
  let version = Math.trunc(clock.now() / 1000);
  let standing = clock.now();

  function leases(): readonly ObservedLease[] {
    const core = {
      namespace: 'crossplane-system',
      name: 'crossplane-leader-election-core',
      holder: 'pod',
      durationSeconds: 15,
      renewTime: standing,
      transitions: 3,
    };
    return [
      core,
      ...controllers.map((name) => ({
        namespace: 'flux-system',
        name: `${name}-leader-election`,
        holder: 'pod',
        durationSeconds: 35,
        renewTime: standing,
        transitions: 3,
      })),
    ];
  }

  const bed: Bed = {
    clock,
    model,
    batches,
    object(kind, name, part = {}) {
      version += 1;
      const created = part.createdAt ?? clock.now() - day;
      const metadata = {
        name,
        ...(kind.namespaced ? { namespace: 'flux-system' } : {}),
        uid: part.uid ?? `uid-${name}`,
        resourceVersion: String(version),
        generation: part.generation ?? 1,
        creationTimestamp: rfc3339(created),
        labels: part.labels ?? {},
        annotations: part.annotations ?? {},
        ...(part.managedFields ? { managedFields: part.managedFields } : {}),
        ...(part.deletedAt === undefined ? {} : { deletionTimestamp: rfc3339(part.deletedAt), finalizers: ['x'] }),
      };
      return (
        parseForeign(
          JSON.stringify({
            apiVersion: `${kind.group}/${kind.version}`,
            kind: kind.kind,
            metadata,
            spec: part.spec ?? {},
            status: part.status ?? {},
          }),
        ) ?? {}
      );
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
    renew(...own) {
      const at = clock.now();
      standing = at - 500;
      const all = own.length > 0 ? own : leases();
      for (const namespace of new Set(all.map((lease) => lease.namespace))) {
        model.take({ type: 'leases', at, namespace, leases: all.filter((lease) => lease.namespace === namespace) });
      }
    },
    pass(ms) {
      for (let left = ms; left > 0; left -= 10_000) {
        clock.advance(Math.min(10_000, left));
        bed.renew();
      }
      clock.advance(50);
    },
    stand(ms) {
      for (let left = ms; left > 0; left -= 10_000) {
        clock.advance(Math.min(10_000, left));
        for (const namespace of ['flux-system', 'crossplane-system']) {
          model.take({
            type: 'leases',
            at: clock.now(),
            namespace,
            leases: leases().filter((lease) => lease.namespace === namespace),
          });
        }
      }
      clock.advance(50);
    },
    open(lists) {
      model.take({ type: 'connected', at: clock.now(), protocol: 'h2', version: 'v1.34.3' });
      model.take({ type: 'kinds', at: clock.now(), kinds: lists.map(([kind]) => kind), absent: [] });
      bed.renew();
      for (const [kind, ...objects] of lists) bed.list(kind, ...objects);
      clock.advance(6_000);
      bed.renew();
      clock.advance(200);
    },
    recorded(name) {
      const found = written.state().objects.find(({ object }) => object.ref.name === name);
      if (!found) throw new Error(`${name} is not recorded`);
      return found;
    },
    at(name) {
      return bed.recorded(name).object;
    },
    transitions: (name) =>
      batches.flatMap((batch) => batch.transitions.filter((transition) => transition.ref.name === name)),
    verdicts: (name) => bed.transitions(name).map((transition) => transition.to),
    stored: () => ({ cluster: model.cluster(), objects: written.state().objects, resume: [] }),
  };
  return bed;
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
