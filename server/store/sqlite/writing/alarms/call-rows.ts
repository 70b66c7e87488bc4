import type { DatabaseSync } from 'node:sqlite';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import { calledObject } from '../../../record/alarm/called-object.ts';
import { endOfCall } from '../../../record/alarm/known-call.ts';
import { firstRow, milliseconds, text } from '../../rows/cells.ts';
import { prepare } from '../../database.ts';

/** Writes what is append-only of alarm sources over an open database. Call it within a transaction only. */
export function openCallRows(database: DatabaseSync) {
  const putCall = database.prepare(
    `INSERT INTO alarm_call (fact_source, key, alert, labels, attributed, receivers, starts_at, from_at, to_at,
       of_group, of_kind, of_namespace, of_name, reads_objects) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (fact_source, key, from_at) DO UPDATE SET to_at = excluded.to_at WHERE to_at IS NULL AND excluded.to_at IS NOT NULL`,
  );
  const endCalls = database.prepare(
    'UPDATE alarm_call SET to_at = MAX(from_at, ?) WHERE fact_source = ? AND to_at IS NULL',
  );
  const putCoverage = database.prepare(
    `INSERT INTO alarm_coverage (fact_source, at, read, clusters, reason) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (fact_source, at, read, clusters) DO NOTHING`,
  );
  const lastClusters = prepare(
    database,
    'SELECT clusters FROM alarm_coverage WHERE fact_source = ? ORDER BY at DESC, id DESC LIMIT 1',
  );

  function cover(source: number, { at, read, reason }: Omit<AlarmCoverage, 'source' | 'clusters'>, clusters: string) {
    putCoverage.run(source, milliseconds(at), read ? 1 : 0, clusters, reason);
  }

  return {
    /** A call that is there already is given its end, once. */
    put(source: number, call: AlarmCall): void {
      const called = calledObject(call);
      const from = milliseconds(call.from);
      putCall.run(
        source,
        call.key,
        call.alert,
        JSON.stringify(call.labels),
        call.cluster,
        JSON.stringify(call.receivers),
        milliseconds(call.startsAt),
        from,
        call.to === null ? null : endOfCall(from, milliseconds(call.to)),
        called?.group ?? null,
        called?.kind ?? null,
        called?.namespace ?? null,
        called?.name ?? null,
        call.readsObjects === null ? null : call.readsObjects ? 1 : 0,
      );
    },
    cover: (source: number, point: AlarmCoverage): void => cover(source, point, JSON.stringify(point.clusters)),
    /** Ends all at `at` (ms), from when on the source is not read; of the clusters that it spoke for last. */
    end(source: number, at: number, reason: string): void {
      endCalls.run(milliseconds(at), source);
      const row = firstRow(lastClusters, source);
      cover(source, { at, read: false, reason }, row === null ? '[]' : text(row[0]));
    },
  };
}
