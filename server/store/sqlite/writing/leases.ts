import type { DatabaseSync } from 'node:sqlite';
import type { FactSource, FactSourceType, Lease } from '../../port/port.ts';
import { allRows, firstRow, milliseconds, text, whole } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { Dictionary } from '../rows/dictionary.ts';

/** The right to write, per source of facts, over an open database. Every call must be within a transaction. */
export function openLeases(database: DatabaseSync, dictionary: Dictionary) {
  const read = prepare(database, 'SELECT holder, epoch, expires_at FROM lease WHERE fact_source = ?');
  const put = database.prepare(
    `INSERT INTO lease (fact_source, holder, epoch, expires_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (fact_source) DO UPDATE SET holder = excluded.holder, epoch = excluded.epoch, expires_at = excluded.expires_at`,
  );

  const living = prepare(database, 'SELECT DISTINCT holder FROM lease WHERE expires_at > ?');
  const given = new Set<string>();

  /** True if the lease is still the newest of its source. Time does not matter: an expired lease that nobody took still writes. */
  function holds(lease: Lease): boolean {
    const row = firstRow(read, dictionary.source(lease.source));
    return row !== null && text(row[0]) === lease.holder && whole(row[1]) === lease.epoch;
  }

  return {
    acquire<T extends FactSourceType>(
      source: FactSource<T>,
      holder: string,
      now: number,
      ttl: number,
    ): Lease<T> | null {
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
    release(lease: Lease): void {
      if (holds(lease)) put.run(dictionary.source(lease.source), '', lease.epoch, 0);
    },
    holds,
    /** True if nobody but those to whom leases were given here holds any at `now` (ms). */
    alone: (now: number): boolean => allRows(living, milliseconds(now)).every((row) => given.has(text(row[0]))),
  };
}
