import { gapsOf, type CoveragePoint, type Gap } from '#lib/domain/record/gap.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import { ownGaps } from '../../../record/gaps.ts';
import { allRows, whole, type Row } from '../../rows/cells.ts';
import { pointOf } from '../../rows/coverage-row.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** The gaps of objects, by the ids of their cluster and kind. */
export type GapsOf = (cluster: number, kind: number) => readonly Gap[];

/** Times not observed in a period. */
export interface Unseen {
  readonly gapsOf: GapsOf;
  /** The clusters on which anything was not, at some time. */
  readonly clusters: ReadonlySet<number>;
}

/** Readings of coverage that are asked for. */
export interface GapReader extends Pick<RecordReader, 'since' | 'gaps'> {
  /** The gaps on the clusters of a scope that reach into a period. One that began before it may be told from a later beginning. */
  within(scope: Clusters, period: Period): Unseen;
  /** When the record of each cluster of a scope began (ms). */
  begun(scope: Clusters): ReadonlyMap<number, number>;
}

type Clusters = Pick<ScopeIds, 'clusters'>;

const none: readonly Gap[] = [];

/** Coverage over an open database. */
export function openRecordGaps(scopes: Scopes): GapReader {
  function begun(scope: Clusters): ReadonlyMap<number, number> {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    const statement = scopes.statement(
      `SELECT c.id, (SELECT MIN(at) FROM coverage WHERE cluster = c.id) FROM cluster c WHERE ${sql}`,
    );
    const rows = allRows(statement, ...parameters).filter(([, at]) => at !== null);
    return new Map(rows.map(([cluster, at]) => [whole(cluster), whole(at)]));
  }

  return {
    within: (scope, period) => unseenIn(coverageRows(scopes, scope, period)),
    begun,
    async since({ clusters }) {
      const ids = scopes.resolve({ clusters });
      const times = ids === null ? [] : [...begun(ids).values()];
      return times.length === 0 ? null : Math.min(...times);
    },
    async gaps(cluster, period) {
      const rows = coverageRows(scopes, scopes.ofCluster(cluster), { from: -Infinity, to: Infinity });
      return ownGaps(
        cluster,
        rows.map((row) => pointOf(row, 1, scopes.kindOf)),
        period,
      );
    },
  };
}

/**
 * Rows of cluster, kind, at, observed, state and reason, by cluster in the order of time: the last state of each cluster and kind by the beginning of a period (of
 * two of one moment both), and what follows within it.
 */
export function coverageRows(scopes: Scopes, scope: Clusters, { from, to }: Period): readonly Row[] {
  const { sql, parameters } = ofClusters(scope, 'cluster');
  const columns = 'l.cluster, l.kind, l.at, l.observed, l.state, l.reason, l.id';
  const statement = scopes.statement(
    `SELECT ${columns}
     FROM (SELECT cluster, kind, MAX(at) AS at FROM coverage WHERE ${sql} AND at <= ? GROUP BY cluster, kind) last
     CROSS JOIN coverage l ON l.cluster = last.cluster AND l.at = last.at AND l.kind = last.kind
     UNION ALL SELECT ${columns} FROM coverage l WHERE ${sql} AND at > ? AND at < ? ORDER BY 1, 3, 7`,
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
