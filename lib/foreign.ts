import { latestTime } from './domain/time/latest-time.ts';

/**
 * Parsed JSON of somebody else, read field by field. This is one of the two homes of a cast in the project:
 * what `JSON.parse` gives is unknown until one of these readers has looked at it.
 */
export type ForeignObject = { readonly [key: string]: unknown };

/** Parses text; null where it is no JSON object. Never throws. */
export function parseForeign(text: string): ForeignObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isForeignObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** True if a value is a JSON object (neither null nor an array). */
export function isForeignObject(value: unknown): value is ForeignObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys, undefined where the path breaks off. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return follow(value, path);
}

/** Handed on as the list that it is: this runs some hundred times for each object of a fleet. */
function follow(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isForeignObject(current)) return undefined;
    current = current[key];
  }
  return current;
}

/** The string at a path, or null. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = follow(value, path);
  return typeof found === 'string' ? found : null;
}

/** The finite number at a path, or null. */
export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = follow(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

/** The boolean at a path, or null. */
export function booleanAt(value: unknown, ...path: readonly string[]): boolean | null {
  const found = follow(value, path);
  return typeof found === 'boolean' ? found : null;
}

/** The array at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = follow(value, path);
  return Array.isArray(found) ? found : [];
}

/** The first `most` entries of the array at a path; none where there is none. For whatever is kept of an object. */
export function firstAt(most: number, value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = listAt(value, ...path);
  return found.length <= most ? found : found.slice(0, most);
}

/** The strings of the array at a path; none where there is none. */
export function textsAt(value: unknown, ...path: readonly string[]): string[] {
  return listAt(value, ...path).filter((entry) => typeof entry === 'string');
}

/** The object at a path; an empty one where there is none. */
export function objectAt(value: unknown, ...path: readonly string[]): ForeignObject {
  const found = follow(value, path);
  return isForeignObject(found) ? found : {};
}

/** The RFC 3339 time at a path in ms since the epoch, or null where it is absent, no time, or not of the years 1970 to 9999. */
export function timeAt(value: unknown, ...path: readonly string[]): number | null {
  const text = follow(value, path);
  if (typeof text !== 'string') return null;
  const time = Date.parse(text);
  return time >= 0 && time <= latestTime ? time : null;
}
