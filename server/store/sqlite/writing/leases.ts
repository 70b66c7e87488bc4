import type { DatabaseSync } from 'node:sqlite';
import type { FactSource, FactSourceType, Lease } from '../../port/port.ts';
import { allRows, firstRow, milliseconds, text, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';

/** The right to write, per source of facts. Every call must be within a transaction. */
export interface Leases {
  acquire<T extends FactSourceType>(source: FactSource<T>, holder: string, now: number, ttl: number): Lease<T> | null;
  release(lease: Lease): void;
  /** True if the lease is still the newest of its source. Time does not matter: an expired lease that nobody took still writes. */
  holds(lease: Lease): boolean;
  /** True if nobody but those to whom leases were given here holds any at `now` (ms). */
  alone(now: number): boolean;
}

/** Prepares the statements over an open database. */
export function openLeases(database: DatabaseSync, dictionary: Dictionary): Leases {
  const read = prepare(database, 'SELECT holder, epoch, expires_at FROM lease WHERE fact_source = ?');
  const put = database.prepare(
    `INSERT INTO lease (fact_source, holder, epoch, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (fact_source) DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at`,
  );

  const living = prepare(database, 'SELECT DISTINCT holder FROM lease WHERE expires_at > ?');
  const given = new Set<string>();

  function holds(lease: Lease): boolean {
    const row = firstRow(read, dictionary.source(lease.source));
    return row !== null && text(row[0]) === lease.holder && whole(row[1]) === lease.epoch;
  }

  return {
    acquire(source, holder, now, ttl) {
      const id = dictionary.source(source);
      const row = firstRow(read, id);
      const own = row !== null && text(row[0]) === holder;
      if (row !== null && !own && whole(row[2]) > now) return null;
      const last = row === null ? 0 : whole(row[1]);
      const epoch = own ? last : last + 1;
      put.run(id, holder, epoch, milliseconds(now + ttl));
      given.add(holder);
      return { source, holder, epoch };
    },
    release(lease) {
      if (holds(lease)) put.run(dictionary.source(lease.source), '', lease.epoch, 0);
    },
    holds,
    alone: (now) => allRows(living, milliseconds(now)).every((row) => given.has(text(row[0]))),
  };
}
