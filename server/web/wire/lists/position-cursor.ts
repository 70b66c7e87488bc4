import { z } from 'zod';

/** Where a page of a list in the order of kinds ended: the kind's place in their order, and the row within it. */
export interface ListPosition {
  readonly rank: number;
  readonly text: string;
}

const Place = z.tuple([z.number().int().min(0), z.string()]);

/** The place as opaque text. */
export function encodePosition({ rank, text }: ListPosition): string {
  return Buffer.from(JSON.stringify([rank, text])).toString('base64url');
}

/** The place behind a cursor; null where the text is none that `encodePosition` wrote. */
export function decodePosition(cursor: string): ListPosition | null {
  try {
    const [rank, text] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { rank, text };
  } catch {
    return null;
  }
}
