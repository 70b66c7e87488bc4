import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { ChangeFact } from '#lib/domain/record/change.ts';
import type { Correction } from '#lib/domain/record/current.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { cutAtDays, dayOf } from '#lib/domain/time/utc-day.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Arrivals, ArrivalTimes, RecordCursor } from '../../../port/record-port.ts';
import { durationList } from '../../../codec/duration-list.ts';
import { newestArrival } from '../../../record/ledger.ts';
import { allRows, firstRow, text, textOrNull, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import { addDurations } from '../../rows/duration-text.ts';
import { pageOfRows, keyOf } from './page-cursor.ts';
import type { GapReader } from './record-gaps.ts';
import { ofClusters, wholeClusters, type ScopeIds, type Scopes } from './record-scope.ts';

/** In the order of their words. */
const certainties = ['confirmed', 'contested', 'probable'] as const satisfies readonly Correction['certainty'][];

/** The certainty of a stored word; of another version's the least. */
function certaintyOf(stored: string): Correction['certainty'] {
  return certainties.find((certainty) => certainty === stored) ?? 'contested';
}

/** Record kept beside spans, over an open database. */
export function openRecordLedger(scopes: Scopes, gaps: Pick<GapReader, 'begun'>) {
  return {
    earlier(ref: ObjectRef) {
      const object = scopes.objectOf(ref);
      if (object === null) return [];
      const statement = scopes.statement(
        'SELECT uid, from_at, to_at, good, status, revision FROM backfill WHERE object = ? ORDER BY from_at, id',
      );
      return allRows(statement, object).map(([uid, from, to, good, status, revision]) => {
        return {
          ref,
          uid: text(uid),
          from: whole(from),
          to: whole(to),
          good: good === 1,
          status: text(status),
          revision: revision === null ? null : scopes.textOf(whole(revision)),
        };
      });
    },
    ...openCorrections(scopes),
    ...openArrivals(scopes, gaps),
    changeCounts(scope: ScopeIds, period: Period, asked: readonly ChangeFact['type'][]) {
      const typeOf = new Map(asked.flatMap((type) => changeKinds(scopes, type).map((id) => [id, type] as const)));
      const counts = new Map<ChangeFact['type'], number>();
      for (const [kind, count] of changeCountRows(scopes, scope, period, [...typeOf.keys()])) {
        const type = typeOf.get(whole(kind));
        if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + whole(count));
      }
      return [...counts].map(([type, count]) => ({ type, count })).toSorted((a, b) => compareText(a.type, b.type));
    },
  };
}

/** The ids of what tells changes of one moment apart: the type, and where that is not enough more words behind it. */
function changeKinds(scopes: Scopes, type: ChangeFact['type']): readonly number[] {
  return scopes.ids(
    "SELECT id FROM name WHERE text = ?1 UNION ALL SELECT id FROM name WHERE text > ?1 || ' ' AND text < ?1 || '!'",
    [type],
  );
}

function changeCountRows(
  scopes: Scopes,
  scope: ScopeIds,
  { from, to }: Period,
  kinds: readonly number[],
): readonly Row[] {
  const packages = JSON.stringify(changeKinds(scopes, 'package-revision'));
  const beside = { sql: 'h.kind NOT IN (SELECT value FROM json_each(?))', parameters: [packages] };
  const { join, sql, parameters } = scopes.rowsOfAll(scope, 'h', beside);
  const statement = scopes.statement(
    `SELECT h.kind, COUNT(*) FROM change h ${join}
     WHERE ${sql} AND h.at >= ? AND h.at < ? AND h.kind IN (SELECT value FROM json_each(?)) GROUP BY h.kind`,
  );
  return allRows(statement, ...parameters, from, to, JSON.stringify(kinds));
}

