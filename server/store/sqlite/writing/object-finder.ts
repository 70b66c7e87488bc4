import type { DatabaseSync } from 'node:sqlite';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { firstRow, whole, wholeOrNull } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { kindOf, type ClusterSequence } from './cluster-sequence.ts';

/** An object that is in the store, or was. */
export interface Found {
  readonly id: number;
  readonly isPresent: boolean;
  /** Of the record as it stands: what was known when its verdict began. */
  readonly noticedAt: number | null;
  readonly awayAt: number | null;
}

/** Finds objects of a cluster by their names. */
export type ObjectFinder = ReturnType<typeof openObjectFinder>;

/** Prepares the statements over an open database. */
export function openObjectFinder(database: DatabaseSync, dictionary: Dictionary) {
  const identity = prepare(
    database,
    `SELECT id, traits, onset_noticed_at, away_at FROM object
     WHERE cluster = ? AND kind = ? AND namespace = ? AND name = ?`,
  );
  const identify = database.prepare('INSERT INTO object (cluster, kind, namespace, name) VALUES (?, ?, ?, ?)');

  function find(sequence: ClusterSequence, ref: ObjectRef): Found | null {
    const row = firstRow(
      identity,
      sequence.cluster,
      kindOf(dictionary, sequence, ref),
      dictionary.name(ref.namespace),
      ref.name,
    );
    if (row === null) return null;
    return {
      id: whole(row[0]),
      isPresent: row[1] !== null,
      noticedAt: wholeOrNull(row[2]),
      awayAt: wholeOrNull(row[3]),
    };
  }

  /** The id of an object; one that was never there gets one. */
  function idOf(sequence: ClusterSequence, ref: ObjectRef): number {
    const known = sequence.written.get(refKey(ref))?.id ?? find(sequence, ref)?.id;
    if (known !== undefined) return known;
    return Number(
      identify.run(sequence.cluster, kindOf(dictionary, sequence, ref), dictionary.name(ref.namespace), ref.name)
        .lastInsertRowid,
    );
  }

  return { find, idOf };
}
