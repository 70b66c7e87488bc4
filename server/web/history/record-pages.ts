import { z } from 'zod';
import type { RecordCursor, RecordPage, RecordScope } from '#server/store/port/record-port.ts';
import { decodeCursor, encodeCursor } from '../wire/lists/cursor.ts';
import { UnreadCursor } from '../worlds/record/sealed-pages.ts';

/** A list of the record over several scopes, one after another, of which only some items are kept: all where `keeps` is absent. */
export interface RecordPages<T> {
  readonly scopes: readonly RecordScope[];
  readonly read: (scope: RecordScope, cursor: RecordCursor | null, limit: number) => Promise<RecordPage<T>>;
  readonly keeps?: (item: T) => boolean;
}

/** Index of a scope, and the record's own cursor within it. */
const Position = z.tuple([z.number().int().min(0), z.string().nullable()]);

/** However few are kept, one answer reads no more pages than this. */
const mostRead = 20;

/**
 * One page behind a cursor ('' for the first): about `limit` items, fewer where few are kept; there is more as long as `next` is
 * not null. null for a cursor that is none of these.
 */
export async function pagesOf<T>(
  { scopes, read, keeps = () => true }: RecordPages<T>,
  cursor: string,
  limit: number,
): Promise<RecordPage<T> | null> {
  const position = cursor === '' ? ([0, null] as const) : decodeCursor(cursor, Position);
  if (position === null) return null;
  let [index, at] = position;
  const items: T[] = [];
  for (let n = 0; n < mostRead && items.length < limit; n += 1) {
    const scope = scopes[index];
    if (scope === undefined) return { items, next: null };
    const page = await readable(read(scope, at, limit));
    if (page === null) return null;
    items.push(...page.items.filter(keeps));
    at = page.next;
    if (at === null) index += 1;
  }
  return { items, next: index < scopes.length ? encodeCursor([index, at]) : null };
}

/** A page; null where its cursor is none that this process gave away. */
async function readable<T>(page: Promise<RecordPage<T>>): Promise<RecordPage<T> | null> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof UnreadCursor) return null;
    throw error;
  }
}

/** All pages of a list, of about `limit` items each. */
export async function* everyPage<T>(pages: RecordPages<T>, limit: number): AsyncGenerator<readonly T[]> {
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: RecordPage<T> | null = await pagesOf(pages, cursor, limit);
    if (page === null) return;
    yield page.items;
    cursor = page.next;
  }
}

/** Items of every scope, read in pages of `limit` until there are `most`. `complete`: there are no others. */
export async function readUpTo<T>(
  { scopes, read }: Omit<RecordPages<T>, 'keeps'>,
  limit: number,
  most: number,
): Promise<{ readonly items: readonly T[]; readonly complete: boolean }> {
  const items: T[] = [];
  let complete = true;
  for (const scope of scopes) {
    let cursor: RecordCursor | null = null;
    do {
      const page: RecordPage<T> = await read(scope, cursor, limit);
      for (const item of page.items) items.push(item);
      cursor = page.next;
    } while (cursor !== null && items.length < most);
    complete &&= cursor === null;
  }
  return { items, complete };
}
