import { day } from '#lib/domain/time/length.ts';
import { beginningOf, blockOf, packNumbers } from './rollup-block.ts';

/** Interval at which what stood is written down (ms), from the beginning of each UTC day on: what happened since is read row by row. */
export const snapshotInterval = day / 4;

/** The last mark (ms) that is no later than a moment (ms). */
export function snapshotTimeOf(time: number): number {
  return Math.floor(time / snapshotInterval) * snapshotInterval;
}

/** A mark (ms) as its place in its block. */
export function snapshotIndex(mark: number): number {
  return Math.floor((mark - beginningOf(blockOf(mark))) / snapshotInterval);
}

/**
 * A span as it is kept here: numbers alone, and none that is ever changed but the message, which is not kept for ever. Ids are those
 * of the store; times in ms.
 */
export interface SnapshotSpan {
  readonly object: number;
  /** The row of the span. */
  readonly id: number;
  readonly noticedAt: number;
  /** Infinity while it lasted when this was written. */
  readonly until: number;
  /** Its onset. */
  readonly at: number;
  /** By its place in `verdicts`. */
  readonly verdict: number;
  readonly traits: number | null;
  /** 0 where it was not kept. */
  readonly message: number;
  readonly commit: number | null;
  readonly attempted: number | null;
  readonly rootCause: number | null;
}

/** Count of numbers of a span in the stored form, its mark among them. */
const width = 12;

/**
 * The spans of one cluster that stood at some mark of a block, from its first to the next block's first at the latest: each once,
 * with the place of the first such mark. One stands at a mark if it was noticed before.
 */
export function packSnapshot(spans: readonly SnapshotSpan[], block: number): Uint8Array {
  const begins = beginningOf(block);
  const marked = spans
    .map((span) => ({ span, mark: Math.max(0, Math.floor((span.noticedAt - begins) / snapshotInterval) + 1) }))
    .toSorted((a, b) => a.mark - b.mark || a.span.object - b.span.object);
  const numbers: number[] = [];
  let before: readonly number[] = Array.from({ length: width }, () => 0);
  for (const { span, mark } of marked) {
    const { object, id, noticedAt, until, at, verdict, traits, message, commit, attempted, rootCause } = span;
    const now = [
      mark,
      object,
      id,
      begins - noticedAt,
      noticedAt - at,
      until === Infinity ? 0 : until - begins + 1,
      verdict,
      (traits ?? -1) + 1,
      message,
      (commit ?? -1) + 1,
      (attempted ?? -1) + 1,
      (rootCause ?? -1) + 1,
    ];
    const last = before;
    // Most of what follows each other is alike: the difference is a byte where the number would be four.
    numbers.push(...now.map((number, column) => folded(number - (last[column] ?? 0))));
    before = now;
  }
  return packNumbers(numbers);
}

/** 0, -1, 1, -2, 2 ... as 0, 1, 2, 3, 4 ... */
function folded(number: number): number {
  return number < 0 ? -2 * number - 1 : 2 * number;
}

/** Undoes `folded` of a number. */
function unfolded(stored: number): number {
  // Nearly all: the machine's own whole numbers are ten times as fast.
  if (stored < 2 ** 31) return (stored >>> 1) ^ -(stored & 1);
  return stored % 2 === 0 ? stored / 2 : -(stored + 1) / 2;
}

/** Spans column by column, as many as come. */
export interface SnapshotSpans {
  /**
   * Adds the spans of a packed block that stand at its mark at `place` unless they ended since. With `at` (ms, before the next mark)
   * also those that stand at the next mark and were noticed by then.
   */
  add(bytes: Uint8Array, block: number, position: number, at?: number): void;
  put(span: SnapshotSpan): void;
  remove(object: number): void;
  /** Of an object the span that was added last; null for none. What is given is good until the next call. */
  of(object: number): SnapshotSpan | null;
  /** Tells the span of each object that has one; what is told is good until the next one is. */
  each(visit: (span: SnapshotSpan) => void): void;
}

