import { setImmediate } from 'node:timers/promises';
import { createBook, type Book } from './book.ts';
import { noNode, type NameTree } from './name-tree.ts';

/** State of a file: not there, a file, a symbolic link, a submodule; from `firstBlob` on a kustomization or .sourceignore file, by the number of its blob. */
export const fileState = { absent: 0, file: 1, link: 2, submodule: 3, firstBlob: 4 } as const;

/** Changes of one commit: pairs of node and new state, [node, state, node, state, ...]. */
export type Changes = readonly number[];

/**
 * Commits along first parents, each known by its position. A line that leaves another one begins behind `base`; up to there positions are
 * those of the other.
 */
export interface Line {
  /** Its number in the index. */
  readonly id: number;
  readonly base: { readonly line: Line; readonly position: number } | null;
  /** States of files. */
  readonly files: Book;
  /** Number of files in each directory and beneath it. It changes whenever one of them does. */
  readonly directories: Book;
  /** Changes of kustomization files in each directory and beneath it. */
  readonly kustomized: Book;
  /** Position of the newest commit. */
  last(): number;
  sha(position: number): string;
  /** Nodes of the files that the commit at a position changes. */
  changed(position: number): readonly number[];
  /** Adds a commit behind the newest, which it is once all of it is written. One at a time: others have their turn meanwhile. */
  append(sha: string, changes: Changes): Promise<void>;
  size(): number;
  /** Memory that it takes, in bytes and about. */
  weight(): number;
}

/** Pairs that are written before others get their turn; an even number. */
const slice = 40_000;

/** A line without commits. */
export function createLine(names: NameTree, base: Line['base'], id: number): Line {
  const behind = (book: Book | undefined): Book =>
    createBook(book === undefined || base === null ? null : { book, position: base.position });
  const files = behind(base?.line.files);
  const directories = behind(base?.line.directories);
  const kustomized = behind(base?.line.kustomized);
  const shas: string[] = [];
  const changed: number[][] = [];
  let changes = 0;
  const begin = base === null ? 0 : base.position + 1;

  function set(node: number, state: number, position: number): void {
    const before = files.state(node, position);
    const more = Number(state !== fileState.absent) - Number(before !== fileState.absent);
    files.write(node, position, state);
    const kustomizes = names.kustomizes(node) !== noNode;
    for (let at = names.parent(node); at !== noNode; at = names.parent(at)) {
      directories.write(at, position, directories.state(at, position) + more);
      if (kustomizes) kustomized.write(at, position, 1);
    }
  }

  return {
    id,
    base,
    files,
    directories,
    kustomized,
    last: () => begin + shas.length - 1,
    sha: (position) => (position < begin ? (base?.line.sha(position) ?? '') : (shas[position - begin] ?? '')),
    changed: (position) =>
      position < begin ? (base?.line.changed(position) ?? []) : (changed[position - begin] ?? []),
    async append(sha, pairs) {
      const position = begin + shas.length;
      const nodes: number[] = [];
      for (let index = 0; index < pairs.length; index += 2) {
        const node = pairs[index] ?? noNode;
        set(node, pairs[index + 1] ?? 0, position);
        nodes.push(node);
        if (index % slice === slice - 2) await setImmediate();
      }
      shas.push(sha);
      changed.push(nodes);
      changes += nodes.length;
    },
    size: () => files.size() + directories.size() + kustomized.size(),
    weight: () =>
      [files, directories, kustomized].reduce((sum, book) => sum + book.weight(), 0) + shas.length * 250 + changes * 8,
  };
}
