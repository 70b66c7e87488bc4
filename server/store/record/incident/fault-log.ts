import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import { encodeFault } from '../../codec/fault-text.ts';
import type { FaultLog, FaultNote, IncidentBook, LastWord } from './book.ts';
import { foldFault } from './fold.ts';

/** Logs a note and folds it, unless it says what the last one of its subject said. */
export function takeNote(book: IncidentBook, log: FaultLog, note: FaultNote, policy: IncidentPolicy): void {
  if (!isNews(log.last(note.subject.id), note)) return;
  log.add(note);
  foldFault(book, note, policy);
}

/** True if a note says something else than the last word on its subject. */
function isNews(last: LastWord | null, note: FaultNote): boolean {
  if (note.type === 'over') return last !== null && last !== 'over';
  if (last === null || last === 'over') return true;
  return last.planned !== note.planned || last.fault !== encodeFault(note.fault);
}
