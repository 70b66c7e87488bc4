import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/runtime/clock.ts';
import { firstRow, whole } from '../../rows/cells.ts';
import { atOnce, oneStep, type Steps } from '../steps/steps.ts';
import type { Scopes } from './record-scope.ts';

/**
 * A report asks for the same period by several things: they come of one reading, so that they add up to each other, if no more than so
 * many ms lie between, whatever was written meanwhile. Where nothing was written a reading stays true.
 */
const oneReading = 1_000;

/** So many times as long as it took a reading is told in any case: what takes ten seconds is not read anew for each of those things. */
const toldFor = 5;

/** Readings of late. A key tells readings of one sort apart. */
export interface RecentReadings<T> {
  /** Result of `read`, which is kept. */
  renew(key: string, read: () => T): T;
  /** Result that was kept if it may still be told, else as `renew`. */
  recall(key: string, read: () => T): T;
  /** As `recall`, of what is read in steps. */
  recallInSteps(key: string, read: () => Steps<T>): Steps<T>;
}

/** One that is kept: it began at `at` and is told without a look until `until` (ms). */
interface Reading<T> {
  readonly value: T;
  readonly at: number;
  readonly until: number;
  readonly version: number;
}

/** Remembers so many readings of one sort over an open database; `clock` tells the time between two questions. */
export function recentReadings<T>(scopes: Scopes, clock: Clock, kept: number): RecentReadings<T> {
  const readings = new LRUCache<string, Reading<T>>({ max: kept });

  function* renewInSteps(key: string, read: () => Steps<T>): Steps<T> {
    const [at, version] = [clock.now(), versionNow(scopes)];
    const value = yield* read();
    readings.set(key, { value, at, until: at + Math.max(oneReading, toldFor * (clock.now() - at)), version });
    return value;
  }

  function renew(key: string, read: () => T): T {
    return atOnce(renewInSteps(key, () => oneStep(read)));
  }

  function* recallInSteps(key: string, read: () => Steps<T>): Steps<T> {
    const known = readings.get(key);
    if (known === undefined) return yield* renewInSteps(key, read);
    const now = clock.now();
    const isNear = now > known.at - oneReading && now < known.until;
    return isNear || known.version === versionNow(scopes) ? known.value : yield* renewInSteps(key, read);
  }

  return {
    renew,
    recall: (key: string, read: () => T): T => atOnce(recallInSteps(key, () => oneStep(read))),
    recallInSteps,
  };
}

/** Remembers so many readings of one sort for as long as nothing is written. Ask within a transaction: what else it reads is of the same moment then. */
export function unchangedReadings<T>(scopes: Scopes, kept: number): RecentReadings<T> {
  const readings = new LRUCache<string, { readonly value: T; readonly version: number }>({ max: kept });

  function* renewInSteps(key: string, read: () => Steps<T>): Steps<T> {
    const version = versionNow(scopes);
    const value = yield* read();
    readings.set(key, { value, version });
    return value;
  }

  function* recallInSteps(key: string, read: () => Steps<T>): Steps<T> {
    const known = readings.get(key);
    return known?.version === versionNow(scopes) ? known.value : yield* renewInSteps(key, read);
  }

  return {
    renew: (key: string, read: () => T): T => atOnce(renewInSteps(key, () => oneStep(read))),
    recall: (key: string, read: () => T): T => atOnce(recallInSteps(key, () => oneStep(read))),
    recallInSteps,
  };
}

/** Another one as soon as anything was written. */
function versionNow(scopes: Scopes): number {
  return whole(firstRow(scopes.statement('PRAGMA data_version'))?.[0]);
}