function openCorrections(scopes: Scopes) {
  return {
    corrections(
      scope: ScopeIds,
      { from, to }: Period,
      { cursor, limit }: { readonly cursor: RecordCursor | null; readonly limit: number },
    ) {
      const { sql, parameters } = scopes.objects(scope);
      const { rank: before, id } = keyOf(cursor) ?? { rank: to, id: 0 };
      const statement = scopes.statement(
        `SELECT k.at, k.id, k.object, k.certainty, k.said, k.count FROM correction k JOIN object o ON o.id = k.object
         WHERE ${sql} AND k.at >= ? AND k.at <= ? AND (k.at < ? OR k.id < ?) ORDER BY k.at DESC, k.id DESC LIMIT ?`,
      );
      const rows = allRows(statement, ...parameters, from, before, before, id, limit + 1);
      return pageOfRows(
        rows,
        limit,
        (row) => ({ rank: whole(row[0]), id: whole(row[1]) }),
        (row) => ({
          ref: scopes.refOf(whole(row[2])),
          correction: {
            at: whole(row[0]),
            certainty: certaintyOf(text(row[3])),
            said: scopes.textOf(whole(row[4])),
            count: whole(row[5]),
          },
        }),
      );
    },
    correctionDays(scope: ScopeIds, period: Period) {
      const [first = Infinity] = scopes.ids('SELECT at FROM correction ORDER BY at LIMIT 1');
      const { join, sql, parameters } = scopes.rows(scope, 'k');
      // Day by day and without groups: the sums of a day come straight from the index.
      const sums = certainties.map((certainty) => `SUM(CASE WHEN k.certainty = '${certainty}' THEN k.count END)`);
      const statement = scopes.statement(
        `SELECT ${sums.join(', ')} FROM correction k ${join} WHERE ${sql} AND k.at >= ? AND k.at < ?`,
      );
      return cutAtDays({ from: Math.max(period.from, first), to: period.to }).flatMap(({ from, to }) => {
        const row = firstRow(statement, ...parameters, from, to);
        return certainties.flatMap((certainty, position) => {
          const count = wholeOrNull(row?.[position] ?? null);
          return count === null ? [] : [{ day: dayOf(from), certainty, count }];
        });
      });
    },
  };
}

function openArrivals(scopes: Scopes, gaps: Pick<GapReader, 'begun'>) {
  /** Clusters whose arrivals a scope asks for, by a time: how many are told of, and those of which it sees a part. */
  function clustersOf(scope: ScopeIds, to: number): Pick<ArrivalTimes, 'of' | 'partly'> {
    const begun = [...gaps.begun(scope)].flatMap(([cluster, at]) => (at < to ? cluster : []));
    const { clusters } = wholeClusters(scope);
    const whole = new Set(clusters);
    const partly = clusters === null ? [] : begun.filter((cluster) => !whole.has(cluster));
    return { of: begun.length - partly.length, partly: partly.map(scopes.clusterName).toSorted(compareText) };
  }

  return {
    arrivals(scope: ScopeIds, { from, to }: Period, limit: number): Arrivals {
      const { sql, parameters } = ofClusters(wholeClusters(scope), 'a.cluster');
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
      return { list: arrivals.toSorted(newestArrival), partly: clustersOf(scope, to).partly };
    },
    arrivalTimes(scope: ScopeIds, { from, to }: Period): ArrivalTimes {
      const { sql, parameters } = ofClusters(wholeClusters(scope), 'a.cluster');
      // In one text: a row for each costs more than reading it.
      const statement = scopes.statement(
        `SELECT GROUP_CONCAT(MAX(0, a.last_at - a.offered_at)), COUNT(*) - COUNT(a.offered_at) FROM arrival a
         WHERE ${sql} AND a.last_at >= ? AND a.last_at < ?`,
      );
      const row = firstRow(statement, ...parameters, from, to);
      const took = durationList();
      addDurations(took, textOrNull(row?.[0] ?? null));
      return { ...clustersOf(scope, to), took: took.ascending(), unknown: whole(row?.[1] ?? 0) };
    },
  };
}
