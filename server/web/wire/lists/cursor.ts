import { z } from 'zod';

/** A position in a list that is ordered by kinds: the kind's index among them, and the key within it. */
export const KindPosition = z.tuple([z.number().int().min(0), z.string()]);

/** The position after which the next page goes on, as opaque text. */
export function encodeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position of a list behind a cursor; null where the text is none that `encodeCursor` wrote for this list. */
export function decodeCursor<Position>(cursor: string, position: z.ZodType<Position>): Position | null {
  try {
    return position.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
