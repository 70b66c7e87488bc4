import { compareText } from '#lib/domain/observation/compare-text.ts';
import { booleanAt, type ForeignObject, listAt } from '#lib/foreign.ts';
import { nameAt, namesAt } from '#lib/foreign-words.ts';
import { isGroupName, isLabelName } from '../../api-path.ts';
import { kindKey } from '#lib/domain/observation/ref.ts';
import { isRead, whyUnjudged } from '../../../reconcilers/registry.ts';
import type { UnreadKind, WatchedKind } from '../../cluster-event.ts';

const unreadAtMost = 200;

/** One group version of a discovery: its wanted kinds, and whether the server could not ask the one behind it. */
export interface DiscoveredVersion {
  readonly group: string;
  readonly version: string;
  readonly stale: boolean;
  readonly kinds: readonly WatchedKind[];
  readonly unread: readonly UnreadKind[];
  /** So many are left out: what they are called by is no name of an API group, version or resource. */
  readonly misnamed: number;
}

/** The kinds of one group version. */
type VersionKinds = Pick<DiscoveredVersion, 'kinds' | 'unread' | 'misnamed'>;

/** Reads an apidiscovery.k8s.io APIGroupDiscoveryList (v2 and v2beta1); null where it is something else. */
export function readAggregated(document: ForeignObject): readonly DiscoveredVersion[] | null {
  if (nameAt(document, 'kind') !== 'APIGroupDiscoveryList') return null;
  const found: DiscoveredVersion[] = [];
  for (const item of listAt(document, 'items')) {
    const group = nameAt(item, 'metadata', 'name') ?? '';
    for (const each of listAt(item, 'versions')) {
      const version = nameAt(each, 'version');
      if (version === null) continue;
      const served = listAt(each, 'resources').flatMap((resource) =>
        listable(resource, {
          group,
          version,
          kind: nameAt(resource, 'responseKind', 'kind'),
          resource: nameAt(resource, 'resource'),
          namespaced: nameAt(resource, 'scope') === 'Namespaced',
        }),
      );
      found.push({ group, version, stale: nameAt(each, 'freshness') === 'Stale', ...parted(served) });
    }
  }
  return found;
}

/** Reads the older APIGroupList: each group with its versions, the preferred one first; null where it is something else. */
export function readGroups(
  document: ForeignObject,
): readonly { readonly group: string; readonly versions: readonly string[] }[] | null {
  if (nameAt(document, 'kind') !== 'APIGroupList') return null;
  return listAt(document, 'groups').flatMap((item) => {
    const group = nameAt(item, 'name');
    if (group === null) return [];
    const preferred = nameAt(item, 'preferredVersion', 'version');
    const served = listAt(item, 'versions').flatMap((each) => nameAt(each, 'version') ?? []);
    const versions = preferred === null ? served : [preferred, ...served.filter((each) => each !== preferred)];
    return [{ group, versions }];
  });
}

/** Reads an APIResourceList of one group version. */
export function readResources(document: ForeignObject, group: string, version: string): VersionKinds {
  const served = listAt(document, 'resources').flatMap((resource) =>
    listable(resource, {
      group,
      version,
      kind: nameAt(resource, 'kind'),
      resource: nameAt(resource, 'name'),
      namespaced: booleanAt(resource, 'namespaced') === true,
    }),
  );
  return parted(served);
}

/** The kinds that are read, and those of reconcilers' groups that are not. */
function parted(listed: readonly WatchedKind[]): VersionKinds {
  const served = listed.filter(isNamed);
  return {
    misnamed: listed.length - served.length,
    kinds: served.filter(isRead),
    unread: served.flatMap((kind) => {
      const why = whyUnjudged(kind);
      return why === undefined ? [] : [{ group: kind.group, kind: kind.kind, why }];
    }),
  };
}

/** Whatever else is no part of a path. */
function isNamed({ group, version, resource }: WatchedKind): boolean {
  return isVersionNamed({ group, version }) && isLabelName(resource);
}

/** True where group and version are called as those of an API server are. */
export function isVersionNamed({ group, version }: Pick<DiscoveredVersion, 'group' | 'version'>): boolean {
  return isGroupName(group) && isLabelName(version);
}

interface Named {
  readonly group: string;
  readonly version: string;
  readonly kind: string | null;
  readonly resource: string | null;
  readonly namespaced: boolean;
}

function listable(source: unknown, { group, version, kind, resource, namespaced }: Named): WatchedKind[] {
  // A name with a slash is a subresource (older form only).
  if (kind === null || resource === null || resource.includes('/')) return [];
  const categories = namesAt(source, 'categories');
  const verbs = namesAt(source, 'verbs');
  if (!verbs.includes('list') || !verbs.includes('watch')) return [];
  return [{ group, kind, version, resource, namespaced, categories }];
}

/** The kinds that are served and not read, each once, by name; so many at most. */
export function unreadOf(versions: readonly DiscoveredVersion[]): UnreadKind[] {
  const found = new Map(versions.flatMap(({ unread }) => unread).map((kind) => [kindKey(kind), kind]));
  return [...found]
    .toSorted(([a], [b]) => compareText(a, b))
    .slice(0, unreadAtMost)
    .map(([, kind]) => kind);
}

/**
 * The kinds of a discovery, each at the first version that serves it (the server orders them, preferred first).
 * The kinds that a stale version served before are kept.
 */
export function kindsOf(versions: readonly DiscoveredVersion[], before: readonly WatchedKind[]): WatchedKind[] {
  const found = new Map<string, WatchedKind>();
  for (const { group, version, stale, kinds } of versions) {
    const kept = stale ? before.filter((kind) => kind.group === group && kind.version === version) : [];
    for (const kind of [...kinds, ...kept]) {
      const key = kindKey(kind);
      if (!found.has(key)) found.set(key, kind);
    }
  }
  return [...found.values()];
}
