import { isAway } from '#lib/domain/guarantee.ts';
import { noShares } from '#lib/domain/segments.ts';
import type { Period } from '#lib/domain/span.ts';
import { cutAtDays, dayOf } from '#lib/domain/utc-day.ts';
import { verdicts } from '#lib/domain/verdict.ts';
import type { RecordReader, Shares } from '../record-port.ts';
import { firstRow, whole } from './cells.ts';
import type { PieceReader } from './record-pieces.ts';
import type { RollupReader } from './record-rollups.ts';
import type { ScopeIds, Scopes } from './record-scope.ts';
import { sinceSpanAt } from './record-spans.ts';

/** What is added up in the order of `verdicts`. */
type Sums = Float64Array;
type By = Parameters<RecordReader['shares']>[2];

/** By the places of `verdicts`. */
const away = verdicts.map(isAway);

/** Reads how long objects were in which verdict. */
export interface ShareReader extends Pick<RecordReader, 'shares' | 'objectCount'> {
  /** The objects of a scope that were away longest in a period, with how long (ms), longest first: those that tie with the last too. */
  longestAway(
    scope: ScopeIds,
    period: Period,
    limit: number,
  ): readonly { readonly object: number; readonly away: number }[];
  sharesOf(object: number, period: Period): Shares;
}

/** Shares over an open database; `nameOf` gives the name of an id. */
export function openRecordShares(
  scopes: Scopes,
  pieces: PieceReader,
  rollups: RollupReader,
  nameOf: (id: number) => string,
): ShareReader {
  function keyOf(by: By): (cluster: number, kind: number, day: number) => number {
    switch (by) {
      case 'total':
        return () => 0;
      case 'day':
        return (_cluster, _kind, day) => day;
      case 'cluster':
        return (cluster) => cluster;
      case 'kind':
        return (_cluster, kind) => kind;
    }
  }

  function textOfKey(by: By, key: number): string {
    switch (by) {
      case 'total':
        return '';
      case 'day':
        return String(key);
      case 'cluster':
        return scopes.clusterName(key);
      case 'kind':
        return nameOf(key);
    }
  }

  function summed(scope: ScopeIds, period: Period, by: By): ReadonlyMap<number, Sums> {
    const sums = new Map<number, Sums>();
    const key = keyOf(by);
    function sumsOf(of: number): Sums {
      const known = sums.get(of);
      if (known !== undefined) return known;
      const made = new Float64Array(verdicts.length);
      sums.set(of, made);
      return made;
    }
    function add(of: number, verdict: number, time: number): void {
      const into = sumsOf(of);
      into[verdict] = (into[verdict] ?? 0) + time;
    }
    const parts = rollups.partsOf(scope, period);
    for (const part of parts.rolled) {
      rollups.each(part, 'shares', (numbers, place, cluster, day) => {
        const [kind = 0, mask = 0] = [numbers[place], numbers[place + 1]];
        const counted = day !== null && (scope.kind === null || scope.kind === kind);
        const into = counted ? sumsOf(key(cluster, kind, day)) : null;
        let next = place + 2;
        for (let verdict = 0; verdict < verdicts.length; verdict++) {
          if (((mask >> verdict) & 1) === 0) continue;
          const time = numbers[next++] ?? 0;
          if (into !== null) into[verdict] = (into[verdict] ?? 0) + time;
        }
        return next;
      });
    }
    for (const part of parts.plain) {
      for (const piece of by === 'day' ? cutAtDays(part.period) : [part.period]) {
        const day = dayOf(piece.from);
        pieces.each(part.scope, piece, (_object, cluster, kind, verdict, from, to) => {
          add(key(cluster, kind, day), verdict, to - from);
        });
      }
    }
    return sums;
  }

  return {
    async shares(scope, period, by) {
      const ids = scopes.resolve(scope);
      if (ids === null || period.from >= period.to) return [];
      return [...summed(ids, period, by)]
        .map(([key, sums]) => ({ key: textOfKey(by, key), shares: sharesIn(sums) }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    },
    async objectCount(scope, { from, to }) {
      const ids = scopes.resolve(scope);
      if (ids === null || from >= to) return 0;
      const { sql, parameters } = scopes.objects(ids);
      const row = firstRow(
        scopes.statement(
          `SELECT COUNT(*) FROM object o WHERE ${sql} AND EXISTS (
             SELECT 1 FROM transition t INDEXED BY transition_span WHERE t.object = o.id AND t.noticed_at >= ${sinceSpanAt} AND t.noticed_at < ?
               AND t.to_verdict <> '' AND (t.until IS NULL OR (t.until > ? AND t.until > t.noticed_at)))`,
        ),
        ...parameters,
        from,
        from,
        to,
        from,
      );
      return row === null ? 0 : whole(row[0]);
    },
    longestAway(scope, period, limit) {
      const times = new Map<number, number>();
      const add = (object: number, time: number): void => void times.set(object, (times.get(object) ?? 0) + time);
      const wanted = scope.kind === null ? null : objectsOf(scope);
      const parts = rollups.partsOf(scope, period);
      for (const part of parts.rolled) {
        rollups.each(part, 'away', (numbers, place, _cluster, day) => {
          const object = numbers[place] ?? 0;
          if (day !== null && (wanted === null || wanted.has(object))) add(object, numbers[place + 1] ?? 0);
          return place + 2;
        });
      }
      for (const part of parts.plain) {
        pieces.each(part.scope, part.period, (object, _cluster, _kind, verdict, from, to) => {
          if (away[verdict] === true) add(object, to - from);
        });
      }
      const all = [...times].map(([object, time]) => ({ object, away: time })).toSorted((a, b) => b.away - a.away);
      const least = all[limit - 1]?.away ?? 0;
      return all.filter((one) => one.away >= least);
    },
    sharesOf(object, period) {
      const sums = new Float64Array(verdicts.length);
      pieces.each(
        { clusters: null, kind: null, namespace: null, name: null },
        period,
        (_object, _cluster, _kind, verdict, from, to) => {
          sums[verdict] = (sums[verdict] ?? 0) + to - from;
        },
        { sql: 'o.id = ?', parameters: [object] },
      );
      return sharesIn(sums);
    },
  };

  function objectsOf(scope: ScopeIds): ReadonlySet<number> {
    const { sql, parameters } = scopes.objects(scope);
    return new Set(scopes.ids(`SELECT o.id FROM object o WHERE ${sql}`, parameters));
  }
}

function sharesIn(sums: Sums): Shares {
  const shares = { ...noShares };
  for (const [place, verdict] of verdicts.entries()) shares[verdict] = sums[place] ?? 0;
  return shares;
}
