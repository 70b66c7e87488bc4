import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/runtime/clock.ts';
import { firstRow, whole } from '../../rows/cells.ts';
import type { Scopes } from './record-scope.ts';

/**
 * A report asks for the same period by several things: they come of one reading, so that they add up to each other, if no more than so
 * many ms lie between, whatever was written meanwhile. Where nothing was written a reading stays true.
 */
const oneReading = 1_000;

/** Readings of late. A key tells readings of one sort apart. */
export interface RecentReadings<T> {
  /** Result of `read`, which is kept. */
  renew(key: string, read: () => T): T;
  /** Result that was kept if it may still be told, else as `renew`. */
  recall(key: string, read: () => T): T;
}

/** Remembers so many readings of one sort over an open database; `clock` tells the time between two questions. */
export function recentReadings<T>(scopes: Scopes, clock: Clock, kept: number): RecentReadings<T> {
  const readings = new LRUCache<string, { readonly value: T; readonly at: number; readonly version: number }>({
    max: kept,
  });

  function renew(key: string, read: () => T): T {
    const [at, version] = [clock.now(), versionNow(scopes)];
    const value = read();
    readings.set(key, { value, at, version });
    return value;
  }

  return {
    renew,
    recall(key, read) {
      const known = readings.get(key);
      if (known === undefined) return renew(key, read);
      const near = Math.abs(clock.now() - known.at) < oneReading;
      return near || known.version === versionNow(scopes) ? known.value : renew(key, read);
    },
  };
}

/** Remembers so many readings of one sort for as long as nothing is written. Ask within a transaction: what else it reads is of the same moment then. */
export function unchangedReadings<T>(scopes: Scopes, kept: number): RecentReadings<T> {
  const readings = new LRUCache<string, { readonly value: T; readonly version: number }>({ max: kept });

  function renew(key: string, read: () => T): T {
    const version = versionNow(scopes);
    const value = read();
    readings.set(key, { value, version });
    return value;
  }

  return {
    renew,
    recall(key, read) {
      const known = readings.get(key);
      return known?.version === versionNow(scopes) ? known.value : renew(key, read);
    },
  };
}

/** Another one as soon as anything was written. */
function versionNow(scopes: Scopes): number {
  return whole(firstRow(scopes.statement('PRAGMA data_version'))?.[0]);
}
