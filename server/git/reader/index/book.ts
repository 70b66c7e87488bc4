/** States of one file or directory: `state[i]` holds from position `at[i]` on. Positions rise. */
interface History {
  at: number[];
  state: number[];
}

/** Bytes of a history, and of each of its states. */
const weightOf = { history: 130, state: 24 } as const;
/** The engine makes room for 17 where a list of one grows: most have few. */
const fewStates = 16;

/** Histories of many nodes over the commits of a line, each known by its position. */
export interface Book {
  /** State as of a position; 0 where none was written. */
  state(node: number, position: number): number;
  /** The last position up to and with `position` at which the node changes; -1 where there is none. */
  last(node: number, position: number): number;
  /** The first position in (after, upTo] at which it does; -1 where there is none. */
  next(node: number, after: number, upTo: number): number;
  /** Adds all positions in (after, upTo] at which it does, rising, to `into`. */
  collect(node: number, after: number, upTo: number, into: number[]): void;
  /** Positions are written in rising order. */
  write(node: number, position: number, state: number): void;
  size(): number;
  /** Memory that it takes, in bytes and about. */
  weight(): number;
}

/** An empty book; up to `base.position` another one tells. */
export function createBook(base: { readonly book: Book; readonly position: number } | null): Book {
  const histories = new Map<number, History>();
  let [entries, states] = [0, 0];
  const positions = (node: number): readonly number[] => histories.get(node)?.at ?? [];

  return {
    state(node, position) {
      const history = histories.get(node);
      const count = history === undefined ? 0 : countUpTo(history.at, position);
      if (history !== undefined && count > 0) return history.state[count - 1] ?? 0;
      return base === null ? 0 : base.book.state(node, Math.min(position, base.position));
    },
    last(node, position) {
      const at = positions(node);
      const found = at[countUpTo(at, position) - 1];
      if (found !== undefined) return found;
      return base === null ? -1 : base.book.last(node, Math.min(position, base.position));
    },
    next(node, after, upTo) {
      if (base !== null && after < base.position) {
        const earlier = base.book.next(node, after, Math.min(upTo, base.position));
        if (earlier >= 0) return earlier;
      }
      const at = positions(node);
      const found = at[countUpTo(at, after)];
      return found === undefined || found > upTo ? -1 : found;
    },
    collect(node, after, upTo, into) {
      if (base !== null && after < base.position) {
        base.book.collect(node, after, Math.min(upTo, base.position), into);
      }
      const at = positions(node);
      const end = countUpTo(at, upTo);
      for (let index = countUpTo(at, after); index < end; index += 1) into.push(at[index] ?? 0);
    },
    write(node, position, state) {
      const history = histories.get(node);
      entries += 1;
      if (history === undefined) histories.set(node, { at: [position], state: [state] });
      else if (history.at.at(-1) === position) {
        history.state[history.state.length - 1] = state;
        return;
      } else if (history.at.length < fewStates) {
        history.at = history.at.concat(position);
        history.state = history.state.concat(state);
      } else {
        history.at.push(position);
        history.state.push(state);
      }
      states += 1;
    },
    size: () => entries,
    weight: () => histories.size * weightOf.history + states * weightOf.state,
  };
}

/** Number of entries of a rising list that are at most `value`. */
function countUpTo(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
