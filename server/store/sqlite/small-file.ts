import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { makeDatabaseFile, requireRegularFiles } from './database-file.ts';
import { numberOf } from './database.ts';
import { messageOf } from './failure.ts';

/** A file cannot be used; `why` is for people. */
export interface Unusable {
  readonly type: 'unusable';
  readonly why: string;
}

/** A small database beside the store, and its layout. `schema` sets user_version to `version`. */
export interface SmallFile {
  readonly path: string;
  readonly schema: string;
  readonly version: number;
}

/** Time (ms) to wait for another process that writes. */
const patience = 250;

/**
 * Makes the one that asks a small file, for its owner alone, which may not be there yet: a question that reads it is then answered by `nothing`, one
 * that writes makes it. The file is opened for each question, so that what another process writes, or puts in its place, holds at once. What is
 * written is written whole or not at all. Never throws.
 */
export function smallFile({ path, schema, version }: SmallFile) {
  return function using<Answer>(
    mode: 'read' | 'write',
    nothing: Answer,
    ask: (database: DatabaseSync) => Answer,
  ): Answer | Unusable {
    let database: DatabaseSync | null = null;
    try {
      if (mode === 'read' && !existsSync(path)) return nothing;
      if (mode === 'write') makeDatabaseFile(path);
      requireRegularFiles(path);
      // A write that was killed is taken back by whoever comes next, and that is a write. Of one that lives the engine knows that it does.
      const isLeft = existsSync(`${path}-journal`);
      database = new DatabaseSync(path, { readOnly: mode === 'read' && !isLeft, timeout: patience });
      if (mode === 'write') database.exec('BEGIN IMMEDIATE');
      const found = numberOf(database, 'PRAGMA user_version');
      if (found > version) return { type: 'unusable', why: `${path} is of a newer version of Plumbline` };
      if (found === 0 && mode === 'read') return nothing;
      if (found === 0) database.exec(schema);
      const answer = ask(database);
      if (mode === 'write') database.exec('COMMIT');
      return answer;
    } catch (error) {
      return { type: 'unusable', why: `${path}: ${messageOf(error)}` };
    } finally {
      // What was not committed is rolled back.
      if (database?.isOpen) database.close();
    }
  };
}
