import type { DatabaseSync } from 'node:sqlite';
import type { NotedChange } from '#lib/domain/record/change.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import type { EarlierSpan } from '#lib/domain/record/span.ts';
import { arrivedAt } from '../../record/ledger.ts';
import { firstRow, milliseconds, textOrNull, wholeCount } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';

/** Writes what stands beside the spans, over an open database: corrections, what was told of before, arrivals. Call it within a transaction only. */
export function openLedgerWriter(database: DatabaseSync, dictionary: Dictionary) {
  const correct = database.prepare(
    `INSERT INTO correction (object, cluster, at, certainty, said, count) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (object, at) DO UPDATE SET certainty = excluded.certainty, said = excluded.said, count = excluded.count`,
  );
  const addEarlier = database.prepare(
    `INSERT INTO backfill (object, uid, from_at, to_at, good, status, revision) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (object, uid, from_at, to_at, status) DO NOTHING`,
  );
  const offer = database.prepare(
    `INSERT INTO arrival (cluster, commit_hash, offered_at, objects) VALUES (?, ?, ?, 0)
     ON CONFLICT (cluster, commit_hash) DO UPDATE SET offered_at = CASE
       WHEN offered_at IS NOT NULL THEN MIN(offered_at, excluded.offered_at)
       WHEN first_at IS NULL OR excluded.offered_at <= first_at THEN excluded.offered_at END`,
  );
  const arrive = database.prepare(
    `INSERT INTO arrival (cluster, commit_hash, first_at, last_at, objects) VALUES (?1, ?2, ?3, ?3, 1)
     ON CONFLICT (cluster, commit_hash) DO UPDATE SET first_at = MIN(COALESCE(first_at, ?3), ?3),
       last_at = MAX(COALESCE(last_at, ?3), ?3), objects = objects + 1`,
  );
  const readArrived = prepare(database, 'SELECT arrived FROM object WHERE id = ?');
  const remember = database.prepare('UPDATE object SET arrived = ? WHERE id = ?');

  return {
    /** Of one object at one time the later word counts. */
    correction(cluster: number, object: number, { at, certainty, said, count }: Correction): void {
      correct.run(object, cluster, milliseconds(at), certainty, dictionary.text(said), wholeCount(count));
    },
    earlier(object: number, { uid, from, to, good, status, revision }: EarlierSpan): void {
      const revisionId = dictionary.textOrNull(revision);
      addEarlier.run(object, uid, milliseconds(from), milliseconds(to), good ? 1 : 0, status, revisionId);
    },
    /** A source on the cluster offers what is new. */
    offered(cluster: number, { ref, at, fact }: NotedChange): void {
      if (fact.type !== 'revision') return;
      const commit = commitOf(fact.to, ref?.kind ?? null);
      if (commit !== null) offer.run(cluster, commit, milliseconds(at));
    },
    /** An applier arrived at a commit; one that it was counted for lately is not counted again. */
    arrived(cluster: number, object: number, commit: string, at: number): void {
      const known = (textOrNull(firstRow(readArrived, object)?.[0] ?? null) ?? '').split(' ').filter(Boolean);
      const commits = arrivedAt(commit, known);
      if (commits === null) return;
      arrive.run(cluster, commit, milliseconds(at));
      remember.run(commits.join(' '), object);
    },
  };
}
