import type { Observation } from '#lib/domain/observation/observation.ts';
import {
  type GroupKind,
  kindKey,
  type ObjectRef,
  refKey,
  type RefKey,
  parseRefKey,
} from '#lib/domain/observation/ref.ts';
import { type ForeignObject } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import { createOrder } from './cycles.ts';
import type { Entry } from './entry.ts';
import type { FeedTracker } from '../feeds/feed-tracker.ts';
import type { ControllerIndex, Served } from '../controllers/controller-index.ts';
import { createLoops } from '../controllers/loops.ts';
import { effectiveObservation, type ClusterKnowledge } from '../judging/knowledge.ts';
import { createProviderIndex } from '../controllers/provider-index.ts';
import type { RemoteApplierIndex } from '../remote/remote-applier-index.ts';
import { createSharedErrors } from '../judging/shared-errors.ts';
import { createJoins } from './joins.ts';

/** The objects of one cluster and who depends on whom. */
export type ObjectGraph = ReturnType<typeof createObjectGraph>;

function isOfPackages(kind: string): boolean {
  return kind.startsWith('pkg.crossplane.io/');
}

/** Number of objects that are held, and about how much memory they take (bytes). */
export interface Load {
  readonly objects: number;
  readonly bytes: number;
}

/** The objects of a cluster by their kind; `feeds` are told how many there are. */
function createKindIndex(feeds: FeedTracker) {
  const byKind = new Map<string, Set<RefKey>>();
  const bytesOf = new Map<string, number>();
  const all = { objects: 0, bytes: 0 };

  function count(kind: string, objects: number, bytes: number): void {
    all.objects += objects;
    all.bytes += bytes;
    bytesOf.set(kind, (bytesOf.get(kind) ?? 0) + bytes);
  }

  return {
    add({ key, ref, weight }: Entry): void {
      const set = byKind.get(kindKey(ref)) ?? new Set<RefKey>();
      set.add(key);
      byKind.set(kindKey(ref), set);
      count(kindKey(ref), 1, weight);
      feeds.count(ref, set.size);
    },
    remove({ key, weight }: Entry, of: GroupKind): void {
      const kind = kindKey(of);
      count(kind, -1, -weight);
      const set = byKind.get(kind);
      set?.delete(key);
      feeds.count(of, set?.size ?? 0);
      if (set && set.size > 0) return;
      // A cluster may serve other kinds each time.
      byKind.delete(kind);
      bytesOf.delete(kind);
    },
    /** An entry weighs so much now (bytes). */
    weigh(entry: Entry, weight: number): void {
      count(kindKey(entry.ref), 0, weight - entry.weight);
      entry.weight = weight;
    },
    /** The load of one kind; of all with null. */
    load: (kind: string | null): Load =>
      kind === null ? all : { objects: byKind.get(kind)?.size ?? 0, bytes: bytesOf.get(kind) ?? 0 },
    of: (kind: string): Iterable<RefKey> => byKind.get(kind) ?? [],
    /** Packages first: a managed resource is joined to the provider that runs its kind, and would be joined again after it. */
    packagesFirst: (): Iterable<RefKey> =>
      [...byKind]
        .toSorted(([a], [b]) => Number(isOfPackages(b)) - Number(isOfPackages(a)))
        .flatMap(([, keys]) => [...keys]),
  };
}

/** The entries of a cluster, by key and by kind. */
function createHeld(feeds: FeedTracker) {
  const entries = new Map<RefKey, Entry>();
  const byKind = createKindIndex(feeds);
  return {
    entries,
    byKind,
    keep(entry: Entry): void {
      entries.set(entry.key, entry);
      byKind.add(entry);
    },
    /** Takes an entry out, where its `kind` is known without unpacking it; null where there was none. Its ties are there until they are undone. */
    takeOut(key: RefKey, kind?: GroupKind): Entry | null {
      const entry = entries.get(key);
      if (!entry) return null;
      entries.delete(key);
      byKind.remove(entry, kind ?? entry.ref);
      return entry;
    },
  };
}

/** Kinds of which a managed resource was seen: nobody else has to be looked at when a provider changes. Starts with none. */
function createManagedKinds(
  byKind: ReturnType<typeof createKindIndex>,
  providers: ReturnType<typeof createProviderIndex>,
) {
  const kinds = new Map<string, GroupKind>();
  const reowned = new Set<string>();
  return {
    /** Notes an object: a managed resource by its kind, and what a package provides. */
    note(key: RefKey, { group, kind }: GroupKind, observation: Observation): void {
      if (observation.role === 'managed') kinds.set(kindKey({ group, kind }), { group, kind });
      for (const name of providers.note(key, observation)) reowned.add(name);
    },
    forget(key: RefKey): void {
      for (const name of providers.forget(key)) reowned.add(name);
    },
    /** Takes the resources of those kinds of which another may be the provider than at the last call. */
    takeReowned(): readonly RefKey[] {
      if (reowned.size === 0) return [];
      const found: RefKey[] = [];
      for (const [key, kind] of kinds) {
        if (byKind.load(key).objects === 0) kinds.delete(key);
        else if (reowned.has(providers.nameOf(kind))) for (const one of byKind.of(key)) found.push(one);
      }
      reowned.clear();
      return found;
    },
  };
}

