import type { RecordCursor } from '../../../port/record-port.ts';

/** The last of a page: its rank, a time or a length (ms), and its id. */
export interface PagePlace {
  readonly rank: number;
  readonly id: number;
}

/** The cursor of the page behind a place. */
export function cursorBehind({ rank, id }: PagePlace): RecordCursor {
  return `${rank}.${id}`;
}

/** The place that a cursor is behind; null where it is none. */
export function placeOf(cursor: RecordCursor | null): PagePlace | null {
  const read = /^(-?\d+)\.(\d+)$/.exec(cursor ?? '');
  return read === null ? null : { rank: Number(read[1]), id: Number(read[2]) };
}
