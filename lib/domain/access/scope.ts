/** Clusters, and namespaces on them, that a viewer may see. */
export interface Grant {
  /** By name; null for clusters of any name. */
  readonly clusters: readonly string[] | null;
  /** Labels that a cluster must carry now, all of them. */
  readonly labels: Readonly<Record<string, string>>;
  /** null for all, and for what has no namespace; "-" among them for what has none. */
  readonly namespaces: readonly string[] | null;
}

/** All that a viewer may see: everything, or the union of grants (none: nothing). */
export type ViewScope = { readonly type: 'whole' } | { readonly type: 'grants'; readonly grants: readonly Grant[] };

/** All of every cluster: what a grant is before anything narrows it. */
export const everyGrant: Grant = { clusters: null, labels: {}, namespaces: null };

/** Everything, as without `auth`. */
export const wholeScope: ViewScope = { type: 'whole' };

/** The part of one cluster that a scope holds: all of it, none, or its objects in some namespaces ('' for what has none). */
export type Granted = 'all' | 'none' | ReadonlySet<string>;

/** A cluster as grants look at it; one that is not there any more carries no labels. */
export interface GrantedCluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The part of a cluster that a scope holds. */
export function grantedOn(scope: ViewScope, cluster: GrantedCluster): Granted {
  if (scope.type === 'whole') return 'all';
  const namespaces = new Set<string>();
  for (const grant of scope.grants) {
    if (!isOnCluster(grant, cluster)) continue;
    if (grant.namespaces === null) return 'all';
    for (const name of grant.namespaces) namespaces.add(name === '-' ? '' : name);
  }
  return namespaces.size === 0 ? 'none' : namespaces;
}

/** True if a granted part of a cluster holds an object of a namespace ('' for none). */
export function holdsNamespace(granted: Granted, namespace: string): boolean {
  if (granted === 'all') return true;
  return granted !== 'none' && granted.has(namespace);
}

/** The same text for the same grants in any order: what is kept for a scope is kept by it. */
export function scopeKey(scope: ViewScope): string {
  if (scope.type === 'whole') return 'whole';
  return JSON.stringify(scope.grants.map(grantKey).toSorted().filter(isNew));
}

/** True if a grant holds anything of a cluster that has it. */
export function isOnCluster(
  { clusters, labels }: Omit<Grant, 'namespaces'>,
  { name, labels: carried }: GrantedCluster,
): boolean {
  if (clusters !== null && !clusters.includes(name)) return false;
  return Object.entries(labels).every(([key, value]) => Object.hasOwn(carried, key) && carried[key] === value);
}

function grantKey({ clusters, labels, namespaces }: Grant): string {
  const sorted = (names: readonly string[] | null): readonly string[] | null => names?.toSorted().filter(isNew) ?? null;
  const carried = Object.keys(labels).toSorted();
  return JSON.stringify([sorted(clusters), carried.map((key) => [key, labels[key]]), sorted(namespaces)]);
}

function isNew(text: string, index: number, sorted: readonly string[]): boolean {
  return index === 0 || sorted[index - 1] !== text;
}
