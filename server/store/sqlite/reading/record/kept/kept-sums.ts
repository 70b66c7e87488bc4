import { LRUCache } from 'lru-cache';
import type { Period } from '#lib/domain/record/span.ts';
import { blockOf } from '../../../../codec/rollup-block.ts';
import { allRows, whole } from '../../../rows/cells.ts';
import type { Steps } from '../../steps/steps.ts';
import type { Scopes } from '../record-scope.ts';

/**
 * Figures that have versions (table `figure_version`): of days that are rolled up, of hours whose incidents are added up, and of days whose calls are.
 */
type Versioned = 'days' | 'hours' | 'calls';

/** Sums of figures that are written down, kept for as long as these stand, whoever writes them. */
export interface KeptSums<T> {
  /**
   * The sums that were kept of a period, if nothing of the blocks in which it lies was written anew or removed since, else what `read` gives.
   * That must follow from figures of these blocks alone; `key` tells what else is asked. Call it where the database stands still.
   */
  recall(period: Period, key: string, read: () => T): T;
  /** Result of `read`, which is kept. */
  renew(period: Period, key: string, read: () => T): T;
  /** As `recall`, of what is read in steps. */
  recallInSteps(period: Period, key: string, read: () => Steps<T>): Steps<T>;
  /** The sums that were kept, as `recall` has them; undefined where there are none. */
  known(period: Period, key: string): T | undefined;
}

/** Amount that is kept: at most so many bytes, of values that take `bytesOf`; what was not asked for longest is dropped first. */
export interface Kept<T> {
  readonly of: Versioned;
  readonly bytes: number;
  readonly bytesOf: (value: T) => number;
}

/** An entry takes some bytes beside its value. */
const entryBytes = 500;

/** Keeps sums of one sort over an open database. */
export function keptSums<T>(scopes: Scopes, { of, bytes, bytesOf }: Kept<T>): KeptSums<T> {
  const kept = new LRUCache<string, { readonly value: T; readonly version: string }>({
    maxSize: bytes,
    sizeCalculation: ({ value, version }, key) => entryBytes + bytesOf(value) + 2 * (version.length + key.length),
  });
  const versions = scopes.statement(
    'SELECT place, version FROM figure_version WHERE of = ? AND place >= ? AND place <= ? ORDER BY place',
  );

  /** Another one as soon as any figure of these blocks was written or removed. */
  function versionOf({ from, to }: Period): string {
    const rows = allRows(versions, of, blockOf(from), blockOf(to - 1));
    return rows.map(([place, version]) => `${whole(place)}:${whole(version)}`).join(' ');
  }

  function put(name: string, version: string, value: T): T {
    kept.set(name, { value, version });
    return value;
  }

  function known(period: Period, key: string): T | undefined {
    const found = kept.get(nameOf(period, key));
    return found?.version === versionOf(period) ? found.value : undefined;
  }

  const nameOf = ({ from, to }: Period, key: string): string => `${from} ${to} ${key}`;
  return {
    recall(period, key, read) {
      const [name, version] = [nameOf(period, key), versionOf(period)];
      const known = kept.get(name);
      return known?.version === version ? known.value : put(name, version, read());
    },
    renew: (period, key, read) => put(nameOf(period, key), versionOf(period), read()),
    *recallInSteps(period, key, read) {
      const found = known(period, key);
      return found === undefined ? put(nameOf(period, key), versionOf(period), yield* read()) : found;
    },
    known,
  };
}
