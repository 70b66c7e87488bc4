import type { DatabaseSync } from 'node:sqlite';
import { allRows, text } from '../rows/cells.ts';
import { prepare } from '../database.ts';

/** One column of a table. */
export interface Column {
  readonly table: string;
  readonly name: string;
  /** As it is declared: INTEGER, TEXT, ANY. */
  readonly type: string;
}

/** Every column of every table of the store, so that no table is forgotten that a later step of the schema brings. */
export function columnsOf(database: DatabaseSync): readonly Column[] {
  const rows = allRows(
    prepare(
      database,
      `SELECT t.name, c.name, c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`,
    ),
  );
  return rows.map((row) => ({ table: text(row[0]), name: text(row[1]), type: text(row[2]) }));
}
