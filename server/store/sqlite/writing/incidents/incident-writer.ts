import type { DatabaseSync } from 'node:sqlite';
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import type { CoverageChange } from '../../../port/port.ts';
import type { FaultNote, SubjectIds } from '../../../record/incident/book.ts';
import { noteOfCoverage, noteOfRecord, type FaultRecord, type KnownLoss } from '../../../record/incident/notes.ts';
import { prepare } from '../../database.ts';
import { firstRow, whole } from '../../rows/cells.ts';
import type { Dictionary } from '../../rows/dictionary.ts';
import { openIncidentSetBack } from './set-back.ts';
import { openTaking } from './taking.ts';
import { openWaitingFaults } from './waiting-faults.ts';

/** Takes what the batches of clusters tell of absences and coverage into incidents. Every call must be within a transaction. */
export type IncidentWriter = ReturnType<typeof openIncidentWriter>;

/** Prepares the statements over an open database. */
export function openIncidentWriter(database: DatabaseSync, dictionary: Dictionary, policy: IncidentPolicy) {
  const taking = openTaking(database, dictionary, policy);
  const waiting = openWaitingFaults(database, dictionary);
  const setBack = openIncidentSetBack(database);
  const loss = prepare(
    database,
    'SELECT subject, fault FROM fault WHERE cluster = ? AND subject < 0 ORDER BY id DESC LIMIT 1',
  );
  let notes: FaultNote[] = [];
  let lost = new Map<number, number | null>();

  function lostOn(cluster: number): number | null {
    const known = lost.get(cluster);
    const waits = known === undefined ? waiting.lostOn(cluster) : known;
    if (waits !== undefined) return waits;
    const row = firstRow(loss, cluster);
    return row === null || row[1] === null ? null : whole(row[0]);
  }

  function take(note: FaultNote | null): void {
    if (note !== null) notes.push(note);
  }

  return {
    /** A batch begins. */
    begin(): void {
      notes = [];
      lost = new Map();
    },
    /** A record of an object that is in an absence; `at`: when it was noticed (ms). */
    record(subject: SubjectIds, absence: Absence, record: FaultRecord, at: number): void {
      take(noteOfRecord({ ...subject, absence }, record, at));
    },
    /** An absence is over. */
    over({ id, cluster, object }: SubjectIds, { ended, closedAt }: Pick<Absence, 'ended' | 'closedAt'>): void {
      if (ended !== null && closedAt !== null)
        take({ type: 'over', at: closedAt, subject: { id, cluster, object }, ended });
    },
    /** A row of coverage was added. */
    covered(change: CoverageChange, row: KnownLoss): void {
      if (change.kind !== null) return;
      const note = noteOfCoverage(change, row, lostOn(row.cluster));
      if (note !== null) lost.set(row.cluster, note.type === 'away' ? note.subject.id : null);
      take(note);
    },
    /** Planned work on a cluster as it is configured at `at` (ms). */
    planned: (cluster: number, work: readonly PlannedWork[], at: number): void => taking.plan(cluster, work, at),
    /** The batch, written at `at` (ms), ends: what it told is logged and folded, or waits while stored history is carried over. */
    commit(at: number): void {
      if (waiting.isCarrying()) waiting.add(notes);
      else taking.take(notes, at);
      notes = [];
    },
    setBack: setBack.all,
    setSomeBack: setBack.some,
  };
}
