import type { DatabaseSync } from 'node:sqlite';
import type { Dictionary } from '../rows/dictionary.ts';
import { openRollUp } from '../writing/roll-up.ts';
import { oldMessages } from './old-messages.ts';
import { oldSpans } from './old-spans.ts';
import { unusedTexts } from './unused-texts.ts';
import { openProgress, type Work } from './work.ts';

/**
 * Keeps the record within its time and its room, and quick to read: one small step of the first work that has something to do.
 * Gives whether there is more to do at once. Call it within a transaction only. `alone`: no other writer holds a cluster of this
 * store at that time (ms).
 */
export function openHousekeeping(
  database: DatabaseSync,
  dictionary: Dictionary,
  alone: (now: number) => boolean,
): Work {
  const progress = openProgress(database);
  const rollUp = openRollUp(database);
  const works: readonly Work[] = [
    (_, now) => rollUp(now),
    oldMessages(database, progress),
    oldSpans(database, progress),
    unusedTexts(database, dictionary, progress, alone),
  ];
  return (retention, now) => works.some((work) => work(retention, now));
}
