import { z } from 'zod';
import type { Place } from './worst-first.ts';

const PositionSchema = z.tuple([z.union([z.literal(0), z.literal(1)]), z.number(), z.number(), z.string()]);

/** The place after which the next page goes on, as opaque text. */
export function encodeCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** The place behind a cursor; null where the text is none that `encodeCursor` wrote. */
export function decodeCursor(cursor: string): Place | null {
  try {
    return PositionSchema.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
