import type { DatabaseSync } from 'node:sqlite';
import { decodeCluster } from '../../codec/decode.ts';
import type { EncodedObject, EncodedState } from '../../codec/encoded.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { openDetailReader } from '../rows/detail-cell.ts';
import { objectColumns, openObjectReader } from '../rows/object-row.ts';
import { openKindReader } from '../rows/kind-reader.ts';
import { openTextReader } from '../rows/text-reader.ts';

const objectWidth = 3 + objectColumns.length;

/** Reads back what was last written of one cluster, confirmations included. */
export function openStateReader(database: DatabaseSync): (cluster: string) => EncodedState {
  const nameOf = openTextReader(database, 'name');
  const kindOf = openKindReader(nameOf);
  const reader = openObjectReader(openTextReader(database, 'text'));
  const detailOf = openDetailReader(nameOf);
  const readCluster = prepare(
    database,
    "SELECT c.id, c.record, c.record_seq FROM fact_source s JOIN cluster c ON c.id = s.id WHERE s.type = 'cluster' AND s.name = ?",
  );
  const readResumes = prepare(
    database,
    'SELECT kind, version, resource_version FROM resume WHERE cluster = ? ORDER BY kind',
  );
  const readObjects = prepare(
    database,
    `SELECT o.kind, o.namespace, o.name, ${objectColumns.map((column) => `o.${column}`).join(', ')},
       d.detail, c.object, c.confirmed_at, c.observed_at, c.valid_until
     FROM object o JOIN detail d ON d.object = o.id LEFT JOIN confirmation c ON c.object = o.id
     WHERE o.cluster = ? AND o.traits IS NOT NULL ORDER BY o.seq`,
  );

  function objectsOf(cluster: string, id: number): EncodedObject[] {
    return allRows(readObjects, id).map((row) => {
      const { group, kind } = kindOf(whole(row[0]));
      const ref = { cluster, group, kind, namespace: nameOf(whole(row[1])), name: text(row[2]) };
      const written = reader.objectOf(ref, row, 3);
      const confirmed = row[objectWidth + 1] !== null;
      const object = confirmed
        ? {
            ...written,
            confirmedAt: wholeOrNull(row[objectWidth + 2]),
            observedAt: whole(row[objectWidth + 3]),
            validUntil: wholeOrNull(row[objectWidth + 4]),
          }
        : written;
      return { object, detail: JSON.stringify(detailOf(row[objectWidth])) };
    });
  }

  return (cluster) => {
    const row = firstRow(readCluster, cluster);
    if (row === null) return { cluster: null, objects: [], resume: [] };
    const id = whole(row[0]);
    const record = textOrNull(row[1]);
    const objects = objectsOf(cluster, id);
    const isForgotten = record === null && whole(row[2]) > 0;
    return {
      ...(isForgotten && objects.length > 0 ? { forgetting: true as const } : {}),
      cluster: record === null ? null : decodeCluster(record),
      objects,
      resume: allRows(readResumes, id).map(([kind, version, resourceVersion]) => ({
        ...kindOf(whole(kind)),
        version: text(version),
        resourceVersion: text(resourceVersion),
      })),
    };
  };
}
