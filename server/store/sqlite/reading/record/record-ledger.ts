import type { Arrival } from '#lib/domain/chain/arrival.ts';
import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import type { LedgerEntry, RecordPage, RecordReader } from '../../../port/record-port.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull } from '../../rows/cells.ts';
import { isOfClusters, ofClusters, type Scopes } from './record-scope.ts';

/** In the order of their words. */
const certainties = ['confirmed', 'contested', 'probable'] as const satisfies readonly Correction['certainty'][];

/** The certainty of a stored word; of another version's the least. */
function certaintyOf(word: string): Correction['certainty'] {
  return certainties.find((certainty) => certainty === word) ?? 'contested';
}

/** What is kept beside spans, over an open database; `textOf` gives the text of an id. */
export function openRecordLedger(
  scopes: Scopes,
  textOf: (id: number) => string,
): Pick<RecordReader, 'earlier' | 'corrections' | 'correctionDays' | 'changeCounts' | 'arrivals' | 'arrivalTimes'> {
  return {
    async earlier(ref) {
      const object = scopes.objectOf(ref);
      if (object === null) return [];
      const statement = scopes.statement(
        'SELECT uid, from_at, to_at, good, status, revision FROM earlier WHERE object = ? ORDER BY from_at, id',
      );
      return allRows(statement, object).map(([uid, from, to, good, status, revision]) => {
        const words = wholeOrNull(revision);
        return {
          ref,
          uid: text(uid),
          from: whole(from),
          to: whole(to),
          good: good === 1,
          status: text(status),
          revision: words === null ? null : textOf(words),
        };
      });
    },
    async corrections(scope, { from, to }, { cursor, limit }): Promise<RecordPage<LedgerEntry>> {
      const ids = scopes.resolve(scope);
      if (ids === null) return { items: [], next: null };
      const { sql, parameters } = scopes.objects(ids);
      const place = /^(-?\d+)\.(\d+)$/.exec(cursor ?? '');
      const [before, id] = [Number(place?.[1] ?? to), Number(place?.[2] ?? 0)];
      const rows = allRows(
        scopes.statement(
          `SELECT k.at, k.id, k.object, k.certainty, k.said, k.count FROM correction k JOIN object o ON o.id = k.object
           WHERE ${sql} AND k.at >= ? AND k.at <= ? AND (k.at < ? OR k.id < ?) ORDER BY k.at DESC, k.id DESC LIMIT ?`,
        ),
        ...parameters,
        from,
        before,
        before,
        id,
        limit + 1,
      );
      const items = rows.slice(0, limit).map((row) => ({
        ref: scopes.refOf(whole(row[2])),
        correction: {
          at: whole(row[0]),
          certainty: certaintyOf(text(row[3])),
          said: textOf(whole(row[4])),
          count: whole(row[5]),
        },
      }));
      const last = rows[limit - 1];
      return { items, next: rows.length > limit && last ? `${whole(last[0])}.${whole(last[1])}` : null };
    },
    async correctionDays(scope, period) {
      const ids = scopes.resolve(scope);
      if (ids === null) return [];
      const byCluster = isOfClusters(ids);
      const { sql, parameters } = byCluster ? ofClusters(ids, 'k.cluster') : scopes.objects(ids);
      // Day by day and without groups: the sums of a day come straight from the index.
      const sums = certainties.map((word) => `SUM(CASE WHEN k.certainty = '${word}' THEN k.count END)`);
      const statement = scopes.statement(
        `SELECT ${sums.join(', ')} FROM correction k ${byCluster ? '' : 'JOIN object o ON o.id = k.object'}
         WHERE ${sql} AND k.at >= ? AND k.at < ?`,
      );
      const first = wholeOrNull(firstRow(scopes.statement('SELECT MIN(at) FROM correction'))?.[0] ?? null);
      if (first === null) return [];
      return cutAtDays({ from: Math.max(period.from, first), to: period.to }).flatMap(({ from, to }) => {
        const row = firstRow(statement, ...parameters, from, to);
        return certainties.flatMap((certainty, place) => {
          const count = wholeOrNull(row?.[place] ?? null);
          return count === null ? [] : [{ day: dayOf(from), certainty, count }];
        });
      });
    },
    async changeCounts(scope, { from, to }, asked) {
      const ids = scopes.resolve(scope);
      if (ids === null) return [];
      const byCluster = isOfClusters(ids);
      const { sql, parameters } = byCluster ? ofClusters(ids, 'h.cluster') : scopes.objects(ids);
      // What tells changes of one moment apart is the type, and where that is not enough more words behind it.
      const named =
        "SELECT id FROM name WHERE text = ?1 UNION ALL SELECT id FROM name WHERE text > ?1 || ' ' AND text < ?1 || '!'";
      const typeOf = new Map(asked.flatMap((type) => scopes.ids(named, [type]).map((id) => [id, type] as const)));
      const statement = scopes.statement(
        `SELECT h.kind, COUNT(*) FROM change h ${byCluster ? '' : 'JOIN object o ON o.id = h.object'}
         WHERE ${sql} AND h.at >= ? AND h.at < ? AND h.kind IN (SELECT value FROM json_each(?)) GROUP BY h.kind`,
      );
      const counts = new Map<ChangeFact['type'], number>();
      const kinds = JSON.stringify([...typeOf.keys()]);
      for (const [kind, count] of allRows(statement, ...parameters, from, to, kinds)) {
        const type = typeOf.get(whole(kind));
        if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + whole(count));
      }
      return [...counts].map(([type, count]) => ({ type, count })).toSorted((a, b) => (a.type < b.type ? -1 : 1));
    },
    async arrivals(scope, { from, to }, limit) {
      const ids = scopes.resolve({ clusters: scope.clusters });
      if (ids === null) return [];
      const { sql, parameters } = ofClusters(ids, 'a.cluster');
      const statement = scopes.statement(
        `SELECT a.cluster, a.commit_hash, a.offered_at, a.first_at, a.last_at, a.objects FROM arrival a
         WHERE ${sql} AND a.last_at >= ? AND a.last_at < ? ORDER BY a.last_at DESC LIMIT ?`,
      );
      const arrivals = allRows(statement, ...parameters, from, to, limit).map((row) => ({
        cluster: scopes.clusterName(whole(row[0])),
        commit: text(row[1]),
        offeredAt: wholeOrNull(row[2]),
        firstAt: whole(row[3]),
        lastAt: whole(row[4]),
        objects: whole(row[5]),
      }));
      return arrivals.toSorted(newestFirst);
    },
    async arrivalTimes(scope, { from, to }) {
      const ids = scopes.resolve({ clusters: scope.clusters });
      if (ids === null) return { took: new Float64Array(0), unknown: 0 };
      const { sql, parameters } = ofClusters(ids, 'a.cluster');
      // In one text: a row for each costs more than reading it.
      const statement = scopes.statement(
        `SELECT GROUP_CONCAT(MAX(0, a.last_at - a.offered_at)), COUNT(*) - COUNT(a.offered_at) FROM arrival a
         WHERE ${sql} AND a.last_at >= ? AND a.last_at < ?`,
      );
      const row = firstRow(statement, ...parameters, from, to);
      const times = textOrNull(row?.[0] ?? null);
      const took = times === null ? new Float64Array(0) : Float64Array.from(times.split(','), Number).sort();
      return { took, unknown: whole(row?.[1] ?? 0) };
    },
  };
}

function newestFirst(a: Arrival, b: Arrival): number {
  if (a.lastAt !== b.lastAt) return b.lastAt - a.lastAt;
  return a.cluster === b.cluster ? (a.commit < b.commit ? -1 : 1) : a.cluster < b.cluster ? -1 : 1;
}
