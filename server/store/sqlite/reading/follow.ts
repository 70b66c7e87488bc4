import type { DatabaseSync } from 'node:sqlite';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { decodeCluster } from '../../codec/decode.ts';
import type { Change, Cursor, FollowAnswer } from '../../port/port.ts';
import { createFollow, type FollowRows, type SequencedChange } from '../../record/follow.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull, type Row } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { objectColumns, openObjectReader } from '../rows/object-row.ts';
import { openKindReader } from '../rows/kind-reader.ts';
import { openTextReader } from '../rows/text-reader.ts';

/** Prepares following over a database that is open for reading; `store` is its id. Every call reads one snapshot. */
export function openFollow(
  database: DatabaseSync,
  store: string,
): (cursor: Cursor | null, limit: number) => FollowAnswer {
  const follow = createFollow(store);
  const rows = openFollowRows(database);
  const readVersion = prepare(database, 'PRAGMA data_version');
  const readStore = prepare(database, 'SELECT id FROM store');
  let quiet: { readonly cursor: Cursor; readonly version: number } | null = null;

  return (cursor, limit) => {
    // Asked before the snapshot: what is committed in between is then seen the next time.
    const version = whole(firstRow(readVersion)?.[0]);
    if (cursor !== null && quiet?.cursor === cursor && quiet.version === version)
      return { changes: [], cursor, more: false };
    database.exec('BEGIN');
    try {
      // Names and texts that are remembered here may be what was purged, and tables may mean something else.
      if (firstRow(readStore)?.[0] !== store)
        throw new Error('Something was purged from the store, or its version is another: it is read anew.');
      const answer = follow(rows, cursor, Math.max(1, limit));
      quiet = answer.more ? null : { cursor: answer.cursor, version };
      return answer;
    } finally {
      database.exec('COMMIT');
    }
  };
}

function openFollowRows(database: DatabaseSync): FollowRows {
  const nameOf = openTextReader(database, 'name');
  const kindOf = openKindReader(nameOf);
  const objects = openObjectReader(openTextReader(database, 'text'));
  const readLatest = prepare(database, 'SELECT id, seq, confirmation_seq FROM fact_source ORDER BY id');
  const readCluster = prepare(
    database,
    'SELECT s.name, c.record_seq, c.record FROM cluster c JOIN fact_source s ON s.id = c.id WHERE c.id = ?',
  );
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

  function clusterOf(id: number): Row {
    const row = firstRow(readCluster, id);
    if (row === null) throw new Error(`the store has no cluster ${id}`);
    return row;
  }

  function refOf(cluster: string, row: Row): ObjectRef {
    return { cluster, ...kindOf(whole(row[0])), namespace: nameOf(whole(row[1])), name: text(row[2]) };
  }

  function objectChange(cluster: string, row: Row): Change {
    const ref = refOf(cluster, row);
    return row[5] === null ? { type: 'removed', ref } : { type: 'object', object: objects.objectOf(ref, row, 4) };
  }

  return {
    latest: () =>
      allRows(readLatest).map(([source, seq, confirmation]) => ({
        source: whole(source),
        seq: whole(seq),
        confirmation: whole(confirmation),
      })),
    record(cluster) {
      const [name, seq, stored] = clusterOf(cluster);
      return { change: recordChange(text(name), textOrNull(stored)), seq: whole(seq), isRemoved: stored === null };
    },
    objects(cluster, after, floor, limit) {
      const name = text(clusterOf(cluster)[0]);
      const rows =
        floor > 0 ? allRows(readLiving, cluster, after, floor, limit) : allRows(readObjects, cluster, after, limit);
      return rows.map((row) => ({ seq: whole(row[3]), change: objectChange(name, row) }));
    },
    confirmations(cluster, after, limit) {
      const name = text(clusterOf(cluster)[0]);
      return allRows(readConfirmations, cluster, after, limit).map((row): SequencedChange => {
        const [confirmedAt, observedAt, validUntil] = [wholeOrNull(row[4]), whole(row[5]), wholeOrNull(row[6])];
        return {
          seq: whole(row[3]),
          change: { type: 'confirmed', ref: refOf(name, row), confirmedAt, observedAt, validUntil },
        };
      });
    },
  };
}

function recordChange(name: string, stored: string | null): Change | null {
  if (stored === null) return { type: 'cluster-removed', cluster: name };
  const cluster = decodeCluster(stored);
  return cluster === null ? null : { type: 'cluster', cluster };
}
