import type { RecordCursor, RecordPage } from '../../../port/record-port.ts';

/** The last of a page: its rank, a time or a length (ms), and its id. */
export interface PageKey {
  readonly rank: number;
  readonly id: number;
}

/** A page of rows, of which one more than its limit was read where there is more. */
export function pageOfRows<R, T>(
  rows: readonly R[],
  limit: number,
  keyIn: (row: R) => PageKey,
  read: (row: R) => T,
): RecordPage<T> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const key = last === undefined ? null : keyIn(last);
  return { items: rows.slice(0, limit).map(read), next: key && cursorOf(key) };
}

/** No page at all. */
export const noPage: RecordPage<never> = { items: [], next: null };

/** The cursor behind a key. */
export function cursorOf({ rank, id }: PageKey): RecordCursor {
  return `${rank}.${id}`;
}

/** The key that a cursor is behind; null where it is none. */
export function keyOf(cursor: RecordCursor | null): PageKey | null {
  const read = /^(-?\d+)\.(\d+)$/.exec(cursor ?? '');
  return read === null ? null : { rank: Number(read[1]), id: Number(read[2]) };
}
