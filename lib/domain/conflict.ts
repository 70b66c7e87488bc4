import type { ObjectRef } from './ref.ts';

/**
 * How two managers of one resource were found, the surest first.
 * - `two-inventories`: two Flux appliers of one cluster have both applied it (inventories hold one id)
 * - `external-resource`: two managed resources manage one resource of a cloud
 * - `shared-resource`: Argo CD says so (SharedResourceWarning)
 * - `shared-fields`: two GitOps managers own the same fields (managedFields)
 * - `contested-correction`: what a reconciler undoes comes back again and again, by whom is not known
 * - `edited-by-hand`: a person's tool owns fields of what is delivered from git (managedFields)
 */
export const conflictKinds = [
  'two-inventories',
  'external-resource',
  'shared-resource',
  'shared-fields',
  'contested-correction',
  'edited-by-hand',
] as const;
export type ConflictKind = (typeof conflictKinds)[number];

/** Somebody else who claims an object, or what it delivers, as the object itself tells it. */
export type Rival =
  | {
      readonly type: 'fields';
      /** The field managers: two of GitOps, or one of them and a person's tool (which comes last). */
      readonly managers: readonly [string, string];
      /** The last of them is a person's tool. */
      readonly byHand: boolean;
      /** Fields that both own, or that the hand owns; a few of them: spec.replicas */
      readonly fields: readonly string[];
      /** When the later of the two last wrote, ms since the epoch. */
      readonly at: number | null;
    }
  | { readonly type: 'shared'; readonly kind: string; readonly name: string; readonly others: readonly string[] };

/** What is managed twice. `group` and `namespace` are '' where they do not apply or are not told. */
export type ConflictResource = Omit<ObjectRef, 'cluster'>;

/** One who manages it: an object where one is known, else the field manager or what was told of it. */
export interface ConflictOwner {
  readonly ref: ObjectRef | null;
  readonly name: string;
}

/** One resource with more than one manager. */
export interface Conflict {
  readonly kind: ConflictKind;
  readonly resource: ConflictResource;
  readonly owners: readonly ConflictOwner[];
  /** A clause for people: "both have applied it, each applies it on every pass" */
  readonly why: string;
  /** When Plumbline first saw it (ms since the epoch); it may be older. */
  readonly since: number;
}
