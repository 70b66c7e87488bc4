import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { systemClock, type Clock } from '#server/runtime/clock.ts';
import type { OpenRefusal } from '../../port/open-refusal.ts';
import type { StoreReader } from '../../port/port.ts';
import { openChangeReader } from './change-reader.ts';
import { numberOf, openForReading } from '../database.ts';
import { openFollow } from './follow.ts';
import { openHistory } from './history.ts';
import { openRecordReader, type InSteps } from './record/record-reader.ts';
import { openScopes } from './record/record-scope.ts';

/** Options for opening the file for reading. */
export interface SqliteReaderOptions {
  readonly path: string;
  /** Time to wait for a file with this program's schema (ms), asking ten times a second. Default 0: not at all. */
  readonly patience?: number;
  readonly clock?: Clock;
  /** Time to wait for a lock (ms); a reader needs one only while a writer recovers the file. Default 5,000. */
  readonly busyTimeout?: number;
  /** For figures of a part of clusters, which take long where it is a large one. */
  readonly inSteps?: InSteps;
}

/** The part of a reader that follows the store. */
type StoreFollower = Pick<StoreReader, 'follow' | 'close'>;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Opens the file read-only. What is missing or older may still come, and is waited for with `patience`. */
async function openPatiently({ path, patience = 0, clock = systemClock, busyTimeout = 5000 }: SqliteReaderOptions) {
  const deadline = clock.now() + patience;
  let opened = openForReading(path, busyTimeout);
  while ((opened.type === 'missing' || opened.type === 'older') && clock.now() < deadline) {
    await new Promise<void>((resolve) => void clock.after(100, resolve));
    opened = openForReading(path, busyTimeout);
  }
  return opened;
}

function followerOf(database: DatabaseSync, id: string): StoreFollower {
  const follow = openFollow(database, id);
  return {
    follow: async (cursor, limit) => follow(cursor, limit),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

/** Opens what follows the store, and nothing else of it. */
export async function openSqliteFollower(options: SqliteReaderOptions): Promise<StoreFollower | OpenRefusal> {
  const opened = await openPatiently(options);
  return opened.type === 'open' ? followerOf(opened.database, opened.id) : opened;
}

/** Opens the SQLite engine's reading side, read-only. */
export async function openSqliteReader(options: SqliteReaderOptions): Promise<StoreReader | OpenRefusal> {
  const opened = await openPatiently(options);
  if (opened.type !== 'open') return opened;
  const { database, id } = opened;
  const scopes = openScopes(database);

  return {
    ...followerOf(database, id),
    ...openHistory(scopes),
    changes: openChangeReader(scopes),
    record: openRecordReader(database, scopes, options.clock ?? systemClock, options.inSteps),
    stats: async () => ({
      objects: numberOf(database, 'SELECT COALESCE(SUM(objects), 0) FROM fact_source'),
      clusters: numberOf(database, 'SELECT COUNT(*) FROM cluster WHERE record IS NOT NULL'),
      transitions: numberOf(
        database,
        'SELECT COALESCE((SELECT MAX(id) FROM transition) - (SELECT MIN(id) FROM transition) + 1, 0)',
      ),
      bytes: sizeOf(options.path) + sizeOf(`${options.path}-wal`),
    }),
  };
}
