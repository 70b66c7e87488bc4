import { z } from 'zod';
import type { RecordCursor, RecordPage, RecordScope } from '#server/store/port/record-port.ts';

/** A list of the record over several scopes, one after another, of which only some items are kept. */
export interface RecordPages<T> {
  readonly scopes: readonly RecordScope[];
  readonly read: (scope: RecordScope, cursor: RecordCursor | null, limit: number) => Promise<RecordPage<T>>;
  readonly keeps: (item: T) => boolean;
}

const Place = z.tuple([z.number().int().min(0), z.string().nullable()]);

/** However few are kept, one answer looks through no more pages than this. */
const lookedThrough = 20;

/**
 * One page behind a cursor ('' for the first): about `limit` items, fewer where few are kept; there is more as long as `next` is
 * not null. null for a cursor that is none of these.
 */
export async function pagesOf<T>(
  { scopes, read, keeps }: RecordPages<T>,
  cursor: string,
  limit: number,
): Promise<RecordPage<T> | null> {
  const place = cursor === '' ? ([0, null] as const) : placeOf(cursor);
  if (place === null) return null;
  let [index, at] = place;
  const items: T[] = [];
  for (let n = 0; n < lookedThrough && items.length < limit; n += 1) {
    const scope = scopes[index];
    if (scope === undefined) return { items, next: null };
    const page = await read(scope, at, limit);
    items.push(...page.items.filter(keeps));
    at = page.next;
    if (at === null) index += 1;
  }
  const more = index < scopes.length;
  return { items, next: more ? Buffer.from(JSON.stringify([index, at])).toString('base64url') : null };
}

function placeOf(cursor: string): readonly [number, string | null] | null {
  try {
    return Place.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
