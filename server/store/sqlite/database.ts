import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { firstVersion, migrations, storeVersion } from '../migrations/index.ts';
import type { OpenRefusal } from '../port/open-refusal.ts';
import { allRows, firstWhole, text } from './rows/cells.ts';
import { makeDatabaseFile, makeFolderOf, requireRegularFiles } from './database-file.ts';
import { openKeyHash } from './writing/incidents/key-hash.ts';
import { isCorrupt, messageOf } from './failure.ts';

/** A statement whose rows come as arrays. */
export function prepare(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** The one number that a statement gives; 0 where it gives none. */
export function numberOf(database: DatabaseSync, sql: string): number {
  return firstWhole(prepare(database, sql)) ?? 0;
}

function refusalOfOpening(path: string, error: unknown): OpenRefusal {
  if (isCorrupt(error)) return { type: 'corrupt', path, message: messageOf(error) };
  return { type: 'unusable', path, message: messageOf(error) };
}

/** Opens the file for writing, creating it where it is missing and bringing its schema to this program's version. */
export function openForWriting(
  path: string,
  busyTimeout: number,
): { readonly type: 'open'; readonly database: DatabaseSync; readonly migratedFrom: number } | OpenRefusal {
  let database: DatabaseSync | null = null;
  try {
    makeFolderOf(path);
    // For its owner alone: it holds what clusters say of themselves.
    makeDatabaseFile(path);
    requireRegularFiles(path);
    // The engine would open it for reading alone then, and could not write once the disk lets it.
    accessSync(path, constants.W_OK);
    database = new DatabaseSync(path, { timeout: busyTimeout });
    const version = numberOf(database, 'PRAGMA user_version');
    const refusal = version === 0 ? null : refusalOfVersion(path, version);
    if (refusal !== null && refusal.type !== 'older') {
      database.close();
      return refusal;
    }
    // 8 KB pages and a checkpoint each 64 MB: measured best for a first sync of 1,000,000 objects with their details. What is deleted
    // is overwritten: in 100,000 writes that replaced details this cost no CPU that could be measured, and wrote not a byte more.
    database.exec(`
      PRAGMA page_size = 8192;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 8000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA cache_size = -65536;
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = ON;
    `);
    migrate(database);
    return { type: 'open', database, migratedFrom: version };
  } catch (error) {
    if (database?.isOpen) database.close();
    return refusalOfOpening(path, error);
  }
}

/**
 * Brings what the write-ahead log holds into the file and cuts the log to nothing: what was deleted is in neither then. Gives false where
 * somebody reads meanwhile, for longer than the connection waits.
 */
export function emptyLog(database: DatabaseSync): boolean {
  return numberOf(database, 'PRAGMA wal_checkpoint(TRUNCATE)') === 0;
}

/** As `emptyLog`, for who has more to do: it waits at most so long (ms) for those who read. */
export function emptyLogSoon(database: DatabaseSync, longest: number): boolean {
  const usual = numberOf(database, 'PRAGMA busy_timeout');
  database.exec(`PRAGMA busy_timeout = ${longest}`);
  try {
    return emptyLog(database);
  } finally {
    database.exec(`PRAGMA busy_timeout = ${usual}`);
  }
}

function migrate(database: DatabaseSync, afterStep: () => void = () => undefined): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Read again under the lock: another process may have migrated meanwhile.
    const version = numberOf(database, 'PRAGMA user_version');
    const hashOf = openKeyHash();
    database.function('key_hash', { deterministic: true }, (key) => (typeof key === 'string' ? hashOf(key) : null));
    for (const step of migrations) {
      if (step.version <= version) continue;
      database.exec(step.sqlite);
      afterStep();
      if (step.version === firstVersion) database.prepare('INSERT INTO store (id) VALUES (?)').run(randomUUID());
    }
    if (version < storeVersion) {
      database.exec(`PRAGMA user_version = ${storeVersion}`);
      // Who has it open reads it as it was: another store is opened anew, and is found to be of another version.
      if (version > 0) database.prepare('UPDATE store SET id = ?').run(randomUUID());
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** One part of a schema, as the engine keeps it: `sql` is '' where it is made by another one, as the index of a primary key is. */
interface SchemaPart {
  readonly type: string;
  readonly sql: string;
}

/** The tables, indexes, triggers and views of a file, without those of the engine itself. */
function partsOf(database: DatabaseSync): readonly SchemaPart[] {
  const rows = allRows(
    prepare(database, "SELECT type, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"),
  );
  return rows.map(([type, sql]) => ({ type: text(type), sql: sql === null ? '' : spaced(text(sql)) }));
}

/** Words by which a table does something of its own when it is written: values, refusals and omissions that no statement of ours asks for. */
const acts = /\b(?:GENERATED|AS|CHECK|CONFLICT|COLLATE|REFERENCES|VIRTUAL)\b|\bDEFAULT\s*\(/i;

/**
 * True where a file has parts that run when it is read or written and that no version of this program makes: triggers and views, and in one that
 * comes from elsewhere also indexes, and tables with more than columns.
 */
export function hasForeignPrograms(database: DatabaseSync, origin: 'own' | 'elsewhere'): boolean {
  const suspects = partsOf(database).filter(({ type, sql }) => {
    if (type === 'trigger' || type === 'view') return true;
    return origin === 'elsewhere' && (type === 'table' ? acts.test(sql) : sql !== '');
  });
  if (suspects.length === 0) return false;
  const own = ownParts();
  return suspects.some(({ sql }) => !own.has(sql));
}

/** All parts that a store has had, in any version. */
function ownParts(): ReadonlySet<string> {
  const database = new DatabaseSync(':memory:');
  try {
    const found = new Set<string>();
    migrate(database, () => partsOf(database).forEach(({ sql }) => found.add(sql)));
    return found;
  } finally {
    database.close();
  }
}

const quotedOrComment = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Without comments, and as another version of the engine writes names that it changes: with other quotes. */
function spaced(sql: string): string {
  const plain = sql.replaceAll(quotedOrComment, (part) => (/^(?:--|\/\*)/.test(part) ? ' ' : part));
  return plain.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim();
}

/** Opens the file for reading only. */
export function openForReading(
  path: string,
  busyTimeout: number,
): { readonly type: 'open'; readonly database: DatabaseSync; readonly id: string } | OpenRefusal {
  if (!existsSync(path)) return { type: 'missing', path };
  let database: DatabaseSync | null = null;
  try {
    requireRegularFiles(path);
    database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeout });
    // The engine maps at most 2 GB: a past moment seeks all over the record, and each page read otherwise is a call and a copy.
    database.exec('PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 2147418112;');
    const version = numberOf(database, 'PRAGMA user_version');
    const refusal = refusalOfVersion(path, version);
    if (refusal !== null) {
      database.close();
      return refusal;
    }
    const row = allRows(prepare(database, 'SELECT id FROM store'))[0];
    return { type: 'open', database, id: text(row?.[0]) };
  } catch (error) {
    if (database?.isOpen) database.close();
    return refusalOfOpening(path, error);
  }
}

/** Why a store of a version cannot be used as it is; null where it can. */
export function refusalOfVersion(path: string, version: number): OpenRefusal | null {
  if (version === 0) return { type: 'missing', path };
  if (version < firstVersion) return { type: 'unreleased', path, version };
  if (version > storeVersion) return { type: 'newer', path, version, known: storeVersion };
  if (version < storeVersion) return { type: 'older', path, version, known: storeVersion };
  return null;
}
