import type { ObjectRef } from '../observation/ref.ts';

/**
 * Position of a header: what a repository calls its own folders comes first, by name; then appliers that no folder gathers,
 * then what packages and managed resources are made of, and what is only declared last.
 */
export type HeaderPosition = 'folder' | 'applier' | 'resource' | 'declared';

/** The column that one object belongs to. Objects of different clusters meet in a column by its `id`. */
export interface ColumnSeed {
  readonly id: string;
  /** The header above it; clusters may disagree (a Kustomization's path differs): the most frequent one wins. */
  readonly group: string;
  readonly title: string;
  /** Where its header stands among the others. */
  readonly position: HeaderPosition;
  /** Query of the list of objects that its header leads to. */
  readonly filter: { readonly [key: string]: string };
  /** Where the cells of its column lie in each row of a board: seeds of one id have one slot. */
  readonly slot: number;
}

/** Seeds that were made for the rows of one board: a thousand rows ask for the same sixty. */
export interface ColumnSeeds {
  /** The seed of this sort and name under this header, if it was added: nothing is made to find it, which is done for each object. */
  find(group: string, sort: string, name: string): ColumnSeed | undefined;
  /** Adds a seed under its header, with the slot of its id. */
  add(sort: string, name: string, seed: Omit<ColumnSeed, 'slot'>): ColumnSeed;
  /** Has a seed that was added be found by another sort and name as well; gives it back. */
  also(sort: string, name: string, seed: ColumnSeed): ColumnSeed;
  all(): Iterable<ColumnSeed>;
  /** Number of entries it holds of all sorts: they stay when what they were made for is gone. */
  size(): number;
  /** Result of `folderOf` for a path, worked out once. */
  folderOf(path: string): string | null;
  /** A number for what a cell contributes to its column, the same for cells that contribute the same; `one`: all that is behind it. */
  part(seed: ColumnSeed, one: ObjectRef | null): number;
}

interface Parts {
  readonly ofMany: number;
  readonly ofOne: Map<string, number>;
  /** The one asked for last: in most fleets it has the same name on every cluster. */
  last: { readonly ref: ObjectRef; readonly part: number } | null;
}

/** Makes room for the seeds of one board. */
export function columnSeeds(): ColumnSeeds {
  const headers = new Map<string, Map<string, Map<string, ColumnSeed>>>();
  const partsOf = new Map<ColumnSeed, Parts>();
  const slots = new Map<string, number>();
  const folders = new Map<string, string | null>();
  let [added, made] = [0, 0];

  function put(sort: string, name: string, seed: ColumnSeed): ColumnSeed {
    const header = headers.get(seed.group) ?? new Map<string, Map<string, ColumnSeed>>();
    const sorted = header.get(sort) ?? new Map<string, ColumnSeed>();
    headers.set(seed.group, header);
    header.set(sort, sorted);
    sorted.set(name, seed);
    added += 1;
    return seed;
  }

  return {
    find: (group, sort, name) => headers.get(group)?.get(sort)?.get(name),
    add(sort, name, seed) {
      const slot = slots.get(seed.id) ?? slots.size;
      slots.set(seed.id, slot);
      return put(sort, name, { ...seed, slot });
    },
    also: put,
    folderOf(path) {
      let folder = folders.get(path);
      if (folder === undefined) folders.set(path, (folder = folderOf(path)));
      return folder;
    },
    all: () =>
      [...headers.values()].flatMap((header) => [...header.values()].flatMap((sorted) => [...sorted.values()])),
    size: () => added + folders.size + made,
    part(seed, one) {
      let parts = partsOf.get(seed);
      if (parts === undefined) partsOf.set(seed, (parts = { ofMany: ++made, ofOne: new Map(), last: null }));
      if (one === null) return parts.ofMany;
      if (parts.last !== null && isNamed(parts.last.ref, one)) return parts.last.part;
      const name = `${one.group}/${one.kind}/${one.namespace}/${one.name}`;
      const part = parts.ofOne.get(name) ?? ++made;
      parts.ofOne.set(name, part);
      parts.last = { ref: one, part };
      return part;
    },
  };
}

/** True if two objects have the same name on their clusters. */
function isNamed(a: ObjectRef, b: ObjectRef): boolean {
  return a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.group === b.group;
}

/**
 * The header for a Kustomization by its path: the segment above its last one.
 * clusters/production/eu-west-3/apps/checkout and apps/checkout are "apps"; everything under infrastructure/ is "infrastructure".
 * null where the path only says which cluster it is (clusters/production/eu-west-3). `folder` says the same as `folderOf`.
 */
export function pathGroup(path: string | null, cluster: string, folder = folderOf): string | null {
  const found = path === null ? null : folder(path);
  return found === cluster && found !== infrastructure ? null : found;
}

const infrastructure = 'infrastructure';

/** The header for a path on a cluster that has not its name. */
export function folderOf(path: string): string | null {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const own = segments[0] === 'clusters' ? segments.slice(2) : segments;
  if (own.length < 2) return null;
  return own.includes(infrastructure) ? infrastructure : (own[own.length - 2] ?? null);
}

/** Columns of one cluster, at most: what it has beyond is behind one more. A cluster of fifty thousand names had made as many columns for all. */
export const mostColumnsOfRow = 1_000;

const restId = 'rest';

/** The column of all that is beyond a cluster's columns. */
export function restColumn(seeds: ColumnSeeds): ColumnSeed {
  return (
    seeds.find(restId, restId, '') ??
    seeds.add(restId, '', { id: restId, group: restId, title: 'all others', position: 'declared', filter: {} })
  );
}

/** The same seeds for one row: while it is full nothing is added for it but the column of the rest. */
export function seedsWhile(seeds: ColumnSeeds, isFull: () => boolean): ColumnSeeds {
  return {
    ...seeds,
    add: (sort, name, seed) => (isFull() ? restColumn(seeds) : seeds.add(sort, name, seed)),
    also: (sort, name, seed) => (seed.id === restId ? seed : seeds.also(sort, name, seed)),
  };
}
