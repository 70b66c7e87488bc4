import { defaultIncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { recorded as objectRecord } from '#lib/domain/testing/observed.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import type { FaultNote } from '#server/store/record/incident/book.ts';
import { foldFault } from '#server/store/record/incident/fold.ts';
import { growingIncidents, memoryBook, type IncidentRows } from '#server/store/record/incident/memory-book.ts';
import { noteOfRecord } from '#server/store/record/incident/notes.ts';
import { readRecord } from '#server/store/record/record.ts';
import type { Recorded } from '#server/store/record/recorded.ts';

/** Another fault that an absence, by its place, turned out to be away for all along: known at a time (ms). */
export interface LaterFault {
  readonly place: number;
  readonly at: number;
  readonly fault: Partial<Pick<Absence, 'worst' | 'reason' | 'rootCause'>>;
}

/**
 * A record over rows, with the incidents that its absences make: each fails as it is told to have failed, until it turned out to be
 * away for something else.
 */
export function recorded(rows: Partial<Recorded>, later: readonly LaterFault[] = []): RecordReader {
  return readRecord({ ...rows, incidents: incidentsOf(rows.absences ?? [], later) });
}

function incidentsOf(absences: readonly Absence[], later: readonly LaterFault[]): IncidentRows {
  const rows = growingIncidents();
  const book = memoryBook(rows);
  const clusters = [...new Set(absences.map(({ ref }) => ref.cluster))];
  const notes = absences.flatMap((absence, place): readonly (FaultNote | null)[] => {
    const { ref, noticedAt, openedAt, closedAt, ended } = absence;
    const ids = { id: place + 1, cluster: clusters.indexOf(ref.cluster) + 1, object: place + 1 };
    rows.subjects.set(ids.id, { ref, cluster: ref.cluster });
    const known = { ...ids, absence };
    const others = later.filter((one) => one.place === place);
    return [
      noteOfRecord(known, recordOf(absence, openedAt), noticedAt),
      ...others.map(({ at, fault }) =>
        noteOfRecord(known, recordOf({ ...absence, range: null, ...fault }, openedAt), at),
      ),
      closedAt === null || ended === null ? null : { type: 'over', at: closedAt, subject: ids, ended },
    ];
  });
  const said = notes.filter((note) => note !== null);
  for (const note of said.toSorted((a, b) => a.at - b.at)) {
    rows.faults.push(note);
    foldFault(book, note, defaultIncidentPolicy);
  }
  return rows;
}

function recordOf({ ref, worst, reason, rootCause, range }: Absence, since: number): CurrentObject {
  const onset = { time: since, bound: 'exact', noticedAt: since } as const;
  return objectRecord({ ref, verdict: worst, reason, message: '', repository: null, rootCause, range, onset });
}
