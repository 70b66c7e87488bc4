import type { WireAlarmFigures } from '../../api/alarm/report-alarms.ts';
import { formatCount } from '../../format/number.ts';

type Told = Extract<WireAlarmFigures, { said: 'told' }>;

/** Why nothing is said of calls: the end of a sentence. */
export const noSourceRead = 'no alarm source was read in this period';

/** The same as what stands for a figure. */
export const cannotBeSaid = `cannot be said: ${noSourceRead}`;

/** Parts of the object time past the deadline that are not nothing (ms), each with the words after it. */
export function timeParts({
  calledMs,
  silentMs,
  unknownMs,
}: Told): readonly { readonly part: 'called' | 'silent' | 'unknown'; readonly ms: number; readonly words: string }[] {
  return [
    { part: 'silent' as const, ms: silentMs, words: 'with nobody called' },
    { part: 'called' as const, ms: calledMs, words: 'with somebody called' },
    { part: 'unknown' as const, ms: unknownMs, words: 'of which it is not known' },
  ].filter(({ ms }) => ms > 0);
}

/** Absences past the deadline, by how somebody was called, where there were any: the number, and the words after it. */
export function absenceParts({ overdue: { inTime, late, never, unknown } }: Told): readonly {
  readonly how: 'in-time' | 'late' | 'never' | 'unknown';
  readonly text: string;
  readonly words: string;
}[] {
  return [
    { how: 'never' as const, count: never, words: 'never called for' },
    { how: 'late' as const, count: late, words: 'called for late' },
    { how: 'in-time' as const, count: inTime, words: 'called for in time' },
    { how: 'unknown' as const, count: unknown, words: 'not known either way' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ how, count, words }) => ({ how, text: formatCount(count), words }));
}
