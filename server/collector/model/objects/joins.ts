import { type GroupKind, kindKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { Loops } from '../controllers/loops.ts';
import { createListedKinds } from '../feeds/listed-kinds.ts';
import { listingObservation, type ClusterKnowledge } from '../judging/knowledge.ts';
import { inventoryOf, upstreamKeys } from '../judging/surroundings.ts';
import type { Entry } from './entry.ts';

/** From a key to others: a million ids are in one inventory each, and one alone is held without a set around it. */
type Edges = Map<RefKey, RefKey | Set<RefKey>>;

function join(edges: Edges, from: RefKey, to: RefKey): void {
  const known = edges.get(from);
  if (known === undefined) edges.set(from, to);
  else if (typeof known !== 'string') known.add(to);
  else if (known !== to) edges.set(from, new Set([known, to]));
}

/** Nothing is kept of a key from which none is left. */
function part(edges: Edges, from: RefKey, to: RefKey): void {
  const known = edges.get(from);
  const isLast = known === to || (typeof known === 'object' && known.delete(to) && known.size === 0);
  if (isLast) edges.delete(from);
}

function joinedTo(known: RefKey | Set<RefKey> | undefined): Iterable<RefKey> {
  return typeof known === 'string' ? [known] : (known ?? []);
}

function isJoined(known: RefKey | Set<RefKey> | undefined, to: RefKey): boolean {
  return typeof known === 'string' ? known === to : known?.has(to) === true;
}

/** Moves an object's edges from what it depended on to what it depends on. */
function rejoin(edges: Edges, key: RefKey, before: readonly RefKey[], after: readonly RefKey[]): void {
  if (before.length === 0 && after.length === 0) return;
  const kept = new Set(after);
  for (const other of before) if (!kept.has(other)) part(edges, other, key);
  for (const other of kept) join(edges, other, key);
}

/** Keys that are in only one of two lists. */
function differing(before: readonly RefKey[], after: readonly RefKey[]): readonly RefKey[] {
  // Nearly every observation depends on what the one before it did.
  if (before.length === after.length && before.every((key, index) => key === after[index])) return [];
  return [...new Set(before).symmetricDifference(new Set(after))];
}

/** With more than this of what it does not name, it is forgotten whether all kinds are seen or not: a cluster may never show all of them. */
const unnamedAtMost = 1_000;

/** Forgets as missing to an entry whatever it does not name any more; where not `all` kinds are seen, only what is too much of it. */
function forgetUnnamed({ missingSince, inventory, upstreams }: Entry, all: boolean): void {
  if (!missingSince?.size || (!all && missingSince.size <= unnamedAtMost)) return;
  // A cluster says how many there are of both: sought in a list each, tens of thousands held up all clusters for minutes.
  const named = new Set([...inventory, ...upstreams]);
  const unnamed = [...missingSince.keys()].filter((key) => !named.has(key));
  for (const key of all ? unnamed : unnamed.slice(0, Math.max(0, unnamed.length - unnamedAtMost)))
    missingSince.delete(key);
}

/**
 * Who depends on whom in one cluster, and who lists whom in an inventory. Starts with nobody joined; `known` is the
 * cluster in which they are.
 */
export function createJoins(known: ClusterKnowledge, loops: Loops) {
  const { entries, feeds } = known;
  const dependents: Edges = new Map();
  const listedBy: Edges = new Map();
  const reachingOver = new Set<RefKey>();
  const listedKinds = createListedKinds();

  /** The key of an object as it is held already: thousands depend on one. */
  function held(key: RefKey): RefKey {
    return entries.get(key)?.key ?? key;
  }

  return {
    /** Reads anew what an entry depends on; gives those that it lists now, or does not list any more, and that are marked as its own. */
    connect(entry: Entry): readonly RefKey[] {
      const observation = listingObservation(entry);
      const inventory = observation.inventory.length > 0 ? inventoryOf(known, observation).map(held) : [];
      const relisted = differing(entry.inventory, inventory);
      const next = [...new Set(upstreamKeys(known, entry))].map(held);
      rejoin(dependents, entry.key, entry.upstreams, next);
      rejoin(listedBy, entry.key, entry.inventory, inventory);
      entry.upstreams = next;
      entry.inventory = inventory;
      entry.loop = loops.join(entry.state.track.latest, entry.loop);
      listedKinds.note(entry.key, observation);
      if (observation.remote && observation.inventory.length > 0) reachingOver.add(entry.key);
      else reachingOver.delete(entry.key);
      forgetUnnamed(entry, feeds.inStep());
      return relisted.filter((key) => entries.get(key)?.upstreams.includes(entry.key));
    },
    forget(entry: Entry): void {
      reachingOver.delete(entry.key);
      listedKinds.forget(entry.key);
      loops.leave(entry.loop);
      rejoin(dependents, entry.key, entry.upstreams, []);
      rejoin(listedBy, entry.key, entry.inventory, []);
    },
    dependentsOf: (key: RefKey): Iterable<RefKey> => joinedTo(dependents.get(key)),
    lists: (applier: RefKey, key: RefKey): boolean => isJoined(listedBy.get(key), applier),
    *concernedBy(key: RefKey): Iterable<RefKey> {
      yield* joinedTo(dependents.get(key));
      yield* joinedTo(listedBy.get(key));
    },
    /** Objects that depend on one of a kind, or may list or be made of one. */
    concernedByKind(kind: GroupKind): readonly RefKey[] {
      const named = `/${kindKey(kind)}/`;
      const concerned = [...listedKinds.listing(kind)];
      for (const [key, set] of dependents)
        if (key.includes(named)) for (const dependent of joinedTo(set)) concerned.push(dependent);
      return concerned;
    },
    /** Whoever lists objects in an inventory, or is made of others. */
    listing: listedKinds.all,
    /** Appliers whose objects live elsewhere (spec.kubeConfig). */
    reachingOver,
  };
}
