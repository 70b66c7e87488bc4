import { z } from 'zod';

/** Where a page of a list in the order of kinds ended: the kind's place in their order, and the row within it. */
export interface ListPlace {
  readonly rank: number;
  readonly text: string;
}

const Place = z.tuple([z.number().int().min(0), z.string()]);

/** The place as opaque text. */
export function encodePlace({ rank, text }: ListPlace): string {
  return Buffer.from(JSON.stringify([rank, text])).toString('base64url');
}

/** The place behind a cursor; null where the text is none that `encodePlace` wrote. */
export function decodePlace(cursor: string): ListPlace | null {
  try {
    const [rank, text] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { rank, text };
  } catch {
    return null;
  }
}
