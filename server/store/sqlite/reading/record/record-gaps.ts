import { gapsOf, type CoveragePoint, type Gap } from '#lib/domain/record/gap.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordedGap, RecordScope } from '../../../port/record-port.ts';
import { ownGaps } from '../../../record/gaps.ts';
import { allRows, text, textOrNull, whole } from '../../rows/cells.ts';
import type { GroupAndKind } from '../../rows/kind-reader.ts';
import { ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** The gaps of objects, by the ids of their cluster and kind. */
export type GapsOf = (cluster: number, kind: number) => readonly Gap[];

/** Readings of coverage that are asked for. */
export type GapReader = ReturnType<typeof openRecordGaps>;

type Clusters = Pick<ScopeIds, 'clusters'>;

/** The id of the kind that a point of the cluster itself has. */
export const clusterItself = 0;

const none: readonly Gap[] = [];

/** Coverage over an open database. */
export function openRecordGaps(scopes: Scopes) {
  /** When the record of each cluster of a scope began (ms). */
  function begun(scope: Clusters): ReadonlyMap<number, number> {
    const { sql, parameters } = ofClusters(scope, 'c.id');
    const statement = scopes.statement(
      `SELECT c.id, (SELECT MIN(at) FROM coverage WHERE cluster = c.id) FROM cluster c WHERE ${sql}`,
    );
    const rows = allRows(statement, ...parameters).filter(([, at]) => at !== null);
    return new Map(rows.map(([cluster, at]) => [whole(cluster), whole(at)]));
  }

  return {
    /**
     * The gaps on the clusters of a scope that reach into a period. One that began before it may be told from a later beginning.
     * Kinds by their ids alone: most of them are never asked for.
     */
    within: (scope: Clusters, period: Period): GapsOf => unseenIn(coverageWithin(scopes, scope, period, ofId)),
    begun,
    /** Answers of the record; see `RecordReader`. */
    since({ clusters, within }: Pick<RecordScope, 'clusters' | 'within'>): number | null {
      const ids = scopes.resolve({ clusters, ...(within === undefined ? {} : { within }) });
      const times = ids === null ? [] : [...begun(ids).values()];
      return times.length === 0 ? null : Math.min(...times);
    },
    gaps(clusters: readonly string[], period: Period): readonly RecordedGap[] {
      const ids = scopes.resolve({ clusters });
      const points = ids === null ? [] : coverageWithin(scopes, ids, { from: -Infinity, to: Infinity });
      const of = new Map([...points].map(([cluster, found]) => [scopes.clusterName(cluster), found]));
      return clusters.flatMap((cluster) => ownGaps(cluster, of.get(cluster) ?? [], period));
    },
  };
}

/**
 * Coverage by the ids of clusters, in the order of time: the last state of each cluster and kind by the beginning of a period (of two
 * of one moment both), and what follows within it.
 */
export function coverageWithin(
  scopes: Scopes,
  scope: Clusters,
  { from, to }: Period,
  kindOf: (id: number) => GroupAndKind = scopes.kindOf,
): ReadonlyMap<number, readonly CoveragePoint[]> {
  const { sql, parameters } = ofClusters(scope, 'cluster');
  const columns = 'l.cluster, l.kind, l.at, l.observed, l.state, l.reason, l.id';
  const statement = scopes.statement(
    `SELECT ${columns}
     FROM (SELECT cluster, kind, MAX(at) AS at FROM coverage WHERE ${sql} AND at <= ? GROUP BY cluster, kind) last
     CROSS JOIN coverage l ON l.cluster = last.cluster AND l.at = last.at AND l.kind = last.kind
     UNION ALL SELECT ${columns} FROM coverage l WHERE ${sql} AND at > ? AND at < ? ORDER BY 1, 3, 7`,
  );
  const points = new Map<number, CoveragePoint[]>();
  for (const row of allRows(statement, ...parameters, from, ...parameters, from, to)) {
    const kind = whole(row[1]);
    const point = {
      kind: kind === clusterItself ? null : kindOf(kind),
      at: whole(row[2]),
      observed: row[3] === 1,
      state: text(row[4]),
      reason: textOrNull(row[5]),
    };
    const known = points.get(whole(row[0]));
    if (known === undefined) points.set(whole(row[0]), [point]);
    else known.push(point);
  }
  return points;
}

function ofId(id: number): GroupAndKind {
  return { group: '', kind: String(id) };
}

/** The gaps in coverage whose kinds are ids. */
function unseenIn(points: ReadonlyMap<number, readonly CoveragePoint[]>): GapsOf {
  const unseen = new Map([...points].filter(([, of]) => of.some(({ observed }) => !observed)));
  const known = new Map<string, readonly Gap[]>();
  return (cluster, kind) => {
    const of = unseen.get(cluster);
    if (of === undefined) return none;
    const key = `${cluster}/${kind}`;
    let gaps = known.get(key);
    if (gaps === undefined) known.set(key, (gaps = gapsOf(of, ofId(kind))));
    return gaps;
  };
}
