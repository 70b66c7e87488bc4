import type { Within } from '#lib/domain/access/within.ts';

/** Part of a record that is asked for: which clusters, and of what on them. A label is resolved to clusters by whoever asks. */
export interface RecordScope {
  /** null for all that the record has. */
  readonly clusters: readonly string[] | null;
  /** One kind only; absent for all. */
  readonly kind?: { readonly group: string; readonly kind: string };
  /** One namespace, one name only. */
  readonly namespace?: string;
  readonly name?: string;
  /**
   * The part of that which may be seen by whoever asks; absent for all of it. What is recorded of a cluster as a whole, and of its kinds, belongs to each part of it, but
   * for its loss, its packages and the commits that arrived on it: those belong to who sees all of it.
   */
  readonly within?: Within;
}

/** Where a list goes on. Opaque. */
export type RecordCursor = string;

/** One page of a list. */
export interface RecordPage<T> {
  readonly items: readonly T[];
  /** null at the end. */
  readonly next: RecordCursor | null;
}
