import type { DatabaseSync } from 'node:sqlite';
import type { Retention } from '../../port/port.ts';
import { firstWhole } from '../rows/cells.ts';
import { prepare } from '../database.ts';

/**
 * One sort of work that keeps the record: does one step of some milliseconds, at `now` (ms), and gives whether there is more to do at
 * once. Call it within a transaction only.
 */
export type Work = (retention: Retention, now: number) => boolean;

/** Progress of each work; kept in the store, so that a restart goes on there. */
export type Progress = ReturnType<typeof openProgress>;

/** Prepares the statements over an open database. */
export function openProgress(database: DatabaseSync) {
  const read = prepare(database, 'SELECT place FROM housekeeping WHERE work = ?');
  const write = database.prepare(
    'INSERT INTO housekeeping (work, place) VALUES (?, ?) ON CONFLICT (work) DO UPDATE SET place = excluded.place',
  );
  const remove = database.prepare('DELETE FROM housekeeping WHERE work = ?');
  return {
    has: (work: string): boolean => firstWhole(read, work) !== null,
    /** 0 where the work was never done. */
    get: (work: string): number => firstWhole(read, work) ?? 0,
    set: (work: string, position: number): void => void write.run(work, position),
    drop: (work: string): void => void remove.run(work),
  };
}
