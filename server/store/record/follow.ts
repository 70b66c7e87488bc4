import { decodeCursor, encodeCursor, type CursorState, type Position } from '../port/cursor.ts';
import type { Change, Cursor, FollowAnswer } from '../port/port.ts';

/** Position up to which a source of facts was written. */
export interface LatestPosition {
  readonly source: number;
  /** Of its last row or record. */
  readonly seq: number;
  readonly confirmation: number;
  /** Tombstones up to this seq are kept no longer; 0 where all are. */
  readonly swept: number;
}

/** The record of a source itself, a cluster or an alarm source, as followers are told of it; null where it does not read as one. */
export interface SourceRecord {
  readonly change: Change | null;
  readonly seq: number;
  readonly isRemoved: boolean;
}

/** A change with its seq. */
export interface SequencedChange {
  readonly seq: number;
  readonly change: Change;
}

/** Some rows of a source; `more`: there are others behind them. */
export interface RowPage {
  readonly rows: readonly SequencedChange[];
  readonly more: boolean;
}

/** Rows that following reads of an engine; all of one answer at one moment. */
export interface FollowRows {
  /** By the id of the source. One that nothing was written of has 0, and is not asked for. */
  latest(): readonly LatestPosition[];
  record(source: number): SourceRecord;
  /** Objects or facts with a seq above `after`, by their seq, at least one where there is any; no tombstones up to `floor`. */
  rows(source: number, after: number, floor: number, limit: number): RowPage;
  /** Confirmations with a number above `after`, by their numbers. */
  confirmations(source: number, after: number, limit: number): readonly SequencedChange[];
}

const start: Position = { seq: 0, confirmation: 0, floor: 0 };

/** One step through one source: where the follower is then. */
interface Step {
  readonly position: Position;
  readonly done: boolean;
}

/** The changes of one answer while they are gathered. */
interface Walk {
  readonly rows: FollowRows;
  readonly changes: Change[];
}

/** Follows the store of an id: `follow` of the port over its rows. */
export function createFollow(store: string): (rows: FollowRows, cursor: Cursor | null, limit: number) => FollowAnswer {
  let last: { readonly cursor: Cursor; readonly state: CursorState } | null = null;
  const beginning: CursorState = { store, after: 0, positions: new Map() };

  /** null for a cursor of another store. */
  function stateOf(cursor: Cursor | null): CursorState | null {
    if (cursor === null) return beginning;
    const state = last?.cursor === cursor ? last.state : decodeCursor(cursor);
    return state?.store === store ? state : null;
  }

  return (rows, cursor, limit) => {
    const latest = rows.latest();
    const known = stateOf(cursor);
    // A store that the follower is ahead of is an older copy of the one that it knew.
    const reset = known === null || isAhead(known, latest) || isLeftBehind(known, latest);
    const state = reset ? beginning : known;
    const { changes, more, state: next } = walk(rows, latest, state, limit);
    const newCursor = cursor !== null && next === state && !reset ? cursor : encodeCursor(next);
    last = { cursor: newCursor, state: next };
    return { changes, cursor: newCursor, more, ...(reset ? { reset: true } : {}) };
  };
}

function positionOf({ positions }: CursorState, { source }: LatestPosition): Position {
  return positions.get(source) ?? start;
}

function isAhead(state: CursorState, latest: readonly LatestPosition[]): boolean {
  return latest.some((written) => {
    const { seq, confirmation } = positionOf(state, written);
    return seq > written.seq || confirmation > written.confirmation;
  });
}

/** True if tombstones that a follower needs are kept no longer: it would keep for ever what they are of. */
function isLeftBehind({ positions }: CursorState, latest: readonly LatestPosition[]): boolean {
  return latest.some(({ source, swept }) => {
    const position = positions.get(source);
    return position !== undefined && position.seq > 0 && Math.max(position.seq, position.floor) < swept;
  });
}

/** One answer: what is newer than a state, source by source. */
function walk(
  rows: FollowRows,
  latest: readonly LatestPosition[],
  state: CursorState,
  limit: number,
): { readonly changes: Change[]; readonly state: CursorState; readonly more: boolean } {
  const behind = latest.filter((written) => {
    const { seq, confirmation } = positionOf(state, written);
    return seq < written.seq || confirmation < written.confirmation;
  });
  if (behind.length === 0) return { changes: [], state, more: false };
  const start = Math.max(
    0,
    behind.findIndex(({ source }) => source > state.after),
  );
  const positions = new Map(state.positions);
  const changes: Change[] = [];
  let { after } = state;
  let complete = 0;
  for (const written of [...behind.slice(start), ...behind.slice(0, start)]) {
    if (changes.length >= limit) break;
    const isFirst = changes.length === 0;
    const step = stepSource({ rows, changes }, written, positionOf(state, written), limit - changes.length);
    positions.set(written.source, step.position);
    // One that was cut short by the others before it is next; one that took all of it waits for the others.
    if (step.done || isFirst) after = written.source;
    if (step.done) complete++;
  }
  return { changes, state: { store: state.store, after, positions }, more: complete < behind.length };
}

/** Confirmations come only once the rows are complete: each then confirms a record that the follower has. */
function stepSource(walk: Walk, written: LatestPosition, from: Position, limit: number): Step {
  const before = walk.changes.length;
  const rows = from.seq < written.seq ? stepRows(walk, written, from, limit) : { position: from, done: true };
  const { position } = rows;
  if (!rows.done || position.confirmation >= written.confirmation) return rows;
  const left = limit - (walk.changes.length - before);
  return left <= 0 ? { position, done: false } : stepConfirmations(walk, written, position, left);
}

/** Rows and the source's own record in the order of their seq. */
function stepRows({ rows, changes }: Walk, written: LatestPosition, from: Position, limit: number): Step {
  const record = rows.record(written.source);
  const begins = from.seq === 0;
  const floor = begins ? written.seq : from.floor;
  let pending = begins ? !record.isRemoved : record.seq > from.seq;
  function emitRecord(): void {
    pending = false;
    if (record.change !== null) changes.push(record.change);
  }
  // The record comes first for who does not know the source yet, whenever it was written.
  if (begins && pending) emitRecord();
  const found = rows.rows(written.source, from.seq, floor, limit);
  for (const { seq, change } of found.rows) {
    if (pending && seq > record.seq) emitRecord();
    changes.push(change);
  }
  if (found.more) return { position: { ...from, seq: found.rows.at(-1)?.seq ?? from.seq, floor }, done: false };
  if (pending) emitRecord();
  return { position: { ...from, seq: written.seq, floor: 0 }, done: true };
}

function stepConfirmations({ rows, changes }: Walk, written: LatestPosition, from: Position, limit: number): Step {
  const found = rows.confirmations(written.source, from.confirmation, limit);
  for (const { change } of found) changes.push(change);
  const done = found.length < limit;
  const confirmation = done ? written.confirmation : (found.at(-1)?.seq ?? written.confirmation);
  return { position: { ...from, confirmation }, done };
}
