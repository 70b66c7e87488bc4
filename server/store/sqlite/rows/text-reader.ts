import type { DatabaseSync } from 'node:sqlite';
import { boundedMap, type Weights } from '../../../runtime/bounded-map.ts';
import { allRows, text, whole } from './cells.ts';
import { prepare } from '../database.ts';

// Neighbours were written together and are mostly read together: a page at once costs a tenth of one by one. Where they are not, a page costs ten times as
// much, and a small one is read.
const page = { most: 128, least: 8 } as const;
/** After so many pages it is looked how many of the neighbours were asked for: more than one in 4, or fewer than one in 16. */
const judged = { pages: 64, many: 4, few: 16 } as const;
const remembered = 200_000;
const lettersRemembered: Weights<number, string> = { of: (_id, text) => text.length, most: 50_000_000 };

/** Gives the text of an id, read a page at a time and remembered; an id has one text for ever, so nothing goes stale. */
export function openTextReader(database: DatabaseSync, table: 'name' | 'text'): (id: number) => string {
  const known = boundedMap<number, string>(remembered, lettersRemembered);
  const neighbours = boundedMap<number, string>(remembered, lettersRemembered);
  const read = prepare(database, `SELECT id, text FROM ${table} WHERE id BETWEEN ? AND ?`);
  let size: number = page.most;
  let [pages, beside, asked] = [0, 0, 0];

  function judge(): void {
    if (asked * judged.few < beside) size = Math.max(page.least, size / 2);
    else if (asked * judged.many > beside) size = Math.min(page.most, size * 2);
    [pages, beside, asked] = [0, 0, 0];
  }

  function readPage(id: number): string | undefined {
    const start = id - (id % size);
    const rows = allRows(read, start, start + size - 1);
    let value: string | undefined;
    for (const row of rows) {
      if (row[0] === id) value = text(row[1]);
      else neighbours.set(whole(row[0]), text(row[1]));
    }
    beside += rows.length - 1;
    if (++pages === judged.pages) judge();
    return value;
  }

  return (id) => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const near = neighbours.get(id);
    if (near !== undefined) {
      asked += 1;
      neighbours.delete(id);
    }
    const value = near ?? readPage(id);
    if (value === undefined) throw new Error(`the store has no ${table} ${id}`);
    known.set(id, value);
    return value;
  };
}
