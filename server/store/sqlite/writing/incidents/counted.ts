import type { DatabaseSync } from 'node:sqlite';
import { prepare } from '../../database.ts';
import { allRows, firstRow, firstWhole, milliseconds, whole } from '../../rows/cells.ts';

interface Held {
  count: number;
  changed: boolean;
}

// Those that are told, and as many more as may be let go of within a batch.
const holdersRead = 8;

/**
 * Counts of the members of each incident that have each key, by its hash: what is read is kept until `flush` writes it. Call it within a
 * transaction only.
 */
export function openKeyCounts(database: DatabaseSync) {
  const newest = prepare(
    database,
    'SELECT incident, count FROM incident_key WHERE hash = ? ORDER BY incident DESC LIMIT ?',
  );
  const read = prepare(database, 'SELECT count FROM incident_key WHERE hash = ? AND incident = ?');
  const write = database.prepare(
    `INSERT INTO incident_key (hash, incident, count) VALUES (?, ?, ?)
     ON CONFLICT (hash, incident) DO UPDATE SET count = excluded.count`,
  );
  const drop = database.prepare('DELETE FROM incident_key WHERE hash = ? AND incident = ?');
  const hand = database.prepare(
    `INSERT INTO incident_key (hash, incident, count) SELECT hash, ?1, count FROM incident_key WHERE incident = ?2
     ON CONFLICT (hash, incident) DO UPDATE SET count = count + excluded.count`,
  );
  const dropAll = database.prepare('DELETE FROM incident_key WHERE incident = ?');
  let known = new Map<number, Map<number, Held>>();

  function heldBy(hash: number): Map<number, Held> {
    const found = known.get(hash);
    if (found !== undefined) return found;
    const rows = allRows(newest, hash, holdersRead);
    const held = new Map(rows.map(([incident, count]) => [whole(incident), { count: whole(count), changed: false }]));
    known.set(hash, held);
    return held;
  }

  function of(hash: number, incident: number): Held {
    const held = heldBy(hash);
    const found = held.get(incident);
    if (found !== undefined) return found;
    const made = { count: firstWhole(read, hash, incident) ?? 0, changed: false };
    held.set(incident, made);
    return made;
  }

  function flush(): void {
    for (const [hash, held] of known)
      for (const [incident, { count, changed }] of held) {
        if (!changed) continue;
        if (count > 0) write.run(hash, incident, count);
        else drop.run(hash, incident);
      }
    known = new Map();
  }

  return {
    begin: () => void (known = new Map()),
    flush,
    holds: (incident: number, hash: number): number => of(hash, incident).count,
    add(incident: number, hash: number, by: number): void {
      const held = of(hash, incident);
      held.count += by;
      held.changed = true;
    },
    /** The newest incidents that hold a key, at most four. */
    holders: (hash: number): readonly number[] =>
      [...heldBy(hash)]
        .filter(([, { count }]) => count > 0)
        .map(([incident]) => incident)
        .toSorted((a, b) => b - a)
        .slice(0, 4),
    handOver(from: number, into: number): void {
      flush();
      hand.run(into, from);
      dropAll.run(from);
    },
  };
}

interface On {
  open: number;
  readonly joinedAt: number;
  changed: boolean;
}

/** Counts of the members of each incident that are on each cluster: what is read is kept until `flush` writes it. Call it within a transaction only. */
export function openClusterCounts(database: DatabaseSync) {
  const read = prepare(database, 'SELECT open, joined_at FROM incident_cluster WHERE incident = ? AND cluster = ?');
  const write = database.prepare(
    `INSERT INTO incident_cluster (incident, cluster, open, joined_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (incident, cluster) DO UPDATE SET open = excluded.open`,
  );
  const hand = database.prepare(
    `INSERT INTO incident_cluster (incident, cluster, open, joined_at)
     SELECT ?1, cluster, SUM(to_at IS NULL), ?2 FROM incident_member WHERE incident = ?3 AND ended IS NOT 'moved' GROUP BY cluster
     ON CONFLICT (incident, cluster) DO UPDATE SET open = open + excluded.open`,
  );
  const empty = database.prepare('UPDATE incident_cluster SET open = 0 WHERE incident = ?');
  const count = prepare(database, 'SELECT COUNT(*) FROM incident_cluster WHERE incident = ? AND open > 0');
  let known = new Map<number, Map<number, On>>();

  function of(incident: number, cluster: number, at: number): On {
    const on = known.get(incident) ?? new Map<number, On>();
    known.set(incident, on);
    const found = on.get(cluster);
    if (found !== undefined) return found;
    const row = firstRow(read, incident, cluster);
    const made = {
      open: row === null ? 0 : whole(row[0]),
      joinedAt: row === null ? at : whole(row[1]),
      changed: false,
    };
    on.set(cluster, made);
    return made;
  }

  function flush(): void {
    for (const [incident, on] of known)
      for (const [cluster, { open, joinedAt, changed }] of on)
        if (changed) write.run(incident, cluster, open, milliseconds(joinedAt));
    known = new Map();
  }

  return {
    begin: () => void (known = new Map()),
    flush,
    shift(incident: number, cluster: number, by: number, at: number): number {
      const on = of(incident, cluster, at);
      on.open += by;
      on.changed = true;
      return on.open;
    },
    /** Gives how many clusters the other has members on now. Call it before the members are handed over. */
    handOver(from: number, into: number, at: number): number {
      flush();
      hand.run(into, milliseconds(at), from);
      empty.run(from);
      return firstWhole(count, into) ?? 0;
    },
  };
}
