import type { BoardState, MatrixBoard } from './matrix-board.ts';

/** Bounds of the boards of a process. */
interface ShelfBounds {
  readonly boards: number;
  /** Cells of all boards together. */
  readonly cells: number;
}

/** Some 300 bytes a cell: of a thousand clusters with sixty columns a dozen views are kept. */
const usual: ShelfBounds = { boards: 64, cells: 800_000 };

/** The boards of a moment: who reads one has it kept. */
export type BoardPart = (view: string, make: () => MatrixBoard, now: number) => BoardState;

/** Room for the boards of all moments of a process. */
export interface BoardShelf {
  /** A moment's own part of it. */
  part(): BoardPart;
}

interface Kept {
  readonly board: MatrixBoard;
  cells: number;
}

/** Makes it: what was read last stays, as far as there is room. Views are the words of who asks, and each had held its rows by itself. */
export function boardShelf(most: ShelfBounds = usual): BoardShelf {
  /** The one read last stands last. */
  const kept = new Map<string, Kept>();
  let [parts, cells] = [0, 0];

  function makeRoom(): void {
    for (const [key, { cells: own }] of kept) {
      if (kept.size <= 1 || (kept.size <= most.boards && cells <= most.cells)) return;
      kept.delete(key);
      cells -= own;
    }
  }

  return {
    part() {
      const own = parts++;
      return (view, make, now) => {
        const key = `${own} ${view}`;
        const found = kept.get(key) ?? { board: make(), cells: 0 };
        kept.delete(key);
        kept.set(key, found);
        const state = found.board.read(now);
        cells += state.cells - found.cells;
        found.cells = state.cells;
        makeRoom();
        return state;
      };
    },
  };
}
