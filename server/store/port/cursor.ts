import type { Cursor } from './port.ts';

/** Position of a follower in one source of facts. */
export interface Position {
  /** The seq of the last change that it has. */
  readonly seq: number;
  /** The number of the last confirmation that it has. */
  readonly confirmation: number;
  /**
   * Tombstones up to this seq are of objects that it never saw: set while it reads a source for the first time,
   * so that a follower that starts anew is not told of everything that ever was. 0 where it has them all.
   */
  readonly floor: number;
}

/** Where a follower stands, taken apart. */
export interface CursorState {
  /** Of which store: a cursor of another one means nothing here. */
  readonly store: string;
  /** The source after which the next step begins, so that a busy one never starves the others. */
  readonly after: number;
  /** By the id of the source; one that is not here was not begun. */
  readonly positions: ReadonlyMap<number, Position>;
}

/** The cursor as text: about 12 characters per source. */
export function encodeCursor({ store, after, positions }: CursorState): Cursor {
  const parts: string[] = [];
  for (const [source, { seq, confirmation, floor }] of positions) {
    const tail = floor > 0 ? `.${floor.toString(36)}` : '';
    parts.push(`${source.toString(36)}.${seq.toString(36)}.${confirmation.toString(36)}${tail}`);
  }
  return `1:${store}:${after.toString(36)}:${parts.join(',')}`;
}

function number(text: string | undefined): number | null {
  if (text === undefined || !/^[0-9a-z]{1,11}$/.test(text)) return null;
  return Number.parseInt(text, 36);
}

/** Takes a cursor apart; null where the text is none of this format. */
export function decodeCursor(cursor: Cursor): CursorState | null {
  const [version, store, afterText, list, ...more] = cursor.split(':');
  const after = number(afterText);
  if (version !== '1' || !store || after === null || list === undefined || more.length > 0) return null;
  const positions = new Map<number, Position>();
  for (const part of list === '' ? [] : list.split(',')) {
    const [sourceText, seqText, confirmationText, floorText] = part.split('.');
    const source = number(sourceText);
    const seq = number(seqText);
    const confirmation = number(confirmationText);
    const floor = floorText === undefined ? 0 : number(floorText);
    if (source === null || seq === null || confirmation === null || floor === null) return null;
    positions.set(source, { seq, confirmation, floor });
  }
  return { store, after, positions };
}
