import type { Exemption, ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import type { Suspension } from '#lib/domain/observation/observation.ts';
import { at, isForeignObject } from '#lib/foreign.ts';
import { nameAt } from '#lib/foreign-words.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { hour } from '#lib/domain/time/length.ts';
import { setterOf } from './managers.ts';

/** Path of a field: ['spec', 'prune']. */
type Path = readonly string[];

/** The exemptions of one object while they are being found; who set a field is read from managedFields. */
export interface ExemptionList {
  /** One that a field declares. `name` is how the field is called where its path joined by dots is not it. */
  add(kind: ExemptionKind, path: Path, meaning: string, name?: string): void;
  /** One for each field of the spec (paths within it) that holds something. */
  addFilled(kind: ExemptionKind, fields: readonly Path[], meaning: string): void;
  /** A suspension as the exemption that it is. */
  addSuspension(suspended: Suspension | null, meaning: string): void;
  readonly found: readonly Exemption[];
}

/** Starts an empty list for an object. `reach`: how many objects each of them covers; null for the object itself. */
export function exemptionList(object: unknown, reach: number | null): ExemptionList {
  const found: Exemption[] = [];
  const list: ExemptionList = {
    add(kind, path, meaning, name = path.join('.')) {
      found.push({ kind, field: name, meaning, ...setterOf(object, path), reach });
    },
    addFilled(kind, fields, meaning) {
      for (const field of fields)
        if (isFilled(at(object, 'spec', ...field))) list.add(kind, ['spec', ...field], meaning);
    },
    addSuspension(suspended, meaning) {
      if (suspended === null) return;
      const { field, by, at: since } = suspended;
      found.push({ kind: 'suspended', field, meaning, by, at: since, reach });
    },
    found,
  };
  return list;
}

/** Number of things that were applied; null where nothing tells or nothing was. */
export function reachOf(applied: readonly unknown[]): number | null {
  return applied.length === 0 ? null : applied.length;
}

/** From which interval on (ms) passes are so far apart that it is worth telling. */
const rare = 6 * hour;

/** An interval that lets something stand for hours; `what` comes before "for up to 24 h", `path` is where the interval (ms) stands. */
export function addRarePasses(
  list: ExemptionList,
  interval: number | null,
  what: string,
  path: Path = ['spec', 'interval'],
): void {
  if (interval !== null && interval >= rare)
    list.add('rare-passes', path, `${what} for up to ${formatDuration(interval)}`);
}

/** True if a value of a spec holds anything. */
export function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isForeignObject(value)) return Object.keys(value).length > 0;
  return value === true || (nameAt(value) ?? '') !== '';
}
