import { at, firstAt, isForeignObject, timeAt } from '#lib/foreign.ts';
import { nameAt, unkeptTextAt } from '#lib/foreign-words.ts';

/** Who set a field, as far as managedFields tell; `at` in ms since the epoch. */
export interface Setter {
  readonly by: string | null;
  readonly at: number | null;
}

const nobody: Setter = { by: null, at: null };

/** Most entries of managedFields that are read of one object: the API server itself keeps some ten, and each reader goes through them anew. */
const mostEntries = 256;

/** The entries of managedFields, as far as they are read. */
export function managedFieldsOf(object: unknown): readonly unknown[] {
  return firstAt(mostEntries, object, 'metadata', 'managedFields');
}

/**
 * Who set the field at a path such as ['spec', 'suspend'] or ['metadata', 'annotations', 'crossplane.io/paused']:
 * the newest entry of managedFields whose fieldsV1 owns it (or owns an atomic parent of it).
 * A manager's time moves with any change that it makes, so it says "at the latest then".
 */
export function setterOf(object: unknown, path: readonly string[]): Setter {
  let found = nobody;
  for (const entry of managedFieldsOf(object)) {
    if (!owns(at(entry, 'fieldsV1'), path)) continue;
    const time = timeAt(entry, 'time');
    if (isLater(time, found.at)) found = { by: nameAt(entry, 'manager'), at: time };
  }
  return found;
}

/** Which manager last wrote the spec and when, beside those that are left out; null where managedFields do not tell. */
export function specEditor(
  object: unknown,
  leftOut: (manager: string) => boolean = () => false,
): { manager: string; at: number | null } | null {
  let found: { manager: string; at: number | null } | null = null;
  for (const entry of managedFieldsOf(object)) {
    const manager = nameAt(entry, 'manager');
    if (manager === null || at(entry, 'fieldsV1', 'f:spec') === undefined || leftOut(manager)) continue;
    const time = timeAt(entry, 'time');
    if (isLater(time, found?.at ?? null)) found = { manager, at: time };
  }
  return found;
}

/** The newest time of a status write in managedFields (ms since the epoch), or null. */
export function lastStatusWrite(object: unknown): number | null {
  let newest: number | null = null;
  for (const entry of managedFieldsOf(object)) {
    if (!isOfStatus(entry)) continue;
    const time = timeAt(entry, 'time');
    if (isLater(time, newest)) newest = time;
  }
  return newest;
}

/** The managers that write the status: the reconciler of the object, by whatever names it goes. */
export function statusWriters(object: unknown): ReadonlySet<string | null> {
  return new Set(
    managedFieldsOf(object)
      .filter(isOfStatus)
      .map((entry) => nameAt(entry, 'manager')),
  );
}

/** True for a time (ms) that is no earlier than another; no time is earlier than any. */
function isLater(time: number | null, than: number | null): boolean {
  return than === null || (time !== null && time >= than);
}

function isOfStatus(entry: unknown): boolean {
  return unkeptTextAt(entry, 'subresource') === 'status' || at(entry, 'fieldsV1', 'f:status') !== undefined;
}

function owns(fields: unknown, path: readonly string[]): boolean {
  let current = fields;
  for (const [depth, key] of path.entries()) {
    if (!isForeignObject(current)) return false;
    const next = current[`f:${key}`];
    if (next === undefined) return depth > 1 && Object.keys(current).length === 0;
    current = next;
  }
  return true;
}
