import type { CommitIndex, Place } from '../index/commit-index.ts';
import type { Book } from '../index/book.ts';
import type { Line } from '../index/line.ts';
import { kustomizationNames, noNode, root } from '../index/name-tree.ts';
import type { Closure } from './closure.ts';

/** Everything at whose changes a closure may change: kustomization files of its directories, and those beneath its whole ones. */
function* decisive({ names }: CommitIndex, line: Line, closure: Closure): Iterable<readonly [Book, number]> {
  for (const node of closure.built) {
    for (const name of kustomizationNames) {
      const file = names.child(node, name);
      if (file !== noNode) yield [line.files, file];
    }
  }
  for (const node of closure.whole) if (node !== root) yield [line.kustomized, node];
}

/** The first position in (after, upTo] at which a closure may change; -1 where there is none. */
export function nextTurn(
  index: CommitIndex,
  line: Line,
  closure: Closure,
  range: { readonly after: number; readonly upTo: number },
): number {
  let first = -1;
  for (const [book, node] of decisive(index, line, closure)) {
    const found = book.next(node, range.after, first < 0 ? range.upTo : first - 1);
    if (found >= 0) first = found;
  }
  return first;
}

/** The last position up to and with a place at which a closure may have changed. */
export function lastTurn(index: CommitIndex, { line, position }: Place, closure: Closure): number {
  let last = 0;
  for (const [book, node] of decisive(index, line, closure)) last = Math.max(last, book.last(node, position));
  return last;
}

/** Adds the positions in (after, upTo] of commits that touch a closure to `into`, in no order, some twice. */
export function collectTouching(
  { names }: CommitIndex,
  line: Line,
  closure: Closure,
  range: { readonly after: number; readonly upTo: number; readonly into: number[] },
): void {
  const { after, upTo, into } = range;
  for (const node of closure.whole) line.directories.collect(node, after, upTo, into);
  for (const node of closure.files) line.files.collect(node, after, upTo, into);
  for (const node of closure.built) {
    for (const name of kustomizationNames) {
      const file = names.child(node, name);
      if (file !== noNode) line.files.collect(file, after, upTo, into);
    }
  }
}
