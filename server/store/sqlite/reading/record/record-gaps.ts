import { gapsOf, type CoveragePoint, type Gap } from '#lib/domain/record/gap.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import { ownGaps } from '../../../record/gaps.ts';
import { allRows, firstRow, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { pointColumns, pointOf } from '../../rows/coverage-row.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** The gaps of objects, by the ids of their cluster and kind. */
export type GapsOf = (cluster: number, kind: number) => readonly Gap[];

/** What was not being observed in a period. */
export interface Unseen {
  readonly gapsOf: GapsOf;
  /** The clusters on which anything was not, at some time. */
  readonly clusters: ReadonlySet<number>;
}

/** What of coverage is asked for. */
export interface GapReader extends Pick<RecordReader, 'since' | 'gaps'> {
  /** The gaps on the clusters of a scope that reach into a period. One that began before it may be told from a later beginning. */
  within(scope: Pick<ScopeIds, 'clusters'>, period: Period): Unseen;
}

const none: readonly Gap[] = [];

/** Coverage over an open database. */
export function openRecordGaps(scopes: Scopes): GapReader {
  return {
    within: (scope, period) => unseenIn(coverageRows(scopes, scope, period)),
    async since({ clusters }) {
      const ids = scopes.resolve({ clusters });
      if (ids === null) return null;
      const { sql, parameters } = ofClusters(ids, 'c.id');
      const row = firstRow(
        scopes.statement(`SELECT MIN((SELECT MIN(at) FROM coverage WHERE cluster = c.id)) FROM cluster c WHERE ${sql}`),
        ...parameters,
      );
      return row === null ? null : wholeOrNull(row[0]);
    },
    async gaps(cluster, period) {
      const ids = scopes.resolve({ clusters: [cluster] });
      if (ids === null) return [];
      const rows = coverageRows(scopes, ids, { from: -Infinity, to: Infinity });
      const points = rows.map((row) => pointOf(row, 1, scopes.kindOf));
      return ownGaps(cluster, points, period);
    },
  };
}

/** The last state before a period of each cluster and kind, and what follows in it, in the order of time. */
function coverageRows(scopes: Scopes, scope: Pick<ScopeIds, 'clusters'>, { from, to }: Period): readonly Row[] {
  const { sql, parameters } = ofClusters(scope, 'cluster');
  const columns = `cluster, ${pointColumns}`;
  const statement = scopes.statement(
    `SELECT ${columns} FROM (
       SELECT ${columns}, id, MAX(at) FROM coverage l WHERE ${sql} AND at <= ? AND NOT EXISTS (
         SELECT 1 FROM coverage n WHERE n.cluster = l.cluster AND n.at = l.at AND n.kind = l.kind AND n.id > l.id
       ) GROUP BY cluster, kind
       UNION ALL
       SELECT ${columns}, id, 0 FROM coverage WHERE ${sql} AND at > ? AND at < ?
     ) ORDER BY cluster, at, id`,
  );
  return allRows(statement, ...parameters, from, ...parameters, from, to);
}

/** The gaps in such rows. */
function unseenIn(rows: readonly Row[]): Unseen {
  // Kinds by their ids alone: most of them are never asked for.
  const ofId = (id: number): { group: string; kind: string } => ({ group: '', kind: String(id) });
  const points = new Map<number, CoveragePoint[]>();
  const clusters = new Set<number>();
  for (const row of rows) {
    const cluster = whole(row[0]);
    const point = pointOf(row, 1, ofId);
    const known = points.get(cluster);
    if (known === undefined) points.set(cluster, [point]);
    else known.push(point);
    if (!point.observed) clusters.add(cluster);
  }
  const known = new Map<string, readonly Gap[]>();
  return {
    clusters,
    gapsOf(cluster, kind) {
      if (!clusters.has(cluster)) return none;
      const key = `${cluster}/${kind}`;
      let gaps = known.get(key);
      if (gaps === undefined) {
        gaps = gapsOf(points.get(cluster) ?? [], ofId(kind));
        known.set(key, gaps);
      }
      return gaps;
    },
  };
}
