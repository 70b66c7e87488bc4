import { isForeignObject } from '#lib/foreign.ts';

/**
 * Rows of our own, read back. A row was written by this very program from a typed value, so its shape is checked to the
 * depth at which another version would differ (every field by name and sort, not every field of every field); the type
 * predicates here are the one place that vouches for the rest.
 */
export type Sort =
  | 'text'
  | 'text?'
  | 'number'
  | 'number?'
  | 'yes-no'
  | 'yes-no?'
  | 'list'
  | 'list?'
  | 'record'
  | 'record?'
  | 'anything';
function isOfSort(value: unknown, sort: Sort): boolean {
  switch (sort) {
    case 'text':
      return typeof value === 'string';
    case 'text?':
      return value === null || typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'number?':
      return value === null || typeof value === 'number';
    case 'yes-no':
      return typeof value === 'boolean';
    case 'yes-no?':
      return value === null || typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'list?':
      return value === null || Array.isArray(value);
    case 'record':
      return isForeignObject(value);
    case 'record?':
      return value === null || isForeignObject(value);
    case 'anything':
      return true;
  }
}

/** True if a value read back has every field of a shape, each of its sort. */
export function hasShape(value: unknown, shape: { readonly [key: string]: Sort }): boolean {
  if (!isForeignObject(value)) return false;
  for (const key in shape) {
    const sort = shape[key];
    if (sort !== undefined && !isOfSort(value[key], sort)) return false;
  }
  return true;
}
