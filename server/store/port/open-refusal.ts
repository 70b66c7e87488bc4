/**
 * Why a store could not be opened.
 * - missing: no file, or none with a schema yet
 * - unreleased: in a layout from before the first release, which nothing reads any more
 * - newer: written by a later version of Plumbline; it is left as it is
 * - older: a reader met a store that no writer has migrated yet
 * - corrupt: the file is no store, or a damaged one
 * - unusable: the file or its directory can not be opened or written
 */
export type OpenRefusal =
  | { readonly type: 'missing'; readonly path: string }
  | { readonly type: 'unreleased'; readonly path: string; readonly version: number }
  | { readonly type: 'newer'; readonly path: string; readonly version: number; readonly known: number }
  | { readonly type: 'older'; readonly path: string; readonly version: number; readonly known: number }
  | { readonly type: 'corrupt'; readonly path: string; readonly message: string }
  | { readonly type: 'unusable'; readonly path: string; readonly message: string };

/** The refusal in words for people, without a full stop. */
export function describeOpenRefusal(refusal: OpenRefusal): string {
  switch (refusal.type) {
    case 'missing':
      return `there is no store at ${refusal.path} yet`;
    case 'unreleased':
      return `the store at ${refusal.path} has the layout ${refusal.version} of an unreleased version: delete it, and a new one is made`;
    case 'newer':
      return `the store at ${refusal.path} has version ${refusal.version}, this program knows ${refusal.known}: start the newer program again, or restore a backup from before it`;
    case 'older':
      return `the store at ${refusal.path} has version ${refusal.version}, this program needs ${refusal.known}: the collector brings it there`;
    case 'corrupt':
      return `the store at ${refusal.path} is damaged or no store: ${refusal.message}`;
    case 'unusable':
      return `the store at ${refusal.path} can not be opened: ${refusal.message}`;
  }
}
