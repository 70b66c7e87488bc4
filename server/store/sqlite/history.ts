import type { DatabaseSync } from 'node:sqlite';
import type { ObjectDetail, Transition } from '#lib/domain/current.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import { decodeOwnDetail } from '../decode.ts';
import type { CoverageChange, StoreReader } from '../port.ts';
import { allRows, firstRow, text, textOrNull, whole, type Row } from './cells.ts';
import { prepare } from './database.ts';
import { openDetailReader } from './detail-cell.ts';
import { openKindReader } from './kind-reader.ts';
import { openTextReader } from './text-reader.ts';
import { transitionColumns, transitionOf } from './transition-row.ts';

/** What is asked by name and by time. */
export interface History {
  detail(ref: ObjectRef): ObjectDetail | null;
  transitions(ref: ObjectRef, range: Parameters<StoreReader['transitions']>[1]): readonly Transition[];
  recent(range: Parameters<StoreReader['recent']>[0]): readonly Transition[];
  coverage(cluster: string, range: Parameters<StoreReader['coverage']>[1]): readonly CoverageChange[];
  clusters(): readonly string[];
}

/** Prepares the questions over a database that is open for reading. */
export function openHistory(database: DatabaseSync): History {
  const nameOf = openTextReader(database, 'name');
  const kindOf = openKindReader(nameOf);
  const textOf = openTextReader(database, 'text');
  const detailOf = openDetailReader(nameOf);
  const findCluster = prepare(database, 'SELECT id FROM cluster WHERE name = ?');
  const presentClusters = prepare(database, 'SELECT name FROM cluster WHERE record IS NOT NULL ORDER BY name');
  const findObject = prepare(
    database,
    `SELECT o.id, d.detail FROM cluster c
     JOIN name k ON k.text = ? JOIN name n ON n.text = ?
     JOIN object o ON o.cluster = c.id AND o.kind = k.id AND o.namespace = n.id AND o.name = ?
     LEFT JOIN detail d ON d.object = o.id WHERE c.name = ?`,
  );
  const columns = transitionColumns;
  const named = 'JOIN object o ON o.id = t.object JOIN cluster c ON c.id = t.cluster';
  const newest = 'ORDER BY t.at DESC, t.id DESC LIMIT ?';
  const ofObject = prepare(
    database,
    `SELECT ${columns} FROM transition t WHERE t.object = ? AND t.at BETWEEN ? AND ? AND t.noticed_at <= ? ORDER BY t.at DESC, t.noticed_at DESC, t.id DESC LIMIT ?`,
  );
  const ofAll = prepare(
    database,
    `SELECT ${columns}, c.name, o.kind, o.namespace, o.name FROM transition t ${named} WHERE t.at BETWEEN ? AND ? ${newest}`,
  );
  const ofCluster = prepare(
    database,
    `SELECT ${columns}, c.name, o.kind, o.namespace, o.name FROM transition t ${named} WHERE t.cluster = ? AND t.at BETWEEN ? AND ? ${newest}`,
  );
  const before = prepare(
    database,
    `SELECT kind, at, observed, state, reason, id FROM coverage c WHERE cluster = ? AND at < ? AND id = (
       SELECT id FROM coverage l WHERE l.cluster = c.cluster AND l.kind = c.kind AND l.at < ? ORDER BY l.at DESC, l.id DESC LIMIT 1
     ) ORDER BY at, id`,
  );
  const within = prepare(
    database,
    'SELECT kind, at, observed, state, reason, id FROM coverage WHERE cluster = ? AND at BETWEEN ? AND ? ORDER BY at, id',
  );

  function refOf(row: Row): ObjectRef {
    return {
      cluster: text(row[11]),
      ...kindOf(whole(row[12])),
      namespace: nameOf(whole(row[13])),
      name: text(row[14]),
    };
  }

  function coverageOf(cluster: string, row: Row): CoverageChange {
    const kind = whole(row[0]);
    return {
      cluster,
      kind: kind === 0 ? null : kindOf(kind),
      at: whole(row[1]),
      observed: row[2] === 1,
      state: text(row[3]),
      reason: textOrNull(row[4]),
    };
  }

  function find(ref: ObjectRef): Row | null {
    return firstRow(findObject, `${ref.group}/${ref.kind}`, ref.namespace, ref.name, ref.cluster);
  }

  function clusterId(name: string): number | null {
    const row = firstRow(findCluster, name);
    return row === null ? null : whole(row[0]);
  }

  return {
    detail(ref) {
      const stored = find(ref)?.[1];
      return stored === null || stored === undefined ? null : decodeOwnDetail(detailOf(stored));
    },
    transitions(ref, { from, to, limit, noticedBy = Number.MAX_SAFE_INTEGER }) {
      const found = find(ref);
      if (found === null) return [];
      return allRows(ofObject, whole(found[0]), from, to, noticedBy, limit).map((row) =>
        transitionOf(ref, row, textOf),
      );
    },
    recent({ from, to, limit, cluster }) {
      if (cluster === undefined)
        return allRows(ofAll, from, to, limit).map((row) => transitionOf(refOf(row), row, textOf));
      const id = clusterId(cluster);
      return id === null
        ? []
        : allRows(ofCluster, id, from, to, limit).map((row) => transitionOf(refOf(row), row, textOf));
    },
    clusters: () => allRows(presentClusters).map((row) => text(row[0])),
    coverage(cluster, { from, to }) {
      const id = clusterId(cluster);
      if (id === null) return [];
      return [...allRows(before, id, from, from), ...allRows(within, id, from, to)].map((row) =>
        coverageOf(cluster, row),
      );
    },
  };
}
