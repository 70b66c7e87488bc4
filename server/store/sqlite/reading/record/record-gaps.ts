import { gapsOf, type CoveragePoint, type Gap } from '#lib/domain/record/gap.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import type { RecordedGap, RecordReader } from '../../../port/record-port.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
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

/** The id of the kind that a point of the cluster itself has. */
const clusterItself = 0;
const none: readonly Gap[] = [];

/** Coverage over an open database. */
export function openRecordGaps(scopes: Scopes): GapReader {
  function pointOf(row: Row): CoveragePoint & { readonly id: number } {
    const id = whole(row[1]);
    return {
      id,
      kind: id === clusterItself ? null : { group: '', kind: String(id) },
      at: whole(row[2]),
      observed: row[3] === 1,
      state: text(row[4]),
      reason: textOrNull(row[5]),
    };
  }

  /** The last state before a period of each cluster and kind, and what follows in it, in the order of time. */
  function rowsOf(scope: Pick<ScopeIds, 'clusters'>, { from, to }: Period): readonly Row[] {
    const { sql, parameters } = ofClusters(scope, 'cluster');
    const columns = 'cluster, kind, at, observed, state, reason';
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

  function within(scope: Pick<ScopeIds, 'clusters'>, period: Period): Unseen {
    const points = new Map<number, ReturnType<typeof pointOf>[]>();
    const unseen = new Set<number>();
    for (const row of rowsOf(scope, period)) {
      const cluster = whole(row[0]);
      const point = pointOf(row);
      const known = points.get(cluster);
      if (known === undefined) points.set(cluster, [point]);
      else known.push(point);
      if (!point.observed) unseen.add(cluster);
    }
    const known = new Map<string, readonly Gap[]>();
    function gapsIn(cluster: number, kind: number): readonly Gap[] {
      if (!unseen.has(cluster)) return none;
      const key = `${cluster}/${kind}`;
      let gaps = known.get(key);
      if (gaps === undefined) {
        gaps = gapsOf(points.get(cluster) ?? [], { group: '', kind: String(kind) });
        known.set(key, gaps);
      }
      return gaps;
    }
    return { gapsOf: gapsIn, clusters: unseen };
  }

  return {
    within,
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
      if (ids === null || period.from >= period.to) return [];
      const rows = new Map<number, CoveragePoint[]>();
      for (const row of rowsOf(ids, { from: -Infinity, to: Infinity })) {
        const { id, ...point } = pointOf(row);
        rows.set(id, [...(rows.get(id) ?? []), point]);
      }
      const gaps = [...rows].flatMap(([id, points]) => ownGaps(cluster, id, points));
      return gaps.filter((gap) => overlaps(gap, period)).toSorted(byBeginning);
    },
  };

  /** Of the cluster or of one kind, by its own points alone. */
  function ownGaps(cluster: string, id: number, points: readonly CoveragePoint[]): readonly RecordedGap[] {
    const kind = id === clusterItself ? null : scopes.kindOf(id);
    return gapsOf(points, { group: '', kind: String(id) }).map((gap) => ({ cluster, kind, ...gap }));
  }
}

function overlaps(gap: Gap, { from, to }: Period): boolean {
  return gap.from < to && (gap.to ?? Infinity) > from;
}

function kindText({ kind }: RecordedGap): string {
  return kind === null ? '' : kindKey(kind);
}

function byBeginning(a: RecordedGap, b: RecordedGap): number {
  return a.from - b.from || (kindText(a) < kindText(b) ? -1 : 1);
}
