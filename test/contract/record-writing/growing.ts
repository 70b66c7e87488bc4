import { sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import { growingIncidents, type GrowingIncidents } from '#server/store/record/incident/memory-book.ts';
import type { Recorded } from '#server/store/record/recorded.ts';

/** A record while it is being written: the same lists and maps, growing. */
export type Growing = {
  readonly [K in keyof Recorded]: Recorded[K] extends readonly (infer T)[]
    ? T[]
    : Recorded[K] extends ReadonlyMap<infer Key, infer Value>
      ? Map<Key, Value>
      : K extends 'incidents'
        ? GrowingIncidents
        : never;
};

/** An empty record to write to. */
export function emptyRecord(): Growing {
  return {
    transitions: [],
    coverage: [],
    changes: [],
    absences: [],
    corrections: [],
    earlier: [],
    arrivals: [],
    calls: [],
    alarmCoverage: [],
    incidents: growingIncidents(),
    traits: new Map(),
    origins: new Map(),
    clusters: new Map(),
  };
}

/** Whose rows are meant: those of one object, or of a whole cluster. */
export type Owner = ObjectRef | string;

/** True if a row is of an owner. */
export function isOf(owner: Owner, ref: ObjectRef): boolean {
  return typeof owner === 'string' ? owner === ref.cluster : sameRef(owner, ref);
}

/** Adds a row unless there is one like it: a batch that is written twice counts once. */
export function addOnce<T>(rows: T[], row: T, isSame: (other: T) => boolean): boolean {
  if (rows.some(isSame)) return false;
  rows.push(row);
  return true;
}
