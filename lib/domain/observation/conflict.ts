import { compareText } from './compare-text.ts';
import { refKey, type ObjectRef } from './ref.ts';

/**
 * Kinds of evidence for two managers of one resource, the surest first.
 * - `two-inventories`: two Flux appliers of one cluster have both applied it (inventories hold one id)
 * - `external-resource`: two managed resources manage one resource of a cloud
 * - `shared-resource`: Argo CD says so (SharedResourceWarning)
 * - `shared-fields`: two GitOps managers own the same fields (managedFields)
 * - `contested-correction`: what a reconciler undoes comes back again and again, by whom is not known
 * - `edited-by-hand`: a person's tool owns fields of what is delivered from git (managedFields)
 * - `uncompared`: so many managers own so many fields that not all were compared (managedFields); whether any of them share some is not known
 */
export const conflictKinds = [
  'two-inventories',
  'external-resource',
  'shared-resource',
  'shared-fields',
  'contested-correction',
  'edited-by-hand',
  'uncompared',
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
  /** managedFields larger than what is compared. `managers`: some of those who own fields. */
  | { readonly type: 'uncompared'; readonly managers: readonly string[] }
  | { readonly type: 'shared'; readonly kind: string; readonly name: string; readonly others: readonly string[] };

/** Resource that is managed twice. `group` and `namespace` are '' where they do not apply or are not told. */
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
  /** A clause for people: "both have applied it and do so again on every pass" */
  readonly why: string;
  /** When Plumbline first saw it (ms since the epoch); it may be older. */
  readonly since: number;
}

/** A conflict before it is known since when. */
export type FoundConflict = Omit<Conflict, 'since'>;

/** Number of conflicts of one cluster that are published; how many there are in all is said beside them. */
export const conflictLimit = 200;

/** Number of owners of one resource that are named; how many there are is said in words. */
export const ownerLimit = 8;

/** One who holds a resource in its inventory. */
export interface Holder {
  readonly ref: ObjectRef;
  readonly suspended: boolean;
  /** It keeps finding the resource changed, and undoes that on nearly every pass. */
  readonly fights: boolean;
}

function both(owners: number): string {
  return owners === 2 ? 'both' : `all ${owners}`;
}

function ownerOf(ref: ObjectRef): ConflictOwner {
  return { ref, name: ref.name };
}

function byName(a: ObjectRef, b: ObjectRef): number {
  return compareText(refKey(a), refKey(b));
}

/**
 * Several appliers of one cluster have applied one resource (docs/exemptions.md, docs/facts/flux.md). `more`: there are others, which are
 * not told.
 */
export function inventoryConflict(resource: ConflictResource, holders: readonly Holder[], more = false): FoundConflict {
  const inOrder = holders.toSorted((a, b) => byName(a.ref, b.ref));
  const suspended = inOrder.filter((holder) => holder.suspended).map(({ ref }) => ref.name);
  const again = inOrder.some((holder) => holder.fights)
    ? 'and rewrite it on nearly every pass'
    : 'and do so again on every pass';
  const rest = suspended.length === 0 ? '' : `; ${suspended.join(', ')} not while suspended`;
  return {
    kind: 'two-inventories',
    resource,
    owners: inOrder.slice(0, ownerLimit).map(({ ref }) => ownerOf(ref)),
    why: `${more ? `at least ${holders.length}` : both(holders.length)} have applied it ${again}${rest}`,
  };
}

/**
 * Several managed resources manage one resource of a cloud (docs/facts/crossplane.md). The first by name of those that are named stands for
 * it. `total`: how many there are, of which `owners` are some, those to be named in front.
 */
export function externalConflict(owners: readonly ObjectRef[], total: number): FoundConflict | null {
  const inOrder = owners.slice(0, ownerLimit).toSorted(byName);
  const [first] = inOrder;
  if (!first) return null;
  const { cluster: _cluster, ...resource } = first;
  return {
    kind: 'external-resource',
    resource,
    owners: inOrder.map(ownerOf),
    why: `${both(total)} manage one external resource, each after its own spec`,
  };
}

/** Conflict that an object itself tells, with another who claims it, or what it delivers. */
export function rivalConflict(own: ObjectRef, rival: Rival): FoundConflict {
  const { cluster: _cluster, ...resource } = own;
  switch (rival.type) {
    case 'shared':
      return {
        kind: 'shared-resource',
        resource: { group: '', kind: rival.kind, namespace: '', name: rival.name },
        owners: [ownerOf(own), ...rival.others.map((name) => ({ ref: null, name }))],
        why: 'Argo CD finds it in both',
      };
    case 'uncompared':
      return {
        kind: 'uncompared',
        resource,
        owners: rival.managers.map((name) => ({ ref: null, name })),
        why: 'its managedFields are larger than what is compared: whether they share fields is not known',
      };
    case 'fields': {
      const fields = rival.fields.join(', ');
      const [one, other] = rival.managers;
      return {
        kind: rival.byHand ? 'edited-by-hand' : 'shared-fields',
        resource,
        owners: rival.managers.map((name) => ({ ref: null, name })),
        why: rival.byHand ? `${other} holds ${fields} beside ${one}` : `both own ${fields}`,
      };
    }
  }
}

/** Conflict in which what a reconciler undoes comes back again and again, and nobody is known who does it. `said`: its own words. */
export function contestedConflict(own: ObjectRef, said: string): FoundConflict {
  const { cluster: _cluster, ...itself } = own;
  return {
    kind: 'contested-correction',
    resource: correctedResources(said)[0] ?? itself,
    owners: [ownerOf(own), { ref: null, name: 'somebody who is not seen' }],
    why: 'what is undone there comes back again and again',
  };
}

/**
 * The resources that a correction names, "ConfigMap/apps/shared configured, Namespace/apps created"; the group is not told.
 * Source: fluxcd/pkg/ssa ChangeSetEntry.String.
 */
export function correctedResources(said: string): readonly ConflictResource[] {
  return [...said.matchAll(/\b([A-Za-z]\w*)\/(?:([^\s/,]+)\/)?([^\s/,]+) (?:configured|created)/g)].map(
    ([, kind = '', namespace = '', name = '']) => ({ group: '', kind, namespace, name }),
  );
}

/** True if a correction may be about a resource, as far as its words tell. */
export function namesResource(said: ConflictResource, resource: ConflictResource): boolean {
  return said.kind === resource.kind && said.namespace === resource.namespace && said.name === resource.name;
}

/** The same conflict has the same key, whoever's record it is in and however it is worded. */
export function conflictKey({ kind, resource, owners }: FoundConflict): string {
  const { group, kind: ofKind, namespace, name } = resource;
  const names = owners.map((owner) => (owner.ref === null ? owner.name : refKey(owner.ref)));
  return [kind, group, ofKind, namespace, name, ...names].join(' ');
}

/** The same for the records of several clusters: what two of them both tell of, a resource outside of both, has one key. */
export function fleetConflictKey(cluster: string, conflict: FoundConflict): string {
  return `${conflict.kind === 'external-resource' ? '' : cluster} ${conflictKey(conflict)}`;
}

const rank: ReadonlyMap<ConflictKind, number> = new Map(conflictKinds.map((kind, index) => [kind, index]));

/** The surest kind first, then by resource. */
export function conflictsInOrder<One extends FoundConflict>(conflicts: readonly One[]): readonly One[] {
  return conflicts
    .map((one) => ({ one, rank: rank.get(one.kind) ?? 0, key: conflictKey(one) }))
    .toSorted((a, b) => a.rank - b.rank || compareText(a.key, b.key))
    .map(({ one }) => one);
}
