import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';

/** Since when there is a record of any of the scopes (ms); null where there is none. */
export async function earliestSince(record: RecordReader, scopes: readonly RecordScope[]): Promise<number | null> {
  const times = await Promise.all(scopes.map((scope) => record.since({ clusters: scope.clusters })));
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