function present(entries: ReadonlyMap<RefKey, Entry>, keys: Iterable<RefKey>): readonly Entry[] {
  return [...keys].map((key) => entries.get(key)).filter((entry) => entry !== undefined);
}

/** Starts an empty graph over the feeds and controllers of its cluster, and what reaches over to it. */
export function createObjectGraph(feeds: FeedTracker, controllers: ControllerIndex, remotes: RemoteApplierIndex) {
  const held = createHeld(feeds);
  const { entries, byKind } = held;
  const loops = createLoops();
  const shared = createSharedErrors();
  const providers = createProviderIndex();
  const managed = createManagedKinds(byKind, providers);
  const known: ClusterKnowledge = {
    entries,
    feeds,
    controllers,
    remotes,
    lists: (applier, key) => joins.lists(applier, key),
    providerOf: (entry) => providers.providerOf(effectiveObservation(entry)),
    sharedErrorOf: (entry) => shared.of(entry),
  };
  const joins = createJoins(known, loops);

  function relink(entry: Entry): readonly RefKey[] {
    shared.note(entry);
    managed.note(entry.key, entry.ref, effectiveObservation(entry));
    return [entry.key, ...joins.connect(entry)];
  }

  return {
    ...known,
    /** Appliers whose objects live elsewhere (spec.kubeConfig). */
    reachingOver: joins.reachingOver,
    /** The loops that turn for its objects. */
    loops: loops.all,
    keep: held.keep,
    weigh: byKind.weigh,
    load: (kind: GroupKind | null = null): Load => byKind.load(kind === null ? null : kindKey(kind)),
    takeOut: held.takeOut,
    /** Undoes the ties of an entry that was taken out. */
    untie(entry: Entry): void {
      joins.forget(entry);
      managed.forget(entry.key);
      shared.forget(entry);
    },
    /** Reads anew what an entry depends on; gives the keys that this touches. */
    relink,
    /** Reads anew what whoever lists objects in an inventory, or is made of others, depends on. */
    relinkListing(): void {
      for (const entry of present(entries, joins.listing())) relink(entry);
    },
    /** Reads anew what everybody depends on; gives all keys. */
    relinkAll(): Iterable<RefKey> {
      for (const entry of present(entries, byKind.packagesFirst())) relink(entry);
      // All managed resources were joined after the packages.
      managed.takeReowned();
      return entries.keys();
    },
    /** Reads anew what resources depend on whose provider may be another since; gives their keys, and those of which another error is shared. */
    rejoinManaged(): readonly RefKey[] {
      const found = managed.takeReowned();
      for (const entry of present(entries, found)) joins.connect(entry);
      return [...found, ...shared.takeTouched()];
    },
    /** Whose judgement rests on the judgement of this object. */
    dependentsOf: joins.dependentsOf,
    ofKind: (kind: GroupKind): readonly RefKey[] => [...byKind.of(kindKey(kind))],
    /** Whom it concerns that a kind is seen or is not: its objects, what depends on one, and whoever may list or be made of one. */
    concernedByKind: (kind: GroupKind): Iterable<RefKey> =>
      new Set([...byKind.of(kindKey(kind)), ...joins.concernedByKind(kind)]),
    /** Whom it concerns that this object is there or is not: its dependents, and whoever lists it in an inventory. */
    concernedBy: joins.concernedBy,
    /** Begins to put keys in order: what is depended on first, circles whole. What is linked anew meanwhile is to be put in order anew. */
    order: () => createOrder((key) => entries.get(key)?.upstreams ?? []),
    nameResources: providers.nameResources,
  };
}

/** The key of a reference within a cluster. */
export function keyIn(cluster: string, about: Omit<ObjectRef, 'cluster'>): RefKey {
  return refKey({ cluster, group: about.group, kind: about.kind, namespace: about.namespace, name: about.name });
}

/** Where an object of the cluster stands, by its own metadata; null where it has no name. */
export function keyOfForeign(cluster: string, kind: GroupKind, object: ForeignObject): RefKey | null {
  const name = nameAt(object, 'metadata', 'name');
  if (name === null) return null;
  return keyIn(cluster, { ...kind, namespace: nameAt(object, 'metadata', 'namespace') ?? '', name });
}

/** The kind of package revision that runs pods of its own for the kinds that it provides. */
export const providerRevision = { group: 'pkg.crossplane.io', kind: 'ProviderRevision' };

/** Whose loops turn for the objects of a cluster, counted by controller, namespace and shard, and by package revision. */
export function servedOf(graph: Pick<ObjectGraph, 'ofKind' | 'dependentsOf' | 'loops'>): readonly Served[] {
  const managed = graph.ofKind(providerRevision).flatMap((key) => {
    const ref = parseRefKey(key);
    return ref ? [{ revision: ref.name, count: [...graph.dependentsOf(key)].length }] : [];
  });
  const turned = graph.loops().map(({ controller, namespace, shard, objects }) => ({
    controller,
    object: { namespace, shard },
    count: objects,
  }));
  return [...turned, ...managed];
}
