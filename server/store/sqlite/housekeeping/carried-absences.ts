import type { DatabaseSync } from 'node:sqlite';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { failsAtRevision } from '#lib/domain/record/commit-range.ts';
import type { Transition } from '#lib/domain/record/current.ts';
import type { FaultNote, SubjectIds } from '../../record/incident/book.ts';
import { isNoted, noteOfRecord, type FaultRecord } from '../../record/incident/notes.ts';
import { prepare } from '../database.ts';
import { allRows, firstRow, text, whole, wholeOrNull, type Row } from '../rows/cells.ts';
import { groupAndKind } from '../rows/kind-reader.ts';
import { absenceColumns, absenceOf, transitionColumns, transitionOf } from '../rows/record-rows.ts';
import { openTextReader } from '../rows/text-reader.ts';

/** Notes that absences make. `next`: the id from which to go on, null where these were the last. */
interface Carried {
  readonly notes: readonly FaultNote[];
  readonly next: number | null;
}

const width = 5;
const columns = absenceColumns
  .split(', ')
  .map((column) => `a.${column}`)
  .join(', ');

/** Reads why objects were away from the absences that are stored, from an id on at most so many, and from the transitions within them. */
export function openCarriedAbsences(database: DatabaseSync): (from: number, most: number) => Carried {
  const textOf = openTextReader(database, 'text');
  const some = prepare(
    database,
    `SELECT a.id, ${columns}, a.object, a.cluster, s.name, k.text, n.text, o.name, o.repository
     FROM absence a JOIN object o ON o.id = a.object JOIN fact_source s ON s.id = a.cluster
     JOIN name k ON k.id = o.kind JOIN name n ON n.id = o.namespace WHERE a.id >= ? ORDER BY a.id LIMIT ?`,
  );
  const standing = prepare(
    database,
    `SELECT ${transitionColumns} FROM transition t INDEXED BY transition_span
     WHERE object = ? AND noticed_at <= ? ORDER BY noticed_at DESC, id DESC LIMIT 1`,
  );
  const within = prepare(
    database,
    `SELECT ${transitionColumns} FROM transition t INDEXED BY transition_span
     WHERE object = ? AND noticed_at > ? AND noticed_at < ? ORDER BY noticed_at, id`,
  );

  function transitionsIn({ ref, noticedAt, closedAt }: Absence, object: number): readonly Transition[] {
    const first = firstRow(standing, object, noticedAt);
    const later = allRows(within, object, noticedAt, closedAt ?? Number.MAX_SAFE_INTEGER);
    return [...(first === null ? [] : [first]), ...later].map((row) => transitionOf(ref, row, textOf));
  }

  function notesOf(row: Row): readonly FaultNote[] {
    const at = row.length - width - 2;
    const { group, kind } = groupAndKind(text(row[at + 3]));
    const ref: ObjectRef = {
      cluster: text(row[at + 2]),
      group,
      kind,
      namespace: text(row[at + 4]),
      name: text(row[at + 5]),
    };
    const absence = absenceOf(ref, row, textOf);
    const subject: SubjectIds = { id: whole(row[0]), object: whole(row[at]), cluster: whole(row[at + 1]) };
    const repository = wholeOrNull(row[at + 6]);
    const records = recordsOf(
      absence,
      transitionsIn(absence, subject.object),
      repository === null ? null : textOf(repository),
    );
    const away = records.map((record) =>
      noteOfRecord({ ...subject, absence }, record, Math.max(absence.noticedAt, record.onset.noticedAt)),
    );
    const { closedAt, ended } = absence;
    const over = closedAt === null || ended === null ? null : ({ type: 'over', at: closedAt, subject, ended } as const);
    return [...away, over].filter((note) => note !== null);
  }

  return (from, most) => {
    const rows = allRows(some, from, most);
    const last = rows.at(-1);
    return { notes: rows.flatMap(notesOf), next: rows.length < most || last === undefined ? null : whole(last[0]) + 1 };
  };
}

/** Records of an object as far as transitions tell of them; of an absence that none tells of, what it says itself. */
function recordsOf(
  absence: Absence,
  transitions: readonly Transition[],
  repository: string | null,
): readonly FaultRecord[] {
  const { ref, uid, openedAt, bound, noticedAt, range } = absence;
  const awaySince = { time: openedAt, bound, noticedAt };
  const known = transitions.flatMap(({ at, to, reason, message, rootCause, ...told }) => {
    if (to === null || !isNoted(to)) return [];
    const onset = { time: at, bound: told.bound, noticedAt: told.noticedAt };
    const failed = failsAtRevision(to) ? range : null;
    return [{ ref, uid, verdict: to, reason, message, onset, awaySince, rootCause, range: failed, repository }];
  });
  if (known.length > 0 && (known[0]?.onset.noticedAt ?? Infinity) <= noticedAt) return known;
  const { worst, reason, rootCause } = absence;
  const itself = {
    ref,
    uid,
    verdict: worst,
    reason,
    message: '',
    onset: awaySince,
    awaySince,
    rootCause,
    range,
    repository,
  };
  return [itself, ...known];
}
