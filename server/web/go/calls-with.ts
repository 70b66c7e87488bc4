import type { AlarmCall } from '#lib/domain/alarm/call.ts';
import { day, hour, minute } from '#lib/domain/time/length.ts';
import type { RecordCursor } from '#server/store/port/record-port.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';

/** A call that a fingerprint names, and how far it was looked for. */
export interface CallSearch {
  readonly call: AlarmCall | null;
  /** The record could be searched. */
  readonly isRead: boolean;
  /** All calls of the period were looked through. */
  readonly isWhole: boolean;
  /** The period in words: "of the last 7 days". */
  readonly where: string;
}

const pageSize = 500;
const mostPages = 8;

/** The newest call of an alert with a fingerprint, around `at` (ms), or in the last 7 days where that is null. */
export async function callsWith(moment: KnownMoment, fingerprint: string, at: number | null): Promise<CallSearch> {
  const now = moment.now();
  const period = at === null ? { from: now - 7 * day, to: now + 1 } : { from: at - 5 * minute, to: at + hour };
  const where = at === null ? 'of the last 7 days' : 'of that hour';
  const record = moment.reader()?.record;
  if (!record) return { call: null, isRead: false, isWhole: false, where };
  try {
    let cursor: RecordCursor | null = null;
    for (let page = 0; page < mostPages; page += 1) {
      const question = { scope: { clusters: null }, period, at: now };
      const { items, next }: Awaited<ReturnType<typeof record.calls>> = await record.calls(question, {
        cursor,
        limit: pageSize,
      });
      // A key is the Alertmanager's address, a blank and the fingerprint.
      const call = items.find(({ key }) => key.endsWith(` ${fingerprint}`));
      if (call !== undefined) return { call, isRead: true, isWhole: true, where };
      if (next === null) return { call: null, isRead: true, isWhole: true, where };
      cursor = next;
    }
    return { call: null, isRead: true, isWhole: false, where };
  } catch {
    return { call: null, isRead: false, isWhole: false, where };
  }
}
