import type { DatabaseSync } from 'node:sqlite';
import { day } from '#lib/domain/time/length.ts';
import { stringIdsOf } from '../../codec/pack/packed-detail.ts';
import { allRows, firstWhole, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import { openDictionary } from '../rows/dictionary.ts';
import { unusedTexts } from '../housekeeping/unused-texts.ts';
import { columnsOf } from './schema.ts';

/** Removes texts and names that nothing uses any more; gives how many. Call it within a transaction, with no other writer about. */
export function removeUnusedStrings(database: DatabaseSync): number {
  const count = prepare(database, 'SELECT (SELECT COUNT(*) FROM text) + (SELECT COUNT(*) FROM name)');
  const before = firstWhole(count) ?? 0;
  let done = 0;
  const positions = { get: () => done, set: (_: string, position: number) => void (done = position) };
  const texts = unusedTexts(database, openDictionary(database), positions, () => true);
  // Any day will do: it is done once.
  while (texts({ spans: 0, messages: 0 }, day));
  removeNames(database);
  return before - (firstWhole(count) ?? 0);
}

/** Kinds and namespaces are names, and so are the strings of details. */
function removeNames(database: DatabaseSync): void {
  const used = new Set<number>();
  for (const { table, name, type } of columnsOf(database)) {
    if (type !== 'INTEGER' || (name !== 'kind' && name !== 'namespace')) continue;
    for (const row of allRows(prepare(database, `SELECT DISTINCT ${name} FROM ${table}`))) used.add(whole(row[0]));
  }
  const details = prepare(database, 'SELECT object, detail FROM detail WHERE object > ? ORDER BY object LIMIT 2000');
  for (let after = 0, rows = allRows(details, after); rows.length > 0; rows = allRows(details, after)) {
    for (const [object, detail] of rows) {
      after = whole(object);
      if (detail instanceof Uint8Array) for (const string of stringIdsOf(detail)) used.add(string);
    }
  }
  const drop = database.prepare('DELETE FROM name WHERE id = ?');
  for (const row of allRows(prepare(database, 'SELECT id FROM name'))) {
    if (!used.has(whole(row[0]))) drop.run(whole(row[0]));
  }
}
