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
import type { NamedObjects } from './named-objects.ts';

/** Columns of an absence `i` of an object `o`. */
export const absenceColumns = 'i.id, i.object, o.cluster, o.kind, i.opened_at, i.noticed_at, i.closed_at, i.bound';

/** Causes of which it is remembered which objects they are. */
const causesRemembered = 100_000;

/** Absences that are looked for: those of a scope that were known in a period and ended in a time; `first` is when the first of them began. */
export interface ConcernedAsked {
  readonly scope: ScopeIds;
  readonly period: Period;
  readonly ended: Period;
  readonly first: number;
}

/** Finds the absences that calls concern, from the calls on: there are few of them, and many absences. */
export function openConcernedAbsences(scopes: Scopes, faults: Pick<FaultReader, 'faultOf'>) {
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

  /** Begins a question, of a database that stands still. */
  return (objectsOf: NamedObjects) => {
    let hashes: readonly number[] | null = null;

    return (asked: ConcernedAsked, book: CallBook<MeantCall>): ReadonlyMap<number, AbsenceRow> => {
      const found = new Map<number, AbsenceRow>();
      const add = (rows: readonly AbsenceRow[]): void => {
        for (const row of rows) found.set(row.id, row);
      };
      const { ofObjects, ofCluster, ofCause } = openAbsences(scopes, asked);
      const meant = book.meant();
      const named = meant
        .filter((one) => !isUnnamed(one))
        .flatMap((one) => objectsOf(one, 'any').map((object) => ({ object, one })));
      const calls = Map.groupBy(named, ({ object }) => object);
      const its = ofObjects([...calls.keys()]);
      add(its.filter((row) => calls.get(row.object)?.some(({ one }) => isDuring(row, one))));
      for (const [cluster, unnamed] of Map.groupBy(meant.filter(isUnnamed), (one) => one.cluster)) {
        const [id] = scopes.ofCluster(cluster).clusters ?? [];
        if (id === undefined) continue;
        const rows = ofCluster(id, hullOf(unnamed));
        add(rows.filter(({ object }) => unnamed.some((one) => meansObject(one.named, scopes.refOf(object)) !== null)));
      }
      for (const hash of (hashes ??= scopes.ids(causes))) {
        const ref = causeOf(hash);
        const naming = ref === null ? [] : book.naming(ref);
        if (naming.length === 0) continue;
        add(ofCause(hash, hullOf(naming)));
      }
      return found;
    };
  };
}

/** Reads absences of a scope that were known in a period and ended in a time, and not before another. */
function openAbsences(scopes: Scopes, { scope, period, ended, first }: ConcernedAsked) {
  const { sql, parameters } = scopes.objects(scope);
  const known = 'i.noticed_at < ? AND (i.closed_at IS NULL OR i.closed_at > ? OR i.noticed_at >= ?)';
  const over = `COALESCE(i.closed_at, ${lasts}) >= ? AND COALESCE(i.closed_at, ${lasts}) < ?`;
  const object = 'CROSS JOIN object o ON o.id = i.object';
  const times = [period.to, period.from, period.from];
  return {
    ofObjects(objects: readonly number[]): readonly AbsenceRow[] {
      const statement = scopes.statement(
        `SELECT ${absenceColumns} FROM json_each(?) j CROSS JOIN absence i INDEXED BY absence_once ON i.object = j.value ${object}
         WHERE i.opened_at >= ? AND i.opened_at < ? AND ${known} AND ${over} AND ${sql}`,
      );
      const opened = [first, Math.min(period.to, ended.to)];
      const ids = JSON.stringify(objects.toSorted((a, b) => a - b));
      return allRows(statement, ids, ...opened, ...times, ...endsOf(ended), ...parameters).map(absenceOf);
    },
    ofCluster(cluster: number, hull: Period): readonly AbsenceRow[] {
      const statement = scopes.statement(
        `SELECT ${absenceColumns} FROM absence i INDEXED BY absence_cluster ${object}
         WHERE i.cluster = ? AND i.opened_at < ? AND (i.closed_at IS NULL OR i.closed_at > ?) AND ${known} AND ${over} AND ${sql}`,
      );
      return allRows(statement, cluster, hull.to, hull.from, ...times, ...endsOf(ended), ...parameters).map(absenceOf);
    },
    ofCause(hash: number, hull: Period): readonly AbsenceRow[] {
      const statement = scopes.statement(
        `SELECT DISTINCT ${absenceColumns} FROM fault f INDEXED BY fault_hash CROSS JOIN absence i ON i.id = f.subject ${object}
         WHERE f.hash = ? AND f.at < ? AND i.opened_at < ? AND (i.closed_at IS NULL OR i.closed_at > ?) AND ${known} AND ${over} AND ${sql}`,
      );
      // A cause may be noted when the call is over, and then for the time before.
      const its = [hash, period.to, hull.to, hull.from];
      return allRows(statement, ...its, ...times, ...endsOf(ended), ...parameters).map(absenceOf);
    },
  };
}

function isDuring({ openedAt, closedAt }: AbsenceRow, { from, to }: Period): boolean {
  return openedAt < to && closedAt > from;
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

/** Reads such a row. */
export function absenceOf(row: Row): AbsenceRow {
  return {
    ...{ id: whole(row[0]), object: whole(row[1]), cluster: whole(row[2]), kind: whole(row[3]) },
    ...{ openedAt: whole(row[4]), noticedAt: whole(row[5]), closedAt: wholeOrNull(row[6]) ?? Infinity },
    bound: boundOf(text(row[7])),
  };
}
