import { hash } from 'node:crypto';
import type { WireRow } from '#lib/api/fleet.ts';
import type { StreamFrame } from '#lib/api/stream.ts';
import type { BoardState } from '../fleet/matrix-board.ts';

/** Digests of rows, for as long as somebody else holds them. */
const digests = new WeakMap<object, string>();

function digestOf(part: object): string {
  const found = digests.get(part);
  if (found !== undefined) return found;
  const made = hash('sha256', JSON.stringify(part), 'base64url');
  digests.set(part, made);
  return made;
}

/**
 * Remembers how a matrix was told, and gives what is to be told of it next. Of its rows and columns it keeps digests alone: five hundred views may be followed,
 * and each had held the rows of its own while boards gave way to one another.
 */
export function toldMatrix(first: BoardState): { stamp(): number; next(board: BoardState): readonly StreamFrame[] } {
  let { stamp } = first;
  let columns = digestOf(first.columns);
  let rows = rowsOf(first);

  return {
    /** The stamp of what was told last. */
    stamp: () => stamp,
    next(board) {
      const [before, columnsBefore] = [rows, columns];
      ({ stamp } = board);
      columns = digestOf(board.columns);
      rows = rowsOf(board);
      const newColumns = columns === columnsBefore ? null : [...board.columns];
      const changed = board.rows.filter(({ cluster }) => before.get(cluster) !== rows.get(cluster));
      const order = sameOrder(before, board.rows) ? null : board.rows.map(({ cluster }) => cluster);
      if (changed.length === 0 && order === null && newColumns === null) return [];
      return [{ type: 'rows', rows: newColumns ? [...board.rows] : changed, order, columns: newColumns }];
    },
  };
}

/** Digests by cluster, in the order of the rows. */
function rowsOf({ rows }: BoardState): ReadonlyMap<string, string> {
  return new Map(rows.map((row) => [row.cluster, digestOf(row)]));
}

function sameOrder(before: ReadonlyMap<string, string>, after: readonly WireRow[]): boolean {
  return before.size === after.length && [...before.keys()].every((cluster, at) => cluster === after[at]?.cluster);
}
