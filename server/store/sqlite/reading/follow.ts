import type { DatabaseSync } from 'node:sqlite';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { decodeCursor, encodeCursor, type Position, type CursorState } from '../../port/cursor.ts';
import { decodeCluster } from '../../codec/decode.ts';
import type { Change, Cursor, FollowAnswer } from '../../port/port.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull, type Row } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { objectColumns, openObjectReader } from '../rows/object-row.ts';
import { openKindReader } from '../rows/kind-reader.ts';
import { openTextReader } from '../rows/text-reader.ts';

const start: Position = { seq: 0, confirmation: 0, floor: 0 };

interface ClusterSequence {
  readonly cluster: number;
  readonly seq: number;
  readonly confirmation: number;
}

interface ClusterRow {
  readonly name: string;
  readonly recordSeq: number;
  readonly record: string | null;
}

/** One step through one cluster: what was added to the answer and where the follower stands then. */
interface Step {
  readonly position: Position;
  readonly done: boolean;
}

/** Prepares following over a database that is open for reading; `store` is its id. Every call reads one snapshot. */
export function openFollow(
  database: DatabaseSync,
  store: string,
): (cursor: Cursor | null, limit: number) => FollowAnswer {
  const nameOf = openTextReader(database, 'name');
  const kindOf = openKindReader(nameOf);
  const objects = openObjectReader(openTextReader(database, 'text'));
  const readSequences = prepare(database, 'SELECT cluster, seq, confirmation_seq FROM head ORDER BY cluster');
  const readCluster = prepare(database, 'SELECT name, record_seq, record FROM cluster WHERE id = ?');
  const columns = `kind, namespace, name, seq, ${objectColumns.join(', ')}`;
  const readObjects = prepare(
    database,
    `SELECT ${columns} FROM object WHERE cluster = ? AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const readLiving = prepare(
    database,
    `SELECT ${columns} FROM object WHERE cluster = ? AND seq > ? AND (traits IS NOT NULL OR seq > ?) ORDER BY seq LIMIT ?`,
  );
  const readConfirmations = prepare(
    database,
    `SELECT o.kind, o.namespace, o.name, c.seq, c.confirmed_at, c.observed_at, c.valid_until
     FROM confirmation c JOIN object o ON o.id = c.object WHERE c.cluster = ? AND c.seq > ? ORDER BY c.seq LIMIT ?`,
  );
  const readVersion = prepare(database, 'PRAGMA data_version');
  const readStore = prepare(database, 'SELECT id FROM store');
  let last: { readonly cursor: Cursor; readonly cursorState: CursorState } | null = null;
  let quiet: { readonly cursor: Cursor; readonly version: number } | null = null;

  function refOf(cluster: string, row: Row): ObjectRef {
    return { cluster, ...kindOf(whole(row[0])), namespace: nameOf(whole(row[1])), name: text(row[2]) };
  }

  function clusterOf(id: number): ClusterRow {
    const row = firstRow(readCluster, id);
    if (row === null) throw new Error(`the store has no cluster ${id}`);
    return { name: text(row[0]), recordSeq: whole(row[1]), record: textOrNull(row[2]) };
  }

  function clusterChange(cluster: ClusterRow): Change | null {
    if (cluster.record === null) return { type: 'cluster-removed', cluster: cluster.name };
    const record = decodeCluster(cluster.record);
    return record === null ? null : { type: 'cluster', cluster: record };
  }

  /** Objects and the cluster's own record in the order of their seq. */
  function stepObjects(sequence: ClusterSequence, from: Position, limit: number, changes: Change[]): Step {
    const cluster = clusterOf(sequence.cluster);
    const begins = from.seq === 0;
    const floor = begins ? sequence.seq : from.floor;
    // Its record comes first for who does not know the cluster yet, whenever it was written.
    let pending = begins ? cluster.record !== null : cluster.recordSeq > from.seq;
    const tell = (): void => {
      pending = false;
      const change = clusterChange(cluster);
      if (change !== null) changes.push(change);
    };
    if (begins && pending) tell();
    const rows =
      floor > 0
        ? allRows(readLiving, sequence.cluster, from.seq, floor, limit)
        : allRows(readObjects, sequence.cluster, from.seq, limit);
    const full = rows.length === limit;
    let seq = from.seq;
    for (const row of rows) {
      seq = whole(row[3]);
      if (pending && seq > cluster.recordSeq) tell();
      const ref = refOf(cluster.name, row);
      changes.push(
        row[5] === null ? { type: 'removed', ref } : { type: 'object', object: objects.objectOf(ref, row, 4) },
      );
    }
    if (full) return { position: { ...from, seq, floor }, done: false };
    if (pending) tell();
    return { position: { ...from, seq: sequence.seq, floor: 0 }, done: true };
  }

  function stepConfirmations(sequence: ClusterSequence, from: Position, limit: number, changes: Change[]): Step {
    const rows = allRows(readConfirmations, sequence.cluster, from.confirmation, limit);
    if (rows.length === 0) return { position: { ...from, confirmation: sequence.confirmation }, done: true };
    const { name } = clusterOf(sequence.cluster);
    let confirmation = from.confirmation;
    for (const row of rows) {
      confirmation = whole(row[3]);
      changes.push({
        type: 'confirmed',
        ref: refOf(name, row),
        confirmedAt: wholeOrNull(row[4]),
        observedAt: whole(row[5]),
        validUntil: wholeOrNull(row[6]),
      });
    }
    const done = rows.length < limit;
    return { position: { ...from, confirmation: done ? sequence.confirmation : confirmation }, done };
  }

  /** Confirmations come only once the objects are complete: each then confirms a record that the follower has. */
  function stepCluster(sequence: ClusterSequence, from: Position, limit: number, changes: Change[]): Step {
    const before = changes.length;
    let position = from;
    if (position.seq < sequence.seq) {
      const step = stepObjects(sequence, position, limit, changes);
      if (!step.done) return step;
      position = step.position;
    }
    if (position.confirmation >= sequence.confirmation) return { position, done: true };
    const left = limit - (changes.length - before);
    if (left <= 0) return { position, done: false };
    return stepConfirmations(sequence, position, left, changes);
  }

  function cursorStateOf(cursor: Cursor | null): { readonly cursorState: CursorState; readonly reset: boolean } {
    const known =
      cursor !== null && last?.cursor === cursor ? last.cursorState : cursor === null ? null : decodeCursor(cursor);
    if (known === null || known.store !== store)
      return { cursorState: { store, after: 0, positions: new Map() }, reset: cursor !== null };
    return { cursorState: known, reset: false };
  }

  function walk(
    cursorState: CursorState,
    limit: number,
  ): { readonly changes: Change[]; readonly cursorState: CursorState; readonly more: boolean } | 'ahead' {
    const heads = allRows(readSequences).map((row): ClusterSequence => ({
      cluster: whole(row[0]),
      seq: whole(row[1]),
      confirmation: whole(row[2]),
    }));
    const behind: ClusterSequence[] = [];
    for (const sequence of heads) {
      const at = cursorState.positions.get(sequence.cluster) ?? start;
      if (at.seq > sequence.seq || at.confirmation > sequence.confirmation) return 'ahead';
      if (at.seq < sequence.seq || at.confirmation < sequence.confirmation) behind.push(sequence);
    }
    const turn = behind.findIndex((sequence) => sequence.cluster > cursorState.after);
    const order = turn <= 0 ? behind : [...behind.slice(turn), ...behind.slice(0, turn)];
    const changes: Change[] = [];
    const positions = new Map(cursorState.positions);
    let { after } = cursorState;
    let complete = 0;
    for (const sequence of order) {
      if (changes.length >= limit) break;
      const first = changes.length === 0;
      const step = stepCluster(sequence, positions.get(sequence.cluster) ?? start, limit - changes.length, changes);
      positions.set(sequence.cluster, step.position);
      // One that was cut short by the others before it is next; one that took all of it waits for its turn.
      if (step.done || first) after = sequence.cluster;
      if (step.done) complete++;
    }
    const more = complete < behind.length;
    return { changes, cursorState: behind.length === 0 ? cursorState : { store, after, positions }, more };
  }

  function snapshot(cursor: Cursor | null, limit: number): FollowAnswer {
    // Names and texts that are remembered here may be what was purged, and tables may mean something else.
    if (firstRow(readStore)?.[0] !== store)
      throw new Error('Something was purged from the store, or its version is another: it is read anew.');
    const { cursorState, reset } = cursorStateOf(cursor);
    let walked = walk(cursorState, limit);
    let again = reset;
    if (walked === 'ahead') {
      // The store is an older copy of the one that the follower knew.
      again = true;
      walked = walk({ store, after: 0, positions: new Map() }, limit);
      if (walked === 'ahead') throw new Error('a follower at the beginning can not be ahead');
    }
    const same = cursor !== null && walked.cursorState === cursorState && !again;
    const next = same ? cursor : encodeCursor(walked.cursorState);
    last = { cursor: next, cursorState: walked.cursorState };
    return { changes: walked.changes, cursor: next, more: walked.more, ...(again ? { reset: true } : {}) };
  }

  return (cursor, limit) => {
    // Asked before the snapshot: what is committed in between is then seen the next time.
    const version = whole(firstRow(readVersion)?.[0]);
    if (cursor !== null && quiet?.cursor === cursor && quiet.version === version)
      return { changes: [], cursor, more: false };
    database.exec('BEGIN');
    try {
      const answer = snapshot(cursor, Math.max(1, limit));
      quiet = answer.more ? null : { cursor: answer.cursor, version };
      return answer;
    } finally {
      database.exec('COMMIT');
    }
  };
}
