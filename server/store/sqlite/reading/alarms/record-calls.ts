import type { SQLInputValue } from 'node:sqlite';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { Within } from '#lib/domain/access/within.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { kindWords } from '#lib/domain/pager/kind-name.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { CallQuestion } from '../../../port/alarm-port.ts';
import type { RecordCursor, RecordPage, RecordScope } from '../../../port/record-port.ts';
import { callKnownAt } from '../../../record/alarm/known-call.ts';
import { allRows, whole, type Row } from '../../rows/cells.ts';
import { alarmCoverageColumns, alarmCoverageOf, callColumns, callOf } from '../../rows/call-row.ts';
import { keyOf, noPage, pageOfRows } from '../record/page-cursor.ts';
import type { Condition, Scopes } from '../record/record-scope.ts';

/** Calls and the coverage of alarm sources over an open database. */
export function openRecordCalls(scopes: Scopes) {
  function calls(conditions: readonly Condition[], limit: number): readonly Row[] {
    const statement = scopes.statement(
      `SELECT ${callColumns} FROM alarm_call c WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}
       ORDER BY c.from_at DESC, c.id DESC LIMIT ?`,
    );
    return allRows(statement, ...conditions.flatMap(({ parameters }) => parameters), limit);
  }

  /** The call of a row that was known by `at` (ms). */
  function read(row: Row, at: number): AlarmCall {
    const call = callOf(scopes.sourceName(whole(row[8])), row);
    return callKnownAt(call, at) ?? call;
  }

  return {
    calls(
      { scope, period, at }: CallQuestion,
      { cursor, limit }: { readonly cursor: RecordCursor | null; readonly limit: number },
    ): RecordPage<AlarmCall> {
      if (period.from >= period.to) return noPage;
      const rows = calls([...knownIn(period, at), ...callsInScope(scope), ...behind(cursor)], limit + 1);
      const keyIn = (row: Row) => ({ rank: whole(row[6]), id: whole(row[9]) });
      return pageOfRows(rows, limit, keyIn, (row) => read(row, at));
    },
    callsOf(
      ref: ObjectRef,
      { from, to, at }: { readonly from: number; readonly to: number; readonly at: number },
      limit: number,
    ): readonly AlarmCall[] {
      if (from >= to) return [];
      const { cluster, namespace, name, ...kind } = ref;
      const scope = { clusters: [cluster], kind, namespace, name };
      return calls([...knownIn({ from, to }, at), ...callsInScope(scope)], limit).map((row) => read(row, at));
    },
    alarmCoverage({ from, to }: { readonly from: number; readonly to: number }): readonly AlarmCoverage[] {
      const statement = scopes.statement(
        `SELECT * FROM (SELECT ${alarmCoverageColumns} FROM alarm_coverage l JOIN (SELECT fact_source, MAX(at) AS at FROM alarm_coverage
           WHERE at < ?1 GROUP BY fact_source) last USING (fact_source, at)
           WHERE NOT EXISTS (SELECT 1 FROM alarm_coverage n WHERE n.fact_source = l.fact_source AND n.at = l.at AND n.id > l.id)
         UNION ALL SELECT ${alarmCoverageColumns} FROM alarm_coverage l WHERE at BETWEEN ?1 AND ?2) ORDER BY 2, 6`,
      );
      return allRows(statement, from, to).map((row) => alarmCoverageOf(scopes.sourceName(whole(row[0])), row));
    },
  };
}

/** As `overlaps` has it of a call as it was known at `at` (ms). */
function knownIn({ from, to }: Period, at: number): readonly Condition[] {
  return [
    { sql: 'c.from_at < ? AND c.from_at <= ?', parameters: [to, at] },
    { sql: '(c.to_at IS NULL OR c.to_at > ? OR (c.to_at > ? AND c.to_at > c.from_at))', parameters: [at, from] },
  ];
}

/** Of these clusters, and where the scope has any words, of an object that they fit: what is not named fits. */
export function callsInScope({ clusters, kind, namespace, name, within }: RecordScope): readonly Condition[] {
  const found: Condition[] = [];
  const add = (sql: string, ...parameters: SQLInputValue[]): void => void found.push({ sql, parameters });
  const [only] = clusters ?? [];
  if (clusters?.length === 1 && only !== undefined) add('c.attributed = ?', only);
  else if (clusters !== null) add('c.attributed IN (SELECT value FROM json_each(?))', JSON.stringify(clusters));
  if (within !== undefined) found.push(callsWithin(within));
  if (kind === undefined && namespace === undefined && name === undefined) return found;
  if (name === undefined) add('c.of_name IS NOT NULL');
  else add('c.of_name = ?', name);
  if (kind !== undefined) {
    add('c.of_kind IN (?, ?)', ...kindWords(kind.kind));
    add('(c.of_group IS NULL OR c.of_group = ?)', kind.group);
  }
  if (namespace) add('(c.of_namespace IS NULL OR c.of_namespace = ?)', namespace);
  return found;
}

/** As `isCallWithin` has it. */
function callsWithin(within: Within): Condition {
  const parts = within.map(({ clusters, namespaces }): Condition => {
    const named: Condition =
      clusters === null
        ? { sql: 'c.attributed IS NOT NULL', parameters: [] }
        : { sql: 'c.attributed IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(clusters)] };
    if (namespaces === null) return named;
    return {
      sql: `${named.sql} AND c.of_name IS NOT NULL AND COALESCE(c.of_namespace, '') IN (SELECT value FROM json_each(?))`,
      parameters: [...named.parameters, JSON.stringify(namespaces)],
    };
  });
  return {
    sql: parts.length === 0 ? 'FALSE' : `(${parts.map(({ sql }) => `(${sql})`).join(' OR ')})`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

function behind(cursor: RecordCursor | null): readonly Condition[] {
  const key = keyOf(cursor);
  return key === null ? [] : [{ sql: '(c.from_at, c.id) < (?, ?)', parameters: [key.rank, key.id] }];
}
