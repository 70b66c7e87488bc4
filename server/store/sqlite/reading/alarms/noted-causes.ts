import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { causeObject } from '#lib/domain/alarm/called/cause-object.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { allRows, whole, wholeOrNull, type Row } from '../../rows/cells.ts';
import type { FaultReader } from '../record/incident/fault-reader.ts';
import type { Scopes } from '../record/record-scope.ts';

/** A root cause that can be named by a call, while it was the one that was noted last (ms, half-open). */
export interface NotedCause extends Period {
  readonly ref: ObjectRef;
}

/** The root causes of one subject. */
export interface NotedCauses {
  /** In no order. */
  readonly noted: readonly NotedCause[];
  /** The one that was noted first, in the time before that: it may have been the cause already. null where no call can name it. */
  readonly toCome: NotedCause | null;
}

/** Reads the root causes of subjects of incidents as they were noted. */
export function openNotedCauses(scopes: Scopes, faults: Pick<FaultReader, 'faultOf'>) {
  const noted = scopes.statement(
    'SELECT at, fault FROM fault INDEXED BY fault_subject WHERE subject = ? ORDER BY id DESC',
  );

  /** Those of a subject that is no lost cluster. */
  return (subject: number): NotedCauses => causesIn(allRows(noted, subject), faults);
}

/** Reads the root causes of many subjects at once; gives those of each. */
export function openCausesOfMany(scopes: Scopes, faults: Pick<FaultReader, 'faultOf'>) {
  const noted = scopes.statement(
    `SELECT f.at, f.fault, f.subject FROM json_each(?) s CROSS JOIN fault f INDEXED BY fault_subject ON f.subject = s.value
     ORDER BY f.id DESC`,
  );

  return (subjects: readonly number[]): ((subject: number) => NotedCauses) => {
    const rows = Map.groupBy(allRows(noted, JSON.stringify([...new Set(subjects)])), ([, , subject]) => subject);
    return (subject) => causesIn(rows.get(subject) ?? [], faults);
  };
}

/** Of the notes on one subject (time, and the id of the fault's text), the last one first. */
function causesIn(notes: readonly Row[], faults: Pick<FaultReader, 'faultOf'>): NotedCauses {
  const noted: NotedCause[] = [];
  // Of two notes the later counts from its time on, also where the clock was set back between them.
  let to = Infinity;
  let toCome: NotedCause | null = null;
  for (const row of notes) {
    const from = whole(row[0]);
    if (from >= to) continue;
    const fault = wholeOrNull(row[1]);
    const ref = fault === null ? null : causeObject(faults.faultOf(fault).cause);
    if (ref !== null) noted.push({ ref, from, to });
    toCome = ref === null ? null : { ref, from: -Infinity, to: from };
    to = from;
  }
  return { noted, toCome };
}
