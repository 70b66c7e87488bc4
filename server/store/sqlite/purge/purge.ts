import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import { refKey, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { writerName } from '../../port/instance.ts';
import { beginningOf } from '../../codec/rollup-block.ts';
import type { OpenRefusal } from '../../port/open-refusal.ts';
import { allRows, firstWhole, milliseconds, text, whole } from '../rows/cells.ts';
import { emptyLog, openForWriting, prepare } from '../database.ts';
import { messageOf } from '../failure.ts';
import { takeWriterLock } from '../writing/writer-lock.ts';
import { foundInFile } from './found-in-file.ts';
import { redactText, whyNotRedacted } from './redact-text.ts';
import { clusterIdOf, objectIdOf, removeCluster, removeObject } from './remove-rows.ts';
import type { Removed } from './removed.ts';
import { removeUnusedStrings } from './remove-strings.ts';

/** Data to be removed for good: all of a cluster, of an object, or a text wherever it stands. */
export type PurgeTarget =
  | { readonly type: 'cluster'; readonly name: string }
  | { readonly type: 'object'; readonly ref: ObjectRef }
  | { readonly type: 'text'; readonly text: string };

/** Outcome of a purge. Sizes in bytes. */
export type PurgeResult =
  | {
      readonly type: 'purged';
      readonly removed: Removed;
      /** Texts and names that nothing uses any more. */
      readonly strings: number;
      /** Texts of others that still name what was removed. */
      readonly mentions: number;
      readonly before: number;
      readonly after: number;
    }
  /** A collector writes this store, or did 15 s ago: who holds leases, or the right to write (no lease; '' where that is not known). */
  | { readonly type: 'held'; readonly holders: readonly { readonly holder: string; readonly leases: number }[] }
  | { readonly type: 'unknown' }
  /** It cannot be done, for people. */
  | { readonly type: 'refused'; readonly why: string }
  /** It is removed from the tables, and its bytes may still be in the file. */
  | { readonly type: 'left'; readonly why: string }
  | OpenRefusal;

type Taken =
  | { readonly type: 'taken'; readonly removed: Removed; readonly strings: number; readonly mentions: number }
  | Extract<PurgeResult, { readonly type: 'held' | 'unknown' | 'refused' }>;

function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function mentionsOf(database: DatabaseSync, named: string): number {
  return firstWhole(prepare(database, 'SELECT COUNT(*) FROM text WHERE instr(text, ?)'), named) ?? 0;
}

/** Figures of calls of all days are made anew: what was removed may have been what another cluster waited for. */
function takeBackCallDays(database: DatabaseSync): void {
  database.prepare(`UPDATE rollup_calls SET added_to = block * ${beginningOf(1)}, figures = NULL, kinds = NULL`).run();
  database.exec('DELETE FROM call_alone');
}

function remove(database: DatabaseSync, target: PurgeTarget, now: number): Taken {
  switch (target.type) {
    case 'cluster': {
      const id = clusterIdOf(database, target.name);
      if (id === null) return { type: 'unknown' };
      const removed = removeCluster(database, id, target.name, now);
      const strings = removeUnusedStrings(database);
      return { type: 'taken', removed, strings, mentions: mentionsOf(database, `${target.name}/`) };
    }
    case 'object': {
      const id = objectIdOf(database, target.ref);
      if (id === null) return { type: 'unknown' };
      const removed = removeObject(database, id, target.ref, now);
      const strings = removeUnusedStrings(database);
      return { type: 'taken', removed, strings, mentions: mentionsOf(database, refKey(target.ref)) };
    }
    case 'text': {
      const why = whyNotRedacted(database, target.text);
      if (why !== null) return { type: 'refused', why };
      const removed = redactText(database, target.text);
      if (removed.length === 0) return { type: 'unknown' };
      return { type: 'taken', removed, strings: removeUnusedStrings(database), mentions: 0 };
    }
  }
}

/** In one transaction, in which nobody else writes: looks whether a collector lives, then removes. */
function take(database: DatabaseSync, target: PurgeTarget, now: number): Taken {
  database.exec('BEGIN IMMEDIATE');
  try {
    const living = prepare(database, 'SELECT holder, COUNT(*) FROM lease WHERE expires_at > ? GROUP BY holder');
    const holders = allRows(living, milliseconds(now)).map((row) => ({
      holder: text(row[0]),
      leases: whole(row[1]),
    }));
    const taken: Taken = holders.length > 0 ? { type: 'held', holders } : remove(database, target, now);
    // Whoever follows the store has read what is gone: it is another store to them, and read anew.
    if (taken.type === 'taken') {
      takeBackCallDays(database);
      database.prepare('UPDATE store SET id = ?').run(randomUUID());
    }
    database.exec(taken.type === 'taken' ? 'COMMIT' : 'ROLLBACK');
    return taken;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Writes the file anew and empties the write-ahead log, so that no byte of what was removed is left; gives why not, where it cannot. */
function rewrite(database: DatabaseSync): string | null {
  try {
    database.exec('VACUUM');
    return emptyLog(database) ? null : 'another process is reading the store: stop it, or try again';
  } catch (error) {
    return messageOf(error);
  }
}

/** Removes something from the store at `path` for good. No collector may be writing it at `now` (ms). */
export function purgeSqlite(path: string, target: PurgeTarget, now: number): PurgeResult {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return { type: 'missing', path };
  const lock = takeWriterLock(path, { host: hostname(), pid: process.pid, since: now });
  if (lock.type === 'held')
    return { type: 'held', holders: [{ holder: lock.by === null ? '' : writerName(lock.by), leases: 0 }] };
  if (lock.type !== 'taken') return lock;
  try {
    return purgeUnderLock(path, target, now);
  } finally {
    lock.release();
  }
}

const nothingRemoved = { removed: [], strings: 0, mentions: 0 };

/** True where bytes of it are in the file: of what a purge that was broken off has removed from the tables alone. */
function isFound(path: string, target: PurgeTarget): boolean {
  const word = target.type === 'text' ? target.text : target.type === 'cluster' ? target.name : target.ref.name;
  return [path, `${path}-wal`].some((file) => foundInFile(file, word));
}

function purgeUnderLock(path: string, target: PurgeTarget, now: number): PurgeResult {
  const before = sizeOf(path);
  const opened = openForWriting(path, 5_000);
  if (opened.type !== 'open') return opened;
  const { database } = opened;
  try {
    const taken = take(database, target, now);
    const isAgain = taken.type === 'unknown' && isFound(path, target);
    if (taken.type !== 'taken' && !isAgain) return taken;
    const why = rewrite(database);
    if (why !== null) return { type: 'left', why };
    const isLeft = target.type === 'text' && isFound(path, target);
    // Names stand elsewhere too: that these bytes were of what was removed cannot be said.
    if (taken.type !== 'taken' && (isLeft || target.type !== 'text')) return taken;
    if (isLeft) return { type: 'left', why: 'the file still has these bytes' };
    const { removed, strings, mentions } = taken.type === 'taken' ? taken : nothingRemoved;
    return { type: 'purged', removed, strings, mentions, before, after: sizeOf(path) };
  } catch (error) {
    return { type: 'refused', why: messageOf(error) };
  } finally {
    database.close();
  }
}
