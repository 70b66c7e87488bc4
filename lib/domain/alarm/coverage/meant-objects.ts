import { kindWords } from '../../pager/kind-name.ts';
import type { NamedAlert } from '../book/alert-book.ts';
import type { CoveredCluster } from '../finding.ts';
import { meansOf } from '../named.ts';
import type { KnownObject } from '../with-alarm.ts';

/** The objects that an alert names: those that are there, of a kind that is seen; null where it names none. */
export type MeantObjects = (alert: NamedAlert) => readonly KnownObject[] | null;

/** Objects of a cluster, found by what an alert names. */
interface Index {
  /** By name and namespace. */
  readonly places: ReadonlyMap<string, readonly KnownObject[]>;
  /** Groups of the kinds that are seen, by the words that name a kind. */
  readonly kinds: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Made once for as long as the list of objects is the same: a fleet has a million of them, and as many alerts may name none of them. */
const kept = new WeakMap<CoveredCluster['objects'], Index>();

/** Clusters that are laid out in one turn: some milliseconds for a thousand objects each. */
const atOnce = 4;

/** Finds the objects that alerts mean, by name and namespace: a fleet has thousands of one name. Laid out in turns. */
export function* meantObjects(clusters: readonly CoveredCluster[]): Generator<undefined, MeantObjects> {
  const indexes = new Map<string, Index>();
  for (const [at, { name, objects }] of clusters.entries()) {
    if (at % atOnce === atOnce - 1) yield;
    indexes.set(name, indexOf(objects));
  }
  const known = new Map<NamedAlert, readonly KnownObject[] | null>();

  function meantBy({ named: labels }: NamedAlert): readonly KnownObject[] | null {
    const { cluster, kind, name, namespace } = labels;
    const index = cluster === null ? undefined : indexes.get(cluster);
    if (index === undefined || kind === null || name === null) return null;
    const { places, kinds } = index;
    // One of the cluster's scope is named with the namespace of its exporter, or with none.
    const namespaces = new Set(['', namespace ?? '']);
    const meant = [...namespaces]
      .flatMap((each) => places.get(placeKey(name, each)) ?? [])
      .filter(({ ref }) => meansOf(labels, ref) === 'own');
    // Of a kind that is not seen there nothing is known to be gone.
    return meant.length > 0 || isSeen(kinds, kind) ? meant : null;
  }

  return (alert) => {
    const found = known.get(alert);
    if (found !== undefined) return found;
    const meant = meantBy(alert);
    known.set(alert, meant);
    return meant;
  };
}

function indexOf(objects: CoveredCluster['objects']): Index {
  const found = kept.get(objects);
  if (found !== undefined) return found;
  const groups = new Map<string, Set<string>>();
  for (const { ref } of objects) groups.set(ref.kind, (groups.get(ref.kind) ?? new Set()).add(ref.group));
  const kinds = new Map<string, Set<string>>();
  for (const [kind, of] of groups)
    for (const word of kindWords(kind)) kinds.set(word, of.union(kinds.get(word) ?? new Set()));
  const made = { places: Map.groupBy(objects, ({ ref }) => placeKey(ref.name, ref.namespace)), kinds };
  kept.set(objects, made);
  return made;
}

function placeKey(name: string, namespace: string): string {
  return `${name}\n${namespace}`;
}

/** Tests if there is any object of a kind that an alert names, as `kindTest` reads it. */
function isSeen(kinds: Index['kinds'], named: string): boolean {
  const word = named.toLowerCase();
  const cut = word.indexOf('.');
  if (cut === -1) return kinds.has(word);
  return kinds.get(word.slice(0, cut))?.has(word.slice(cut + 1)) ?? false;
}
