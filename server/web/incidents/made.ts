import type { MadeUpTo } from '#lib/api/incident.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader } from '#server/store/port/record-port.ts';
import { refuse, type Refused } from '../http/problem.ts';
import { wireTime } from '../wire/wire-time.ts';

/** As known when (ms) incidents are asked for: now, or while stored history is being made into them, as far as it has been. */
export interface Made {
  readonly at: number;
  readonly made: MadeUpTo;
}

/** Reads how far incidents have been made, as known at `now` (ms): what is made of a later time yet is no fact. */
export async function readMade(record: Pick<RecordReader, 'incidentsUpTo'>, now: number): Promise<Made> {
  const upTo = await record.incidentsUpTo();
  if (upTo === null || upTo > now) return { at: now, made: null };
  return { at: upTo - 1, made: { upTo: upTo === 0 ? null : wireTime(upTo) } };
}

/** The part of a period that has been made, what is known at its very end with it; null where nothing of it has. */
export function madePart({ from, to }: Period, { at }: Made): Period | null {
  const end = to < at ? to : at + 1;
  return from < end ? { from, to: end } : null;
}

/** Refuses a file while stored history is being made: it would look as if it were whole. */
export function notWhole({ made }: Made): Refused | null {
  if (made === null) return null;
  const upTo = made.upTo === null ? '' : `, up to ${made.upTo} so far`;
  const message = `Stored history is being made into incidents${upTo}: the file can be had once that is done.`;
  return refuse({ type: 'not-ready', message });
}
