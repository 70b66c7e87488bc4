import type { Period } from '#lib/domain/record/span.ts';
import { verdicts, type Verdict } from '#lib/domain/verdict/verdict.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { RecordCursor } from '../../../port/record-port.ts';
import { allRows, whole, type Row } from '../../rows/cells.ts';
import { keyOf, pageOfRows, type PageKey } from './page-cursor.ts';
import { ofClusters, isOfClusters, type ScopeIds, type Scopes } from './record-scope.ts';
import { spanColumns, spanOf } from '../../rows/record-rows.ts';

/**
 * The beginning of the span of object `o` that a moment lies in, else the moment: with it as the lower bound, a period's spans are
 * one seek and what follows, however long the record is.
 */
export const sinceSpanAt = `COALESCE((SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at <= ?), ?)`;

/** Condition on rows of a period [from, to): rows of `t` with parameters from, from, to, from, to. */
const overlapping = `t.noticed_at >= ${sinceSpanAt} AND t.noticed_at < ? AND t.to_verdict <> ''
  AND (t.until IS NULL OR (t.until > ? AND t.until > t.noticed_at))`;

/** A page of the spans of a scope: behind which span it goes on, of which verdicts. */
interface SpanPage {
  readonly scope: ScopeIds;
  readonly period: Period;
  readonly after: PageKey;
  readonly verdicts: readonly Verdict[];
  readonly limit: number;
}

/** Spans over an open database. */
export function openRecordSpans(scopes: Scopes) {
  return {
    spans(ref: ObjectRef, { from, to }: Period, limit: number) {
      const object = scopes.objectOf(ref);
      if (object === null || from >= to) return [];
      const statement = scopes.statement(
        `SELECT ${spanColumns} FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
         WHERE o.id = ? AND ${overlapping} ORDER BY t.noticed_at, t.id LIMIT ?`,
      );
      return allRows(statement, object, from, from, to, from, limit).map((row) => spanOf(ref, row, 0, scopes.textOf));
    },
    spansIn(
      scope: ScopeIds,
      period: Period,
      asked: { readonly verdicts?: readonly Verdict[]; readonly cursor: RecordCursor | null; readonly limit: number },
    ) {
      const { verdicts: of = verdicts, cursor, limit } = asked;
      const page = {
        scope,
        period,
        after: keyOf(cursor) ?? { rank: period.to, id: 0 },
        verdicts: of,
        limit: limit + 1,
      };
      const rows = [...beginning(scopes, page)];
      if (rows.length <= limit) rows.push(...reachingIn(scopes, { ...page, limit: page.limit - rows.length }));
      return pageOfRows(
        rows,
        limit,
        (row) => ({ rank: whole(row[2]), id: whole(row[0]) }),
        (row) => spanOf(scopes.refOf(whole(row[1])), row, 2, scopes.textOf),
      );
    },
  };
}

/** As a parameter: each choice of verdicts would be a statement of its own. */
const verdictIn = 't.to_verdict IN (SELECT value FROM json_each(?))';

/** Rows of id, object and span that begin within the period, newest first. */
function beginning(scopes: Scopes, { scope, period, after, verdicts: of, limit }: SpanPage): readonly Row[] {
  const within = `t.noticed_at >= ? AND t.noticed_at <= ? AND (t.noticed_at < ? OR t.id < ?)
    AND (t.until IS NULL OR t.until > t.noticed_at) ORDER BY t.noticed_at DESC, t.id DESC LIMIT ?`;
  const times = [period.from, after.rank, after.rank, after.id, limit];
  if (!isOfClusters(scope) || scope.clusters?.length === 1) {
    const { sql, parameters } = scopes.objects(scope);
    const from = 'object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id';
    const statement = scopes.statement(
      `SELECT t.id, t.object, ${spanColumns} FROM ${from} WHERE ${sql} AND ${verdictIn} AND ${within}`,
    );
    return allRows(statement, ...parameters, JSON.stringify(of), ...times);
  }
  // Verdict by verdict: a seek for each, where all of a period would have to be looked at for a seldom one.
  const { sql, parameters } = ofClusters(scope, 't.cluster');
  const statement = scopes.statement(
    `SELECT t.id, t.object, ${spanColumns} FROM transition t INDEXED BY transition_verdict
     WHERE t.to_verdict = ? AND ${sql} AND ${within}`,
  );
  return of
    .flatMap((verdict) => allRows(statement, verdict, ...parameters, ...times))
    .toSorted((a, b) => whole(b[2]) - whole(a[2]) || whole(b[0]) - whole(a[0]))
    .slice(0, limit);
}

/** Rows of id, object and span that had begun before the period and reach into it, newest first. */
function reachingIn(scopes: Scopes, { scope, period, after, verdicts: of, limit }: SpanPage): readonly Row[] {
  const { from } = period;
  const objects = scopes.objects(scope);
  const statement = scopes.statement(
    `SELECT t.id, t.object, ${spanColumns} FROM object o CROSS JOIN transition t INDEXED BY transition_span ON t.object = o.id
     WHERE ${objects.sql} AND t.noticed_at = (SELECT MAX(p.noticed_at) FROM transition p WHERE p.object = o.id AND p.noticed_at < ?)
       AND ${verdictIn} AND (t.until IS NULL OR (t.until > ? AND t.until > t.noticed_at))
       AND (t.noticed_at < ? OR (t.noticed_at = ? AND t.id < ?)) ORDER BY t.noticed_at DESC, t.id DESC LIMIT ?`,
  );
  const its = [...objects.parameters, from, JSON.stringify(of)];
  return allRows(statement, ...its, from, after.rank, after.rank, after.id, limit);
}
