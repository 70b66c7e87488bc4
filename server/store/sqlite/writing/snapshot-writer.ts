import type { DatabaseSync } from 'node:sqlite';
import type { Period } from '#lib/domain/record/span.ts';
import { blockOf } from '../../codec/rollup-block.ts';
import { snapshotInterval, packSnapshot } from '../../codec/snapshot-block.ts';
import { allRows } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { snapshotColumns, snapshotSpanOf } from '../reading/snapshots.ts';

/**
 * Writes what depended on a cluster at the marks of a period, and at its end: one block, or what of it is over. Call it within a
 * transaction only.
 */
export function openSnapshotWriter(database: DatabaseSync): (cluster: number, period: Period) => void {
  // A span that stands at some mark was noticed before it and ends after it. Of two rows of one moment one is empty.
  const spans = prepare(
    database,
    `SELECT ${snapshotColumns} FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
     WHERE o.cluster = ?1 AND t.to_verdict <> '' AND (t.until IS NULL OR t.until > ?2)
       AND t.noticed_at = (SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at < ?2)
     UNION ALL
     SELECT ${snapshotColumns} FROM transition t INDEXED BY transition_noticed
     WHERE t.cluster = ?1 AND t.noticed_at >= ?2 AND t.noticed_at < ?3 AND t.to_verdict <> ''
       AND (t.until IS NULL OR t.until > (t.noticed_at / ${snapshotInterval} + 1) * ${snapshotInterval})`,
  );
  const write = database.prepare(
    `INSERT INTO snapshot (block, cluster, spans) VALUES (?, ?, ?)
     ON CONFLICT (block, cluster) DO UPDATE SET spans = excluded.spans`,
  );
  return (cluster, { from, to }) => {
    const block = blockOf(from);
    write.run(block, cluster, packSnapshot(allRows(spans, cluster, from, to).map(snapshotSpanOf), block));
  };
}
