import type { Member } from '#lib/domain/incident/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { boundOf } from '../../../../codec/traits.ts';
import { incidentEndOf } from '../../../../codec/incident-words.ts';
import type { RecordCursor, RecordPage, RecordScope } from '../../../../port/record-port.ts';
import { allRows, text, textOrNull, whole, wholeOrNull, type Row } from '../../../rows/cells.ts';
import { keyOf, noPage, pageOfRows } from '../page-cursor.ts';
import type { ScopeIds, Scopes } from '../record-scope.ts';
import type { FaultReader } from './fault-reader.ts';
import type { IncidentDetails } from './incident-details.ts';

const columns = `m.id, m.incident, m.subject, m.cluster, m.object, m.objects, m.from_at, m.bound, m.noticed_at, m.to_at, m.ended,
  m.fault, m.fault_at`;

/** Members as a page tells them: first those that were in it, then those that were not any more. */
const parts = ['(m.to_at IS NULL OR m.to_at > ?)', '(m.to_at IS NOT NULL AND m.to_at <= ?)'] as const;

/** Reads a member as known at a moment (ms). */
function openMemberOf(scopes: Scopes, details: IncidentDetails, faults: FaultReader) {
  return (row: Row, at: number): Member => {
    const [subject, cluster, object] = [whole(row[2]), whole(row[3]), whole(row[4])];
    const stored = faults.faultOf(whole(row[11]));
    const fault = whole(row[12]) <= at ? stored : (faults.faultAt(subject, at) ?? stored);
    const to = wholeOrNull(row[9]);
    const left = to !== null && to <= at;
    return {
      incident: details.idOf(whole(row[1])),
      ref: object === 0 ? null : scopes.refOf(object),
      cluster: scopes.clusterName(cluster),
      objects: whole(row[5]),
      from: whole(row[6]),
      bound: boundOf(text(row[7])),
      noticedAt: whole(row[8]),
      to: left ? to : null,
      ended: left ? incidentEndOf(textOrNull(row[10])) : null,
      verdict: fault.verdict,
      reason: fault.reason,
      cause: fault.cause,
      own: fault.own,
    };
  };
}

/** Members of incidents over an open database. */
export function openIncidentMembers(scopes: Scopes, details: IncidentDetails, faults: FaultReader) {
  const memberOf = openMemberOf(scopes, details, faults);

  /** Members of one part, behind an id. */
  function rowsOf(
    incident: number,
    scope: ScopeIds,
    at: number,
    part: number,
    after: number,
    limit: number,
  ): readonly Row[] {
    const { inOrder, sql, parameters } = scopes.rowsOfAll(scope, 'm');
    const statement = scopes.statement(
      `SELECT ${columns}, ${part} FROM incident_member m INDEXED BY incident_member_order ${inOrder}
       WHERE m.incident = ? AND m.id > ? AND ${sql} AND m.joined_at <= ? AND ${parts[part]} ORDER BY m.id LIMIT ?`,
    );
    return allRows(statement, incident, after, ...parameters, at, at, limit);
  }

  return {
    members(
      id: string,
      at: number,
      scope: RecordScope,
      { cursor, limit }: { readonly cursor: RecordCursor | null; readonly limit: number },
    ): RecordPage<Member> {
      const [incident, ids] = [details.rowOf(id), scopes.resolve(scope)];
      if (incident === null || ids === null) return noPage;
      const after = keyOf(cursor) ?? { rank: 0, id: 0 };
      const rows = after.rank === 0 ? [...rowsOf(incident, ids, at, 0, after.id, limit + 1)] : [];
      const left = limit + 1 - rows.length;
      if (left > 0) rows.push(...rowsOf(incident, ids, at, 1, after.rank === 0 ? 0 : after.id, left));
      return pageOfRows(
        rows,
        limit,
        (row) => ({ rank: whole(row[13]), id: whole(row[0]) }),
        (row) => memberOf(row, at),
      );
    },
    membersOfMany(ids: readonly string[], at: number, scope: RecordScope, most: number): readonly Member[] | null {
      const within = scopes.resolve(scope);
      const incidents = ids.flatMap((id) => details.rowOf(id) ?? []);
      if (within === null || incidents.length === 0) return [];
      const { inOrder, sql, parameters } = scopes.rowsOfAll(within, 'm');
      const statement = scopes.statement(
        `SELECT ${columns} FROM json_each(?) c
         CROSS JOIN incident_member m INDEXED BY incident_member_order ON m.incident = c.value ${inOrder}
         WHERE ${sql} AND m.joined_at <= ? LIMIT ?`,
      );
      const rows = allRows(statement, JSON.stringify(incidents), ...parameters, at, most + 1);
      if (rows.length > most) return null;
      const found = Map.groupBy(rows, (row) => whole(row[1]));
      return incidents.flatMap((incident) => {
        const its = (found.get(incident) ?? []).toSorted((a, b) => whole(a[0]) - whole(b[0]));
        const told = its.map((row) => memberOf(row, at));
        return [...told.filter(({ to }) => to === null), ...told.filter(({ to }) => to !== null)];
      });
    },
    membershipsOf(ref: ObjectRef, at: number, limit: number): readonly Member[] {
      const object = scopes.objectOf(ref);
      if (object === null) return [];
      const statement = scopes.statement(
        `SELECT ${columns} FROM incident_member m INDEXED BY incident_member_object CROSS JOIN incident i ON i.id = m.incident
         WHERE m.object = ? AND m.object <> 0 AND m.joined_at <= ? AND (i.merged_into IS NULL OR i.changed_at > ?)
         ORDER BY m.id DESC LIMIT ?`,
      );
      return allRows(statement, object, at, at, limit).map((row) => memberOf(row, at));
    },
  };
}
