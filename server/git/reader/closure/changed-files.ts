import type { CommitIndex } from '../index/commit-index.ts';
import type { Line } from '../index/line.ts';
import { kustomizationNames, noNode } from '../index/name-tree.ts';
import type { Closure } from './closure.ts';

/** Files that the commits of a line change, looked at by closure. Made for one question. */
export interface ChangedFiles {
  /** Nodes of those files of the commit at a position that are in any of the closures. */
  within(line: Line, position: number, closures: readonly Closure[]): readonly number[];
}

/** Changed files that are kept sorted by directory. */
const mostKept = 1_000_000;

interface Sorted {
  readonly all: ReadonlySet<number>;
  readonly beneath: ReadonlyMap<number, readonly number[]>;
}

/** A look at the changed files of an index. */
export function createChangedFiles({ names }: CommitIndex): ChangedFiles {
  const kept = new Map<string, Sorted>();
  let size = 0;

  function sorted(line: Line, position: number): Sorted {
    const sha = line.sha(position);
    const known = kept.get(sha);
    if (known !== undefined) return known;
    const all = new Set(line.changed(position));
    const beneath = new Map<number, number[]>();
    for (const file of all) {
      for (let node = names.parent(file); node !== noNode; node = names.parent(node)) {
        const list = beneath.get(node);
        if (list === undefined) beneath.set(node, [file]);
        else list.push(file);
        size += 1;
      }
    }
    if (size > mostKept) {
      kept.clear();
      size = 0;
    }
    const made = { all, beneath };
    kept.set(sha, made);
    return made;
  }

  return {
    within(line, position, closures) {
      const { all, beneath } = sorted(line, position);
      const found = new Set<number>();
      const take = (file: number): void => void (all.has(file) && found.add(file));
      for (const { whole, files, built } of closures) {
        for (const node of whole) for (const file of beneath.get(node) ?? []) found.add(file);
        for (const node of files) take(node);
        for (const node of built) for (const name of kustomizationNames) take(names.child(node, name));
      }
      return [...found];
    },
  };
}
