import type { DatabaseSync } from 'node:sqlite';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { decodeCluster } from '../../codec/decode.ts';
import type { Change, Cursor, FollowAnswer } from '../../port/port.ts';
import {
  createFollow,
  type FollowRows,
  type RowPage,
  type SequencedChange,
  type SourceRecord,
} from '../../record/follow.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull, type Row } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { objectColumns, openObjectReader } from '../rows/object-row.ts';
import { openKindReader } from '../rows/kind-reader.ts';
import { openTextReader } from '../rows/text-reader.ts';
import { openAlarmRows } from './alarms/alarm-rows.ts';

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

/** Rows of sources of every type that have any here. */
function openFollowRows(database: DatabaseSync): FollowRows {
  const clusters = openClusterRows(database);
  const alarms = openAlarmRows(database);
  const readLatest = prepare(
    database,
    `SELECT s.id, s.seq, s.confirmation_seq, COALESCE(a.swept_seq, 0)
     FROM fact_source s LEFT JOIN alarm_source a ON a.fact_source = s.id ORDER BY s.id`,
  );
  const readSource = prepare(database, 'SELECT name, type FROM fact_source WHERE id = ?');

  function sourceOf(id: number): { readonly name: string; readonly of: typeof clusters | typeof alarms } {
    const row = firstRow(readSource, id);
    if (row === null) throw new Error(`the store has no source ${id}`);
    return { name: text(row[0]), of: row[1] === 'alarm-source' ? alarms : clusters };
  }

  return {
    latest: () =>
      allRows(readLatest).map(([source, seq, confirmation, swept]) => ({
        source: whole(source),
        seq: whole(seq),
        confirmation: whole(confirmation),
        swept: whole(swept),
      })),
    record(id) {
      const { name, of } = sourceOf(id);
      return of.record(id, name);
    },
    rows(id, after, floor, limit) {
      const { name, of } = sourceOf(id);
      return of.rows(id, name, after, floor, limit);
    },
    confirmations: (id, after, limit) => clusters.confirmations(id, sourceOf(id).name, after, limit),
  };
}

function openClusterRows(database: DatabaseSync) {
  const nameOf = openTextReader(database, 'name');
  const kindOf = openKindReader(nameOf);
  const objects = openObjectReader(openTextReader(database, 'text'));
  const readCluster = prepare(database, 'SELECT record_seq, record FROM cluster WHERE id = ?');
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

  function refOf(cluster: string, row: Row): ObjectRef {
    return { cluster, ...kindOf(whole(row[0])), namespace: nameOf(whole(row[1])), name: text(row[2]) };
  }

  function objectChange(cluster: string, row: Row): Change {
    const ref = refOf(cluster, row);
    return row[5] === null ? { type: 'removed', ref } : { type: 'object', object: objects.objectOf(ref, row, 4) };
  }

  return {
    record(cluster: number, name: string): SourceRecord {
      const row = firstRow(readCluster, cluster);
      if (row === null) throw new Error(`the store has no cluster ${cluster}`);
      const stored = textOrNull(row[1]);
      return { change: recordChange(name, stored), seq: whole(row[0]), isRemoved: stored === null };
    },
    rows(cluster: number, name: string, after: number, floor: number, limit: number): RowPage {
      const found =
        floor > 0 ? allRows(readLiving, cluster, after, floor, limit) : allRows(readObjects, cluster, after, limit);
      const rows = found.map((row) => ({ seq: whole(row[3]), change: objectChange(name, row) }));
      return { rows, more: rows.length === limit };
    },
    confirmations(cluster: number, name: string, after: number, limit: number): readonly SequencedChange[] {
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
