import type { DatabaseSync } from 'node:sqlite';
import { allRows, whole, wholeOrNull } from '../rows/cells.ts';
import { prepare } from '../database.ts';
import type { ClusterSequence } from './cluster-sequence.ts';

/** So many bytes of a detail are as much to remove as one object more. */
const bytesInObject = 4_000;

/** Where a step of forgetting ended. */
interface Place {
  readonly cluster: number;
  /** All that lives up to here is forgotten. */
  readonly after: number;
  /** Whatever is written later is a tombstone of the forgetting. */
  readonly upTo: number;
}

/** Finds what of a cluster is to be forgotten next, over an open database. Call it within a transaction only. */
export function openForgettable(database: DatabaseSync) {
  const living = prepare(
    database,
    `SELECT o.id, o.seq, LENGTH(d.detail) FROM object o LEFT JOIN detail d ON d.object = o.id
     WHERE o.cluster = ? AND o.seq > ? AND o.seq <= ? AND o.traits IS NOT NULL ORDER BY o.seq LIMIT ?`,
  );
  let found: Place | null = null;
  let last: { readonly place: Place; readonly seq: number } | null = null;

  /** Tombstones are not gone through again with each step. Where the step before was rolled back, or something was written since, it begins anew. */
  function placeOf({ cluster, seq }: ClusterSequence): Place {
    if (last !== null && last.place.cluster === cluster && last.seq === seq) return last.place;
    return { cluster, after: 0, upTo: seq };
  }

  return {
    /** Objects of the next step, in the order in which they were written: about `most`, at least one where there is any. `more`: others are left. */
    next(sequence: ClusterSequence, most: number): { readonly ids: readonly number[]; readonly more: boolean } {
      const place = placeOf(sequence);
      const rows = allRows(living, place.cluster, place.after, place.upTo, most + 1);
      const ids: number[] = [];
      let { after } = place;
      let size = 0;
      for (const [id, seq, bytes] of rows) {
        size += 1 + Math.floor((wholeOrNull(bytes) ?? 0) / bytesInObject);
        if (ids.length > 0 && size > most) break;
        ids.push(whole(id));
        after = whole(seq);
      }
      found = { ...place, after };
      return { ids, more: ids.length < rows.length };
    },
    /** They are forgotten: the next step of the cluster begins behind them. */
    taken({ seq }: ClusterSequence): void {
      if (found !== null) last = { place: found, seq };
    },
  };
}
