/** Part of a record that is asked for: which clusters, and of what on them. A label is resolved to clusters by whoever asks. */
export interface RecordScope {
  /** null for all that the record has. */
  readonly clusters: readonly string[] | null;
  /** One kind only; absent for all. */
  readonly kind?: { readonly group: string; readonly kind: string };
  /** One namespace, one name only. */
  readonly namespace?: string;
  readonly name?: string;
}

/** Where a list goes on. Opaque. */
export type RecordCursor = string;

/** One page of a list. */
export interface RecordPage<T> {
  readonly items: readonly T[];
  /** null at the end. */
  readonly next: RecordCursor | null;
}
