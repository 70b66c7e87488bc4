import { wordsOf } from '#lib/api/params.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { RecordScope } from '#server/store/port/record-port.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';

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

/**
 * The scopes of the record that a filter names: one, or one for each API group where the filter names a kind alone
 * (the groups that have it on any cluster now, else those that had it: `recorded`).
 */
export function scopesOf(
  filter: RecordFilter,
  fleet: readonly KnownCluster[],
  recorded: readonly string[] = [],
): readonly RecordScope[] {
  const { kind, group, namespace, name } = filter;
  const scope: RecordScope = {
    clusters: clustersOf(filter),
    ...(namespace === '' ? {} : { namespace: nothing(namespace) }),
    ...(name === '' ? {} : { name }),
  };
  if (kind === '') return [scope];
  const present = groupsOf(kind, fleet);
  const groups = group === '' ? (present.length === 0 ? recorded : present) : [nothing(group)];
  return groups.map((one) => ({ ...scope, kind: { group: one, kind } }));
}

function groupsOf(kind: string, fleet: readonly KnownCluster[]): readonly string[] {
  const groups = new Set<string>();
  for (const { objects } of fleet) for (const { ref } of objects) if (ref.kind === kind) groups.add(ref.group);
  return [...groups].toSorted();
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
