import type { DatabaseSync } from 'node:sqlite';
import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { FaultNote } from '../../record/incident/book.ts';
import { firstWhole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { openTaking } from '../writing/incidents/taking.ts';
import { carriedFrom, carriedUpTo, openWaitingFaults, type Waiting } from '../writing/incidents/waiting-faults.ts';
import { openCarriedAbsences } from './carried-absences.ts';
import { openCarriedLosses } from './carried-losses.ts';
import type { Progress } from './work.ts';

const absencesAtOnce = 200;
/** So many notes are folded in one step: which they are must not depend on the time that it takes. */
const notesAtOnce = 400;

/**
 * Makes incidents of what was recorded before there were any: reads the faults of that time from coverage, absences and transitions, then
 * folds them in the order in which they were noticed, and behind them what was noticed meanwhile. Killed anywhere it goes on there, and
 * comes to the same rows. A step gives whether there is more. Call it within a transaction only.
 */
export function carryOver(
  database: DatabaseSync,
  dictionary: Dictionary,
  progress: Progress,
  policy: IncidentPolicy,
): () => boolean {
  const waiting = openWaitingFaults(database, dictionary);
  const losses = openCarriedLosses(database);
  const absences = openCarriedAbsences(database);
  const taking = openTaking(database, dictionary, policy);
  const objectsThen = prepare(
    database,
    `SELECT COUNT(*) FROM transition WHERE cluster = ?1 AND noticed_at <= ?2 AND (until IS NULL OR until > ?2) AND to_verdict <> ''`,
  );

  /** The place is the id up to which absences are read, half-open; 0 before coverage is. */
  function read(): void {
    const place = progress.get(carriedFrom);
    if (place === 0) for (const note of losses()) waiting.addCarried(note);
    const { notes, next } = place === 0 ? { notes: [], next: 1 } : absences(place, absencesAtOnce);
    for (const note of notes) waiting.addCarried(note);
    if (next === null) progress.drop(carriedFrom);
    else progress.set(carriedFrom, next);
  }

  function noteOf(row: Waiting): FaultNote | null {
    const isLoss = row.subject.id < 0 && row.type === 'away';
    const { cluster } = row.subject;
    return waiting.noteOf(
      row,
      isLoss && row.objects === 0 ? (firstWhole(objectsThen, cluster, row.at) ?? 0) : row.objects,
    );
  }

  function fold(): void {
    const rows = waiting.take(notesAtOnce);
    const last = rows.at(-1);
    if (last === undefined) return progress.drop(carriedUpTo);
    taking.take(
      rows.map(noteOf).filter((note) => note !== null),
      last.at,
    );
    progress.set(carriedUpTo, Math.max(progress.get(carriedUpTo), Math.min(last.turn, last.at)));
  }

  return () => {
    if (!progress.has(carriedUpTo)) return false;
    if (progress.has(carriedFrom)) read();
    else fold();
    return true;
  };
}
