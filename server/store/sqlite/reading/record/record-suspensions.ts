import type { Period } from '#lib/domain/record/span.ts';
import { decodeChangeFact } from '../../../codec/decode-change.ts';
import type { RecordReader } from '../../../port/record-port.ts';
import { suspendedBy } from '../../../record/suspensions.ts';
import { allRows, firstRow, text, whole, type Row } from '../../rows/cells.ts';
import { isOfClusters, ofClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import { spanColumns, spanOf } from '../../rows/span-row.ts';

/** How many of the longest suspensions that are over are looked at before all of a period are. */
const longestWalked = 10_000;
const columns = 'id, noticed_at, until, cluster, object';
const suspended = `FROM transition INDEXED BY transition_suspended WHERE to_verdict = 'suspended'`;
const byLength = `${suspended} AND until - noticed_at IS NOT NULL ORDER BY until - noticed_at DESC`;
const all = `(SELECT ${columns} ${suspended})`;
const longest = `(
  SELECT ${columns} FROM (SELECT ${columns} ${byLength} LIMIT ${longestWalked})
  UNION ALL SELECT ${columns} ${suspended} AND until - noticed_at IS NULL
)`;

/** Suspensions over an open database; `textOf` gives the text of an id. */
export function openRecordSuspensions(scopes: Scopes, textOf: (id: number) => string): RecordReader['suspensions'] {
  return async (scope, period, limit) => {
    const ids = scopes.resolve(scope);
    if (ids === null || period.from >= period.to) return [];
    // All others are at most as long as the shortest that was looked at, whatever of them is in the period.
    const [top, shortest] = [ranked(scopes, longest, ids, period, limit), shortestOfLongest(scopes)];
    const last = top[limit - 1];
    const enough = shortest === null || (last !== undefined && whole(last[1]) > shortest);
    const one = scopes.statement(`SELECT t.object, ${spanColumns} FROM transition t WHERE t.id = ?`);
    return (enough ? top : ranked(scopes, all, ids, period, limit)).flatMap(([id]) =>
      allRows(one, whole(id)).map((row) => {
        const object = whole(row[0]);
        const span = spanOf(scopes.refOf(object), row, 1, textOf);
        return { span, by: suspendedBy(span, suspensionChanges(scopes, object)) };
      }),
    );
  };
}

/** The longest suspensions within a period, by what the index holds: only what is shown is read whole. */
function ranked(scopes: Scopes, of: string, scope: ScopeIds, { from, to }: Period, limit: number): readonly Row[] {
  const byCluster = isOfClusters(scope);
  const { sql, parameters } = byCluster ? ofClusters(scope, 't.cluster') : scopes.objects(scope);
  const statement = scopes.statement(
    `SELECT t.id, MIN(COALESCE(t.until, ?2), ?2) - MAX(t.noticed_at, ?1) AS length
     FROM ${of} t ${byCluster ? '' : 'CROSS JOIN object o ON o.id = t.object'}
     WHERE t.noticed_at < ?2 AND (t.until IS NULL OR (t.until > ?1 AND t.until > t.noticed_at)) AND ${sql}
     ORDER BY length DESC, t.id DESC LIMIT ?`,
  );
  return allRows(statement, from, to, ...parameters, limit);
}

/** How long (ms) the shortest of the longest is; null where they are all that there are. */
function shortestOfLongest(scopes: Scopes): number | null {
  const row = firstRow(scopes.statement(`SELECT until - noticed_at ${byLength} LIMIT 1 OFFSET ${longestWalked - 1}`));
  return row === null ? null : whole(row[0]);
}

/** Who suspended and resumed an object, as it was noticed. */
function suspensionChanges(scopes: Scopes, object: number): Parameters<typeof suspendedBy>[1] {
  const statement = scopes.statement(
    `SELECT h.noticed_at, x.text FROM change h JOIN name k ON k.id = h.kind JOIN text x ON x.id = h.fact
     WHERE h.cluster = (SELECT cluster FROM object WHERE id = ?1) AND h.object = ?1
       AND k.text IN ('suspended', 'resumed') ORDER BY h.noticed_at, h.id`,
  );
  return allRows(statement, object).flatMap(([noticedAt, stored]) => {
    const fact = decodeChangeFact(text(stored));
    return fact === null ? [] : [{ noticedAt: whole(noticedAt), fact }];
  });
}
