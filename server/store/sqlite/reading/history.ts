import { decodeOwnDetail } from '../../codec/decode.ts';
import type { StoreReader } from '../../port/port.ts';
import { coverageWithin } from '../../record/noted.ts';
import { allRows, firstRow, text, whole } from '../rows/cells.ts';
import { openDetailReader } from '../rows/detail-cell.ts';
import { transitionColumns, transitionOf } from '../rows/record-rows.ts';
import { coverageWithin as coverageIn } from './record/record-gaps.ts';
import { ofClusters, type Scopes } from './record/record-scope.ts';

/** Answers by name and by time over an open database. */
export function openHistory(
  scopes: Scopes,
): Pick<StoreReader, 'detail' | 'transitions' | 'recent' | 'coverage' | 'clusters' | 'alarmSources'> {
  const detailOf = openDetailReader(scopes.nameOf);
  const readDetail = scopes.statement('SELECT detail FROM detail WHERE object = ?');
  const presentAlarms = scopes.statement(
    `SELECT s.name FROM fact_source s LEFT JOIN alarm_source a ON a.fact_source = s.id WHERE s.type = 'alarm-source'
     AND (a.record IS NOT NULL OR EXISTS (SELECT 1 FROM alarm_call c WHERE c.fact_source = s.id AND c.to_at IS NULL)) ORDER BY s.name`,
  );
  const presentClusters = scopes.statement(
    `SELECT s.name FROM cluster c JOIN fact_source s ON s.id = c.id
     WHERE c.record IS NOT NULL OR (c.record_seq > 0 AND s.objects > 0) ORDER BY s.name`,
  );
  const ofObject = scopes.statement(
    `SELECT ${transitionColumns} FROM transition t WHERE t.object = ? AND t.at BETWEEN ? AND ? AND t.noticed_at <= ?
     ORDER BY t.at DESC, t.noticed_at DESC, t.id DESC LIMIT ?`,
  );

  return {
    async detail(ref) {
      const object = scopes.objectOf(ref);
      const row = object === null ? null : firstRow(readDetail, object);
      return row === null ? null : decodeOwnDetail(detailOf(row[0]));
    },
    async transitions(ref, { from, to, limit, noticedBy = Number.MAX_SAFE_INTEGER }) {
      const object = scopes.objectOf(ref);
      if (object === null) return [];
      return allRows(ofObject, object, from, to, noticedBy, limit).map((row) => transitionOf(ref, row, scopes.textOf));
    },
    async recent({ from, to, limit, cluster }) {
      const within = cluster === undefined ? { clusters: null } : scopes.ofCluster(cluster);
      const { sql, parameters } = ofClusters(within, 't.cluster');
      const statement = scopes.statement(
        `SELECT ${transitionColumns}, t.object FROM transition t WHERE ${sql} AND t.at BETWEEN ? AND ?
         ORDER BY t.at DESC, t.id DESC LIMIT ?`,
      );
      return allRows(statement, ...parameters, from, to, limit).map((row) =>
        transitionOf(scopes.refOf(whole(row[11])), row, scopes.textOf),
      );
    },
    alarmSources: async () => allRows(presentAlarms).map((row) => text(row[0])),
    clusters: async () => allRows(presentClusters).map((row) => text(row[0])),
    async coverage(cluster, bounds) {
      // The last state that is older than the range, and what lies within its bounds.
      const period = { from: Math.ceil(bounds.from) - 1, to: Math.floor(bounds.to) + 1 };
      const points = [...coverageIn(scopes, scopes.ofCluster(cluster), period).values()].flat();
      return coverageWithin(
        points.map((point) => ({ cluster, ...point })),
        bounds,
      );
    },
  };
}
