import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { firstVersion, migrations } from '#server/store/migrations/index.ts';
import { openKeyHash } from '#server/store/sqlite/writing/incidents/key-hash.ts';

/** Names that tables and columns had in the first version, by those of today. */
const firstTables: ReadonlyMap<string, string> = new Map([
  ['absence', 'incident'],
  ['rollup_absences', 'rollup_incidents'],
]);
const firstColumns: ReadonlyMap<string, string> = new Map([['absences', 'incidents']]);

/** A table of a store with its columns, as a later one calls them and as this one does. */
interface Table {
  readonly now: string;
  readonly before: string;
  readonly columns: readonly { readonly now: string; readonly before: string }[];
}

/**
 * Makes a store of a released version at `path`: its layout by the steps of the schema up to `version`, and of the store of today at `from` all
 * that this layout has room for. Gives the tables that it has, with their columns, by the names of today.
 */
export function makeStoreOfVersion(
  version: number,
  from: string,
  path: string,
): readonly { readonly table: string; readonly columns: readonly string[] }[] {
  const database = new DatabaseSync(path);
  const hashOf = openKeyHash();
  database.function('key_hash', { deterministic: true }, (key) => (typeof key === 'string' ? hashOf(key) : null));
  for (const step of migrations) if (step.version <= version) database.exec(step.sqlite);
  // What triggers write of a row is copied too: they are away meanwhile.
  const triggers = textsOf(database, "SELECT sql FROM main.sqlite_master WHERE type = 'trigger'");
  for (const name of textsOf(database, "SELECT name FROM main.sqlite_master WHERE type = 'trigger'"))
    database.exec(`DROP TRIGGER ${name}`);
  database.exec(`ATTACH '${from}' AS today`);
  const tables = tablesIn(database, version);
  for (const { now, before, columns } of tables) {
    database.exec(`DELETE FROM main.${before}`);
    const [into, of] = [columns.map((column) => column.before), columns.map((column) => column.now)];
    database.exec(`INSERT INTO main.${before} (${into.join(', ')}) SELECT ${of.join(', ')} FROM today.${now}`);
  }
  database.exec('DETACH today');
  for (const trigger of triggers) database.exec(trigger);
  database.prepare('UPDATE store SET id = ?').run(randomUUID());
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  return tables.map(({ now, columns }) => ({ table: now, columns: columns.map((column) => column.now) }));
}

function tablesIn(database: DatabaseSync, version: number): readonly Table[] {
  const listed = "WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  const had = new Set(textsOf(database, `SELECT name FROM main.sqlite_master ${listed}`));
  const isFirst = version === firstVersion;
  return textsOf(database, `SELECT name FROM today.sqlite_master ${listed}`).flatMap((now) => {
    const before = (isFirst ? firstTables.get(now) : undefined) ?? now;
    // In the first version this name meant something else.
    if (!had.has(before) || (isFirst && now === 'incident')) return [];
    const known = new Set(textsOf(database, `SELECT name FROM pragma_table_info('${before}', 'main')`));
    const columns = textsOf(database, `SELECT name FROM pragma_table_info('${now}', 'today')`)
      .map((column) => ({ now: column, before: (isFirst ? firstColumns.get(column) : undefined) ?? column }))
      .filter((column) => known.has(column.before));
    return [{ now, before, columns }];
  });
}

/** The one text that each row of a statement has. */
function textsOf(database: DatabaseSync, sql: string): readonly string[] {
  return database
    .prepare(sql)
    .all()
    .flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
}
