import type { ObjectRef } from '../ref.ts';
import type { ColumnSeed } from './column-of.ts';

/** Seeds that were made for the rows of one board: a thousand rows ask for the same sixty. */
export interface ColumnSeeds {
  /** The seed of this id under this head; `make` is asked only when it is new. */
  of(id: string, group: string, make: () => ColumnSeed): ColumnSeed;
  /** The same by an API group alone: a fleet has a million managed resources of a few dozen groups. */
  ofManaged(apiGroup: string, make: () => ColumnSeed): ColumnSeed;
  all(): Iterable<ColumnSeed>;
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
  const heads = new Map<string, Map<string, ColumnSeed>>();
  const managed = new Map<string, ColumnSeed>();
  const partsOf = new Map<ColumnSeed, Parts>();
  let made = 0;

  return {
    of(id, group, make) {
      let head = heads.get(group);
      if (head === undefined) heads.set(group, (head = new Map()));
      let seed = head.get(id);
      if (seed === undefined) head.set(id, (seed = make()));
      return seed;
    },
    ofManaged(apiGroup, make) {
      let seed = managed.get(apiGroup);
      if (seed === undefined) managed.set(apiGroup, (seed = make()));
      return seed;
    },
    all: () => [...heads.values()].flatMap((head) => [...head.values()]),
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

/** Whether two objects have the same name on their clusters. */
function isNamed(a: ObjectRef, b: ObjectRef): boolean {
  return a.name === b.name && a.namespace === b.namespace && a.kind === b.kind && a.group === b.group;
}