/** Gathers spans: memory for numbers alone, for there may be a million. */
export function snapshotSpans(): SnapshotSpans {
  const table = spanTable();
  const spanAt = spanView();

  return {
    add(bytes, block, position, at = -Infinity) {
      const begins = beginningOf(block);
      eachPacked(bytes, (now) => {
        // They are in the order of marks.
        const mark = now[0] ?? 0;
        if (mark > position + 1) return false;
        if (mark > position && begins - (now[3] ?? 0) > at) return true;
        const from = table.positionOf(now[1] ?? 0);
        const columns = table.columns();
        const until = now[5] ?? 0;
        // A call that copies so few costs more than they do.
        for (let each = 0; each < width; each++) columns[from + each] = now[each] ?? 0;
        columns[from + 3] = begins - (now[3] ?? 0);
        columns[from + 4] = begins - (now[3] ?? 0) - (now[4] ?? 0);
        columns[from + 5] = until === 0 ? Infinity : until - 1 + begins;
        return true;
      });
    },
    put({ object, id, noticedAt, until, at, verdict, traits, message, commit, attempted, rootCause }) {
      const from = table.positionOf(object);
      const ids = [(traits ?? -1) + 1, message, (commit ?? -1) + 1, (attempted ?? -1) + 1, (rootCause ?? -1) + 1];
      table.columns().set([0, object, id, noticedAt, at, until, verdict, ...ids], from);
    },
    remove: table.remove,
    of(object) {
      const from = table.find(object);
      return from === null ? null : spanAt(table.columns(), from);
    },
    each(visit) {
      const columns = table.columns();
      for (let from = 0; from < table.size(); from += width)
        if (table.find(columns[from + 1] ?? 0) === from) visit(spanAt(columns, from));
    },
  };
}

/** Visits the spans of a packed block, each as its numbers; ends when the visitor says no. */
function eachPacked(bytes: Uint8Array, visit: (now: Float64Array) => boolean): void {
  const now = new Float64Array(width);
  let column = 0;
  let stored = 0;
  let scale = 1;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte > 127) {
      stored += (byte - 128) * scale;
      scale *= 128;
      continue;
    }
    // Most are the same as before, or nearly so.
    if (scale > 1) {
      now[column] = (now[column] ?? 0) + unfolded(stored + byte * scale);
      stored = 0;
      scale = 1;
    } else if (byte > 0) {
      now[column] = (now[column] ?? 0) + ((byte >>> 1) ^ -(byte & 1));
    }
    column += 1;
    if (column < width) continue;
    column = 0;
    if (!visit(now)) return;
  }
}

/** Rows of `width` numbers by objects. */
interface SpanTable {
  /** All rows, one behind the other; good until the next call of `placeOf`. */
  columns(): Float64Array;
  /** Count of numbers in them. */
  size(): number;
  /** Where the row of an object begins, made where there is none. */
  positionOf(object: number): number;
  /** Where it begins; null where there is none. */
  find(object: number): number | null;
  remove(object: number): void;
}

function spanTable(): SpanTable {
  /** One more than the place of an object's row; 0 for none. */
  let positions = new Int32Array(4_096);
  let columns = new Float64Array(width * 1_024);
  let count = 0;
  return {
    columns: () => columns,
    size: () => count * width,
    positionOf(object) {
      if (object >= positions.length) {
        const larger = new Int32Array(object * 2);
        larger.set(positions);
        positions = larger;
      }
      const known = positions[object] ?? 0;
      if (known > 0) return (known - 1) * width;
      positions[object] = ++count;
      if (count * width > columns.length) {
        const larger = new Float64Array(columns.length * 2);
        larger.set(columns);
        columns = larger;
      }
      return (count - 1) * width;
    },
    find(object) {
      const position = positions[object] ?? 0;
      return position === 0 ? null : (position - 1) * width;
    },
    remove(object) {
      if (object < positions.length) positions[object] = 0;
    },
  };
}

/** Reads rows as spans: one value for all, good until the next call. */
function spanView(): (columns: Float64Array, from: number) => SnapshotSpan {
  const found: { -readonly [K in keyof SnapshotSpan]: SnapshotSpan[K] } = {
    object: 0,
    id: 0,
    noticedAt: 0,
    until: Infinity,
    at: 0,
    verdict: 0,
    traits: null,
    message: 0,
    commit: null,
    attempted: null,
    rootCause: null,
  };
  return (columns, from) => {
    const idAt = (column: number): number | null => {
      const stored = columns[from + column] ?? 0;
      return stored === 0 ? null : stored - 1;
    };
    found.object = columns[from + 1] ?? 0;
    found.id = columns[from + 2] ?? 0;
    found.noticedAt = columns[from + 3] ?? 0;
    found.at = columns[from + 4] ?? 0;
    found.until = columns[from + 5] ?? Infinity;
    found.verdict = columns[from + 6] ?? 0;
    found.traits = idAt(7);
    found.message = columns[from + 8] ?? 0;
    found.commit = idAt(9);
    found.attempted = idAt(10);
    found.rootCause = idAt(11);
    return found;
  };
}
