import type { DatabaseSync } from 'node:sqlite';
import { boundedMap } from '../../../runtime/bounded-map.ts';
import { allRows, text, whole } from './cells.ts';
import { prepare } from '../database.ts';

// Neighbours were written together and are read together: a page at once costs a tenth of one by one.
const page = 128;
const remembered = 200_000;

/** Gives the text of an id, read a page at a time and remembered; an id has one text for ever, so nothing goes stale. */
export function openTextReader(database: DatabaseSync, table: 'name' | 'text'): (id: number) => string {
  const known = boundedMap<number, string>(remembered);
  const read = prepare(database, `SELECT id, text FROM ${table} WHERE id BETWEEN ? AND ?`);
  return (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const start = id - (id % page);
    for (const row of allRows(read, start, start + page - 1)) known.set(whole(row[0]), text(row[1]));
    const value = known.get(id);
    if (value === undefined) throw new Error(`the store has no ${table} ${id}`);
    return value;
  };
}
