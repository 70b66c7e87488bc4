import type { CurrentObject, Transition } from '#lib/domain/record/current.ts';
import { defaultPolicy } from '#lib/domain/guarantee/guarantee.ts';
import type { ForeignObject } from '#lib/foreign.ts';
import { fakeClock, type FakeClock } from '#server/runtime/fake-clock.ts';
import type { StoredClusterState, WriteBatch } from '#server/store/port/port.ts';
import type { FeedState, ObservedLease, WatchedKind } from '../../clusters/cluster-event.ts';
import { defaultTuning } from '../../clusters/tuning.ts';
import { startClusterModel, type ClusterModel } from '../cluster-model.ts';
import type { ExternalClaims } from '../claims/external-claims.ts';
import type { RemoteApplierIndex } from '../remote/remote-applier-index.ts';
import type { ObjectBudget } from '../objects/room.ts';
import { createUnpackedCache, type UnpackedCache } from '../objects/unpacked-cache.ts';
import { createWritten } from '../changes/written.ts';
import { foreignObject, type ObjectPart } from './objects.ts';

/** A collector's model of one cluster on a fake clock, with what it wrote. */
export type Bed = ReturnType<typeof startBed>;

const controllers = ['kustomize-controller', 'source-controller', 'helm-controller'];

/** Parts that a bed shares with others: one clock and what reaches over between their clusters. */
export interface SharedBed {
  readonly cluster: string;
  readonly clock: FakeClock;
  readonly remotes: RemoteApplierIndex;
  readonly externals?: ExternalClaims;
  readonly cautions?: (reachesOver: boolean) => readonly string[];
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

/** Tells the model of objects. */
function teller(clock: FakeClock, model: ClusterModel) {
  let version = Math.trunc(clock.now() / 1000);
  return {
    /** An object of a kind as the API server would send it, each with a resourceVersion of its own. */
    object(kind: WatchedKind, name: string, part: ObjectPart = {}): ForeignObject {
      version += 1;
      return foreignObject(kind, name, version, clock.now(), part);
    },
    list(kind: WatchedKind, ...objects: readonly ForeignObject[]): void {
      const at = clock.now();
      model.take({ type: 'sync-start', at, kind });
      for (const object of objects) model.take({ type: 'applied', at, kind, initial: true, object });
      model.take({ type: 'sync-end', at, kind, resourceVersion: String(version) });
      model.take({ type: 'feed', at, kind, feed: { state: 'live' } });
    },
    write: (kind: WatchedKind, object: ForeignObject): void =>
      model.take({ type: 'applied', at: clock.now(), kind, initial: false, object }),
    remove: (kind: WatchedKind, object: ForeignObject): void =>
      model.take({ type: 'deleted', at: clock.now(), kind, object }),
    feed: (kind: WatchedKind, state: FeedState): void =>
      model.take({ type: 'feed', at: clock.now(), kind, feed: state }),
  };
}

/** Lets time pass, and tells the model of leases. */
function passing(clock: FakeClock, model: ClusterModel) {
  let renewedAt = clock.now();

  function tell(all: readonly ObservedLease[]): void {
    for (const [namespace, leases] of Map.groupBy(all, (lease) => lease.namespace))
      model.take({ type: 'leases', at: clock.now(), namespace, leases });
  }

  function renew(...own: readonly ObservedLease[]): void {
    renewedAt = clock.now() - 500;
    tell(own.length > 0 ? own : leasesAt(renewedAt));
  }

  function inSteps(ms: number, step: () => void): void {
    for (let left = ms; left > 0; left -= 10_000) {
      clock.advance(Math.min(10_000, left));
      step();
    }
    clock.advance(50);
  }

  return {
    renew,
    /** Lets time pass while the leases move and the cluster is heard. */
    pass: (ms: number): void => inSteps(ms, () => renew()),
    /** Lets time pass while the cluster is heard and no lease moves. */
    stand: (ms: number): void => inSteps(ms, () => tell(leasesAt(renewedAt))),
  };
}

/** Records that the model wrote. */
function written(
  batches: readonly WriteBatch[],
  state: () => Pick<StoredClusterState, 'objects'>,
  model: ClusterModel,
) {
  function recorded(name: string): StoredClusterState['objects'][number] {
    const found = state().objects.find(({ object }) => object.ref.name === name);
    if (!found) throw new Error(`${name} is not recorded`);
    return found;
  }

  function transitions(name: string): readonly Transition[] {
    return batches.flatMap((batch) => batch.transitions.filter((transition) => transition.ref.name === name));
  }

  return {
    /** Record written of an object last. */
    recorded,
    at: (name: string): CurrentObject => recorded(name).object,
    transitions,
    verdicts: (name: string): readonly (string | null)[] => transitions(name).map((transition) => transition.to),
    /** State that a store would give to the next collector. */
    stored: (): StoredClusterState => ({ cluster: model.cluster(), objects: state().objects, resume: [] }),
  };
}

/** Starts a bed; `restored` is what the store remembers, `start` the time (ms). */
export function startBed(
  restored: StoredClusterState | null = null,
  start?: number,
  shared?: SharedBed,
  // Only what is used just now stays unpacked: what is packed must be what was there.
  unpackedCache: UnpackedCache = createUnpackedCache(undefined, 1),
  keepMessages = true,
  budget: ObjectBudget = defaultTuning,
) {
  const clock = shared?.clock ?? fakeClock(start);
  const batches: WriteBatch[] = [];
  const store = createWritten(restored);
  const model = startClusterModel({
    cluster: shared?.cluster ?? 'c1',
    ...(shared ? { remotes: shared.remotes } : {}),
    ...(shared?.externals ? { externals: shared.externals } : {}),
    ...(shared?.cautions ? { cautions: shared.cautions } : {}),
    labels: {},
    policy: defaultPolicy,
    clock,
    restored,
    keepMessages,
    write(batch) {
      batches.push(batch);
      store.take(batch);
    },
    unpackedCache,
    budget,
  });
  const { list, ...objects } = teller(clock, model);
  const { renew, ...time } = passing(clock, model);
  return {
    clock,
    model,
    batches,
    /** Lists the objects of a kind; its feed is live after that. */
    list,
    ...objects,
    renew,
    ...time,
    ...written(batches, store.state, model),
    /** Connects, tells the kinds, gives `lists` and lets the first judgement come. */
    open(lists: readonly (readonly [WatchedKind, ...ForeignObject[]])[]): void {
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
