import type { CallBook, MeantCall, MeantObjects } from '#lib/domain/alarm/called/call-book.ts';
import { meansObject } from '#lib/domain/alarm/called/call-meaning.ts';
import { causeObject } from '#lib/domain/alarm/called/cause-object.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { boundedMap } from '../../../../runtime/bounded-map.ts';
import { boundOf } from '../../../codec/traits.ts';
import { allRows, oneRow, text, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import type { FaultReader } from '../record/incident/fault-reader.ts';
import type { ScopeIds, Scopes } from '../record/record-scope.ts';
import type { AbsenceRow } from './absence-times.ts';
import { endsOf, lasts } from './late-absences.ts';
import { openNamedObjects } from './named-objects.ts';

const columns = 'i.id, i.object, o.cluster, o.kind, i.opened_at, i.noticed_at, i.closed_at, i.bound';

/** Causes of which it is remembered which objects they are. */
const causesRemembered = 100_000;

/** Finds the absences that calls concern, from the calls on: there are few of them, and many absences. */
export function openConcernedAbsences(scopes: Scopes, faults: Pick<FaultReader, 'faultOf'>) {
  const namedObjects = openNamedObjects(scopes);
  const known = boundedMap<number, { readonly ref: ObjectRef | null }>(causesRemembered);
  const causes = `WITH RECURSIVE known (hash) AS (
      SELECT MIN(hash) FROM fault INDEXED BY fault_hash WHERE hash IS NOT NULL
      UNION ALL SELECT (SELECT MIN(hash) FROM fault INDEXED BY fault_hash WHERE hash > known.hash) FROM known WHERE hash IS NOT NULL
    ) SELECT hash FROM known WHERE hash IS NOT NULL`;
  const faultWith = scopes.statement('SELECT fault FROM fault INDEXED BY fault_hash WHERE hash = ? LIMIT 1');

  /** The object that a cause is, by the hash of its key. */
  function causeOf(hash: number): ObjectRef | null {
    const found = known.get(hash);
    if (found !== undefined) return found.ref;
    const ref = causeObject(faults.faultOf(whole(oneRow(faultWith, hash)[0])).cause);
    known.set(hash, { ref });
    return ref;
  }

  /** Reads absences of a scope that were known in a period and ended in a time, and not before another. */
  function openAbsences(scope: ScopeIds, period: Period, ended: Period) {
    const { sql, parameters } = scopes.objects(scope);
    const known = `i.noticed_at < ? AND (i.closed_at IS NULL OR i.closed_at > ? OR i.noticed_at >= ?)
      AND i.opened_at < ? AND (i.closed_at IS NULL OR i.closed_at > ?)
      AND COALESCE(i.closed_at, ${lasts}) >= ? AND COALESCE(i.closed_at, ${lasts}) < ? AND ${sql}`;
    const reading = (from: string, what: string) => {
      const statement = scopes.statement(`SELECT ${what} ${columns} FROM ${from} AND ${known}`);
      return (only: number, hull: Period): readonly AbsenceRow[] => {
        const times = [period.to, period.from, period.from, hull.to, hull.from, ...endsOf(ended)];
        return allRows(statement, only, ...times, ...parameters).map(absenceOf);
      };
    };
    const object = 'CROSS JOIN object o ON o.id = i.object';
    return {
      ofObject: reading(`absence i INDEXED BY absence_once ${object} WHERE i.object = ?`, ''),
      ofCluster: reading(`absence i INDEXED BY absence_cluster ${object} WHERE i.cluster = ?`, ''),
      ofCause: reading(
        `fault f INDEXED BY fault_hash CROSS JOIN absence i ON i.id = f.subject ${object} WHERE f.hash = ?`,
        'DISTINCT',
      ),
    };
  }

  return (
    scope: ScopeIds,
    period: Period,
    ended: Period,
    book: CallBook<MeantCall>,
  ): ReadonlyMap<number, AbsenceRow> => {
    const found = new Map<number, AbsenceRow>();
    const add = (rows: readonly AbsenceRow[]): void => {
      for (const row of rows) found.set(row.id, row);
    };
    const objectsOf = namedObjects();
    const { ofObject, ofCluster, ofCause } = openAbsences(scope, period, ended);
    const meant = book.meant();
    for (const one of meant) {
      if (one.named.name !== null) for (const object of objectsOf(one, 'any')) add(ofObject(object, one));
    }
    for (const [cluster, its] of Map.groupBy(meant.filter(isUnnamed), (one) => one.cluster)) {
      const [id] = scopes.ofCluster(cluster).clusters ?? [];
      if (id === undefined) continue;
      const rows = ofCluster(id, hullOf(its));
      add(rows.filter(({ object }) => its.some(({ named }) => meansObject(named, scopes.refOf(object)) !== null)));
    }
    for (const hash of scopes.ids(causes)) {
      const ref = causeOf(hash);
      const calls = ref === null ? [] : book.naming(ref);
      if (calls.length > 0) add(ofCause(hash, hullOf(calls)));
    }
    return found;
  };
}

function isUnnamed({ named }: MeantObjects): boolean {
  return named.name === null;
}

function hullOf(periods: readonly Period[]): Period {
  return {
    from: periods.reduce((first, { from }) => Math.min(first, from), Infinity),
    to: periods.reduce((last, { to }) => Math.max(last, to), -Infinity),
  };
}

function absenceOf(row: Row): AbsenceRow {
  return {
    ...{ id: whole(row[0]), object: whole(row[1]), cluster: whole(row[2]), kind: whole(row[3]) },
    ...{ openedAt: whole(row[4]), noticedAt: whole(row[5]), closedAt: wholeOrNull(row[6]) ?? Infinity },
    bound: boundOf(text(row[7])),
  };
}
