import type { Period } from '#lib/domain/record/span.ts';
import { decodeChangeFact } from '../../../codec/decode-change.ts';
import { suspendedBy } from '../../../record/suspensions.ts';
import { allRows, oneRow, text, whole, type Row } from '../../rows/cells.ts';
import { longestRows, longestWalked } from './longest-rows.ts';
import { seenObjects, type ScopeIds, type Scopes } from './record-scope.ts';
import { spanColumns, spanOf } from '../../rows/record-rows.ts';

const columns = 'id, noticed_at, until, cluster, object';
const suspended = `FROM transition INDEXED BY transition_suspended WHERE to_verdict = 'suspended'`;
const byLength = `${suspended} AND until - noticed_at IS NOT NULL ORDER BY until - noticed_at DESC`;
const all = `(SELECT ${columns} ${suspended})`;
const longest = `(
  SELECT ${columns} FROM (SELECT ${columns} ${byLength} LIMIT ${longestWalked})
  UNION ALL SELECT ${columns} ${suspended} AND until - noticed_at IS NULL
)`;

/** Suspensions over an open database. */
export function openRecordSuspensions(scopes: Scopes) {
  const one = scopes.statement(`SELECT t.object, ${spanColumns} FROM transition t WHERE t.id = ?`);
  return (scope: ScopeIds, period: Period, limit: number) => {
    const rows =
      seenObjects(scope) === null
        ? longestRows(scopes, `SELECT until - noticed_at ${byLength}`, limit, (among) =>
            ranked(scopes, among === 'longest' ? longest : all, scope, period, limit),
          )
        : ofObjects(scopes, scope, period, limit);
    return rows.map(([, id]) => {
      const row = oneRow(one, whole(id));
      const object = whole(row[0]);
      const span = spanOf(scopes.refOf(object), row, 1, scopes.textOf);
      return { span, by: suspendedBy(span, suspensionChanges(scopes, object)) };
    });
  };
}

const rank = 'MIN(COALESCE(t.until, ?2), ?2) - MAX(t.noticed_at, ?1) AS length, t.id';
const overlapping = 't.noticed_at < ?2 AND (t.until IS NULL OR (t.until > ?1 AND t.until > t.noticed_at))';
const longestFirst = 'ORDER BY length DESC, t.id DESC LIMIT ?';

/** Rows of length and id, by what the index holds: only what is shown is read whole. */
function ranked(scopes: Scopes, of: string, scope: ScopeIds, { from, to }: Period, limit: number): readonly Row[] {
  const { inOrder, sql, parameters } = scopes.rows(scope, 't');
  const statement = scopes.statement(
    `SELECT ${rank} FROM ${of} t ${inOrder} WHERE ${overlapping} AND ${sql} ${longestFirst}`,
  );
  return allRows(statement, from, to, ...parameters, limit);
}

/** The same, object by object, where few are seen. */
function ofObjects(scopes: Scopes, scope: ScopeIds, { from, to }: Period, limit: number): readonly Row[] {
  const { sql, parameters } = scopes.objects(scope);
  const statement = scopes.statement(
    `SELECT ${rank} FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
     WHERE t.to_verdict = 'suspended' AND ${overlapping} AND ${sql} ${longestFirst}`,
  );
  return allRows(statement, from, to, ...parameters, limit);
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
