import { type GroupKind, kindKey, type ObjectRef, refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import { textAt, type ForeignObject } from '#lib/foreign.ts';
import { cyclesOf } from './cycles.ts';
import type { Entry } from './entry.ts';
import type { FeedTracker } from '../feeds/feed-tracker.ts';
import type { ControllerIndex } from '../controllers/controller-index.ts';
import { createListedKinds } from '../feeds/listed-kinds.ts';
import { createLoops, type Loop } from '../controllers/loops.ts';
import { effectiveObservation, type ClusterKnowledge } from '../judging/knowledge.ts';
import { createProviderIndex } from '../controllers/provider-index.ts';
import type { RemoteApplierIndex } from '../remote/remote-applier-index.ts';
import { createSharedErrors } from '../judging/shared-errors.ts';
import { inventoryOf, standsOn } from '../judging/surroundings.ts';

/** The objects of one cluster and who stands on whom. */
export interface ObjectGraph extends ClusterKnowledge {
  keep(entry: Entry): void;
  /** Takes an entry out; `touched` are those whose cause or provider went with it. Null where there was none. */
  drop(key: RefKey): { readonly entry: Entry; readonly touched: readonly RefKey[] } | null;
  /** Reads anew what an entry stands on; gives the keys that this touches. */
  relink(entry: Entry): readonly RefKey[];
  /** Reads anew what everybody stands on; gives all keys. */
  relinkAll(): Iterable<RefKey>;
  /** Whose judgement rests on the judgement of this object. */
  dependentsOf(key: RefKey): Iterable<RefKey>;
  /** Whom it concerns that this object is there or is not: its dependents, and whoever lists it in an inventory. */
  concernedBy(key: RefKey): Iterable<RefKey>;
  /** Whom it concerns that a kind is seen or is not: its objects, what stands on one, and whoever may list or be made of one. */
  concernedByKind(kind: GroupKind): Iterable<RefKey>;
  ofKind(kind: GroupKind): readonly RefKey[];
  /** Reads anew what whoever lists objects in an inventory, or is made of others, stands on. */
  relinkListing(): void;
  /** The loops that turn for its objects. */
  loops(): readonly Loop[];
  /** Appliers whose objects live elsewhere (spec.kubeConfig). */
  readonly reachingOver: ReadonlySet<RefKey>;
  /** The given keys with what is stood on first, so that most objects are judged once; circles whole, as one group. */
  inOrder(keys: ReadonlySet<RefKey>): readonly (readonly RefKey[])[];
  /** The plural of a kind, as discovery names it. */
  nameResource(kind: GroupKind, resource: string): void;
}

function isOfPackages(kind: string): boolean {
  return kind.startsWith('pkg.crossplane.io/');
}

/** Moves an object's edges from what it stood on to what it stands on; what nobody stands on any more is forgotten. */
function rejoin(
  edges: Map<RefKey, Set<RefKey>>,
  key: RefKey,
  before: readonly RefKey[],
  after: readonly RefKey[],
): void {
  if (before.length === 0 && after.length === 0) return;
  const kept = new Set(after);
  for (const other of before) {
    const set = kept.has(other) ? undefined : edges.get(other);
    if (set?.delete(key) && set.size === 0) edges.delete(other);
  }
  for (const other of kept) {
    const set = edges.get(other) ?? new Set<RefKey>();
    set.add(key);
    edges.set(other, set);
  }
}

/** What is in only one of two lists. */
function differing(before: readonly RefKey[], after: readonly RefKey[]): readonly RefKey[] {
  if (before.length === after.length && before.every((key, index) => key === after[index])) return [];
  const [was, is] = [new Set(before), new Set(after)];
  return [...before.filter((key) => !is.has(key)), ...after.filter((key) => !was.has(key))];
}

/** Starts an empty graph over the feeds and controllers of its cluster, and what reaches over to it. */
export function createObjectGraph(
  feeds: FeedTracker,
  controllers: ControllerIndex,
  remotes: RemoteApplierIndex,
): ObjectGraph {
  const entries = new Map<RefKey, Entry>();
  const byKind = new Map<string, Set<RefKey>>();
  const dependents = new Map<RefKey, Set<RefKey>>();
  const listedBy = new Map<RefKey, Set<RefKey>>();
  const reachingOver = new Set<RefKey>();
  const listedKinds = createListedKinds();
  const loops = createLoops();
  const resources = new Map<string, string>();
  /** Kinds of which a managed resource was seen: nobody else has to be looked at when a provider changes. */
  const managedKinds = new Set<string>();
  const shared = createSharedErrors();
  const providers = createProviderIndex();

  /** The key of an object as it is held already: thousands stand on one. */
  function held(key: RefKey): RefKey {
    return entries.get(key)?.key ?? key;
  }

  function recount(ref: ObjectRef): void {
    feeds.count(ref, byKind.get(kindKey(ref))?.size ?? 0);
  }

  /** Reads anew what an entry stands on; gives those that it lists now, or does not list any more, and that are marked as its own. */
  function connect(entry: Entry): readonly RefKey[] {
    const observation = effectiveObservation(entry);
    const inventory = observation.inventory.length > 0 ? inventoryOf(graph, observation).map(held) : [];
    const relisted = differing(entry.inventory, inventory);
    const next = [...new Set(standsOn(graph, entry))].map(held);
    rejoin(dependents, entry.key, entry.standsOn, next);
    rejoin(listedBy, entry.key, entry.inventory, inventory);
    entry.standsOn = next;
    entry.inventory = inventory;
    entry.loop = loops.join(entry.track.latest, entry.loop);
    listedKinds.note(entry.key, observation);
    if (observation.role === 'managed') managedKinds.add(kindKey(entry.ref));
    if (observation.remote && observation.inventory.length > 0) reachingOver.add(entry.key);
    else reachingOver.delete(entry.key);
    if (feeds.inStep())
      for (const key of entry.missingSince?.keys() ?? [])
        if (!inventory.includes(key) && !next.includes(key)) entry.missingSince?.delete(key);
    return relisted.filter((key) => entries.get(key)?.standsOn.includes(entry.key));
  }

  /** Who runs which kind has changed. */
  function reconnectManaged(): readonly RefKey[] {
    const managed = [...managedKinds].flatMap((kind) => [...(byKind.get(kind) ?? [])]);
    for (const key of managed) {
      const entry = entries.get(key);
      if (entry) connect(entry);
    }
    return managed;
  }

  const graph: ObjectGraph = {
    entries,
    feeds,
    controllers,
    remotes,
    reachingOver,
    loops: loops.all,
    lists: (applier, key) => listedBy.get(key)?.has(applier) === true,
    providerOf(entry) {
      const resource = resources.get(kindKey(entry.ref));
      return providers.providerOf(
        effectiveObservation(entry),
        resource === undefined ? null : `${resource}.${entry.ref.group}`,
      );
    },
    sharedErrorOf: (entry) => shared.of(entry),
    keep(entry) {
      entries.set(entry.key, entry);
      const set = byKind.get(kindKey(entry.ref)) ?? new Set<RefKey>();
      set.add(entry.key);
      byKind.set(kindKey(entry.ref), set);
      recount(entry.ref);
    },
    drop(key) {
      const entry = entries.get(key);
      if (!entry) return null;
      entries.delete(key);
      reachingOver.delete(key);
      listedKinds.forget(key);
      loops.leave(entry.loop);
      byKind.get(kindKey(entry.ref))?.delete(key);
      recount(entry.ref);
      rejoin(dependents, key, entry.standsOn, []);
      rejoin(listedBy, key, entry.inventory, []);
      const touched = shared.forget(entry);
      return { entry, touched: providers.forget(key) ? [...touched, ...reconnectManaged()] : touched };
    },
    relink(entry) {
      const touched = [entry.key, ...connect(entry), ...shared.note(entry)];
      return providers.note(entry.key, effectiveObservation(entry)) ? [...touched, ...reconnectManaged()] : touched;
    },
    relinkListing() {
      for (const key of listedKinds.all()) {
        const entry = entries.get(key);
        if (entry) graph.relink(entry);
      }
    },
    relinkAll() {
      // Packages first: a managed resource is joined to the provider that runs its kind, and would be joined again after it.
      const kinds = [...byKind].toSorted(([a], [b]) => Number(isOfPackages(b)) - Number(isOfPackages(a)));
      for (const [, keys] of kinds)
        for (const key of keys) {
          const entry = entries.get(key);
          if (entry) graph.relink(entry);
        }
      return entries.keys();
    },
    dependentsOf: (key) => dependents.get(key) ?? [],
    ofKind: (kind) => [...(byKind.get(kindKey(kind)) ?? [])],
    concernedByKind(kind) {
      const part = `/${kind.group}/${kind.kind}/`;
      const concerned = new Set(graph.ofKind(kind));
      for (const [key, set] of dependents)
        if (key.includes(part)) for (const dependent of set) concerned.add(dependent);
      for (const key of listedKinds.listing(kind)) concerned.add(key);
      return concerned;
    },
    concernedBy: (key) => [...(dependents.get(key) ?? []), ...(listedBy.get(key) ?? [])],
    inOrder: (keys) => cyclesOf(keys, (key) => entries.get(key)?.standsOn ?? []),
    nameResource: (kind, resource) => void resources.set(kindKey(kind), resource),
  };
  return graph;
}

/** The key of a reference within a cluster. */
export function keyIn(cluster: string, about: Omit<ObjectRef, 'cluster'>): RefKey {
  return refKey({ cluster, group: about.group, kind: about.kind, namespace: about.namespace, name: about.name });
}

/** Where an object of the cluster stands, by its own metadata; null where it has no name. */
export function keyOfForeign(cluster: string, kind: GroupKind, object: ForeignObject): RefKey | null {
  const name = textAt(object, 'metadata', 'name');
  if (name === null) return null;
  return keyIn(cluster, {
    group: kind.group,
    kind: kind.kind,
    namespace: textAt(object, 'metadata', 'namespace') ?? '',
    name,
  });
}
