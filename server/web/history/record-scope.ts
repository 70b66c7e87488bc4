import { wordsOf } from '#lib/api/params.ts';
import { clusterMatcher } from '#lib/api/scope.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import { refuse, type Refused } from '../http/problem.ts';
import { recordedGroups, type PresentObjects } from '../requested/not-there.ts';

/** Part of the record that a query names; '' for any, "-" for the core group and for no namespace. */
export interface RecordFilter {
  readonly cluster: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const nothing = (word: string): string => (word === '-' ? '' : word);

/** The clusters that a filter names; null for all. */
export function clustersOf({ cluster }: Pick<RecordFilter, 'cluster'>): readonly string[] | null {
  const names = wordsOf(cluster);
  return names.length === 0 ? null : names;
}

/** The clusters that a filter names by their names and by labels that they carry now, those then by name; null for all. */
export function clustersKept(
  { cluster, label }: Pick<RecordFilter, 'cluster'> & { readonly label: string },
  fleet: Iterable<Pick<KnownCluster, 'name' | 'labels'>>,
): readonly string[] | null {
  const names = clustersOf({ cluster });
  if (label === '') return names;
  const kept = [...fleet].filter(clusterMatcher({ cluster: (names ?? []).join(','), label }));
  return kept.map(({ name }) => name).toSorted();
}

/**
 * The API groups of the kind that a filter names: the one that it names, else those that have the kind on any cluster
 * of the fleet now, else those that had it before `now` (ms). [] where it names no kind.
 */
export async function groupsOf(
  { group, kind }: Pick<RecordFilter, 'group' | 'kind'>,
  fleet: Iterable<PresentObjects>,
  record: RecordReader,
  now: number,
): Promise<readonly string[]> {
  if (kind === '') return [];
  if (group !== '') return [nothing(group)];
  const groups = new Set<string>();
  for (const { objects } of fleet) for (const { ref } of objects.values()) if (ref.kind === kind) groups.add(ref.group);
  return groups.size > 0 ? [...groups].toSorted() : recordedGroups(record, kind, { from: 0, to: now });
}

/** The scopes of the record that a filter names on some clusters (null: all): one, or, where it names a kind, one for each group of it. */
export function scopesOf(
  { kind, namespace, name }: RecordFilter,
  groups: readonly string[],
  clusters: readonly string[] | null,
): readonly RecordScope[] {
  const scope: RecordScope = {
    clusters,
    ...(namespace === '' ? {} : { namespace: nothing(namespace) }),
    ...(name === '' ? {} : { name }),
  };
  if (kind === '') return [scope];
  return groups.map((group) => ({ ...scope, kind: { group, kind } }));
}

/** Refuses a kind of several API groups, where what is asked cannot be added up over them; null where there is one. */
export function severalGroups(kind: string, groups: readonly string[]): Refused | null {
  if (groups.length < 2) return null;
  const named = groups.map((group) => (group === '' ? '-' : group)).join(', ');
  return refuse({
    type: 'bad-parameter',
    name: 'group',
    message: `${kind} is a kind of several groups, name one: ${named}`,
  });
}

/** True if an object is one that a filter names, wherever it stands. */
export function isNamed({ ref }: CurrentObject, { group, kind, namespace, name }: RecordFilter): boolean {
  return (
    (kind === '' || ref.kind === kind) &&
    (kind === '' || group === '' || ref.group === nothing(group)) &&
    (namespace === '' || ref.namespace === nothing(namespace)) &&
    (name === '' || ref.name === name)
  );
}
