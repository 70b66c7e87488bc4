import type { DatabaseSync } from 'node:sqlite';
import type { IncidentPolicy } from '#lib/domain/incident/incident.ts';
import type { Kept, Retention } from '../../port/port.ts';
import type { Dictionary } from '../rows/dictionary.ts';
import { openCallDays } from '../writing/call-days.ts';
import { openRollUp } from '../writing/roll-up.ts';
import { alarmTombstones } from './alarm-tombstones.ts';
import { carryOver } from './carry-over.ts';
import { incidentHours } from './incident-hours.ts';
import { oldMessages } from './old-messages.ts';
import { oldSpans } from './old-spans.ts';
import { unusedTexts } from './unused-texts.ts';
import { openProgress, type Work } from './work.ts';

/** Needed by housekeeping beside the database. */
interface Housekeeping {
  readonly dictionary: Dictionary;
  /** No other writer holds a cluster of this store at that time (ms). */
  readonly alone: (now: number) => boolean;
  readonly policy: IncidentPolicy;
  /** Time within which somebody must be called (ms), as figures are mostly asked for. */
  readonly alarmWithin: number;
}

/**
 * Keeps the record within its time and its room, and quick to read: one small step of the first work that has something to do. Without
 * a retention only what is done once. Call it within a transaction only.
 */
export function openHousekeeping(
  database: DatabaseSync,
  { dictionary, alone, policy, alarmWithin }: Housekeeping,
): (retention: Retention | null, now: number) => Kept {
  const progress = openProgress(database);
  const carry = carryOver(database, dictionary, progress, policy);
  const rollUp = openRollUp(database);
  const callDays = openCallDays(database, progress, alarmWithin);
  const works: readonly Work[] = [
    (_, now) => rollUp(now),
    incidentHours(database),
    () => callDays(),
    oldMessages(database, progress),
    oldSpans(database, progress),
    alarmTombstones(database, progress),
    unusedTexts(database, dictionary, progress, alone),
  ];
  return (retention, now) => {
    if (carry()) return { more: true, pressing: true };
    return { more: retention !== null && works.some((work) => work(retention, now)), pressing: false };
  };
}
