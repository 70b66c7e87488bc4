import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openTextReader } from './text-reader.ts';

const count = 100_000;

/** A reader of texts, and how many rows it has read. */
function openReader() {
  const database = new DatabaseSync(':memory:');
  const rows = { read: 0 };
  database.function('seen', (text) => {
    rows.read += 1;
    return text;
  });
  database.exec(`
    CREATE TABLE stored (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
    INSERT INTO stored (id, text) SELECT n, 'text ' || n FROM number;
    CREATE TEMP VIEW text AS SELECT id, seen(text) AS text FROM stored;
  `);
  return { textOf: openTextReader(database, 'text'), rows };
}

it('gives each text, whatever was read before', () => {
  const { textOf } = openReader();
  for (const step of [997, 1, 13, 997])
    for (let id = 1; id <= 20_000; id += step) expect(textOf(id)).toBe(`text ${id}`);
  expect(() => textOf(count + 1)).toThrow(`the store has no text ${count + 1}`);
});

it('reads neighbours once, and ever fewer of them where they are not asked for', () => {
  const { textOf, rows } = openReader();
  for (let id = 1; id <= 10_000; id += 1) textOf(id);
  expect(rows.read).toBeLessThan(10_000 + 128);
  for (let id = 10_200; id <= count; id += 150) textOf(id);
  // 599 texts: pages of 128 would be 76,000.
  expect(rows.read - 10_000).toBeLessThan(30_000);
  rows.read = 0;
  for (let id = 1; id <= count; id += 1) textOf(id);
  expect(rows.read).toBeLessThan(count + 5_000);
});
