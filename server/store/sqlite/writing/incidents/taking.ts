import type { DatabaseSync } from 'node:sqlite';
import type { PlannedWork } from '#lib/domain/exemption/planned-work.ts';
import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { FaultNote } from '../../../record/incident/book.ts';
import { takeBatch, type Plans } from '../../../record/incident/take-batch.ts';
import type { Dictionary } from '../../rows/dictionary.ts';
import { openFaultLog, openPendingFaults } from './fault-rows.ts';
import { openFaultTexts } from './fault-texts.ts';
import { openIncidentBook } from './incident-book.ts';
import { openKeyHash } from './key-hash.ts';
import { openNotedSubjects } from './noted-subjects.ts';
import { openPlannedRows } from './planned-rows.ts';

/** Prepares the statements over an open database. Call what it gives within a transaction only. */
export function openTaking(database: DatabaseSync, dictionary: Dictionary, policy: IncidentPolicy) {
  const texts = openFaultTexts(database, dictionary);
  const hashOf = openKeyHash();
  const pending = openPendingFaults(database, texts, hashOf);
  const book = openIncidentBook(database, { dictionary, texts, pending, hashOf });
  const log = openFaultLog(database, texts, hashOf);
  const planned = openPlannedRows(database);
  const subjects = openNotedSubjects(database);
  const plans: Plans = {
    windows: planned.windows,
    clusters: pending.plannedClusters,
    pending: (cluster) =>
      pending.plannedOn(cluster).flatMap((one) => {
        const subject = subjects.read(one.subject, one.since, one.subject.objects);
        return subject === null ? [] : [{ pending: one, subject }];
      }),
  };

  return {
    /** Takes the notes of one batch that was written at `now` (ms). */
    take(notes: readonly FaultNote[], now: number): void {
      book.begin();
      planned.begin();
      takeBatch({ book, log, plans, policy }, notes, now);
      book.flush();
    },
    /** Takes what is planned on a cluster as it is configured at `at` (ms). */
    plan(cluster: number, work: readonly PlannedWork[], at: number): void {
      planned.begin();
      planned.plan(cluster, work, at);
    },
  };
}
