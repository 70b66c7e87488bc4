import { parseLabels } from '../domain/matrix/matrix-view.ts';
import type { FleetView } from './fleet.ts';
import type { ObjectFilter } from './object-filter.ts';

/** The parts of a filter that say what a page is about; what they keep is all that its sentence, counts and causes speak of. */
export const scopeNames = ['cluster', 'label', 'reconciler', 'group', 'kind', 'namespace', 'name', 'q'] as const;
export type ScopeName = (typeof scopeNames)[number];

/**
 * Subject of a page, an answer of the API or a stream; '' for any. A verdict is no part of it: choosing among verdicts chooses what
 * is listed of the scope, and the sentence stays that of all of it.
 */
export type Scope = Readonly<Record<ScopeName, string>>;

/** Everything. */
export const wholeFleet: Scope = {
  cluster: '',
  label: '',
  reconciler: '',
  group: '',
  kind: '',
  namespace: '',
  name: '',
  q: '',
};

/** The scope in a view of the matrix or a filter of objects. */
export function scopeOf(filter: Pick<FleetView, 'cluster' | 'q'> | Pick<ObjectFilter, 'cluster' | 'q'>): Scope {
  const set = new Map<string, unknown>(Object.entries(filter));
  const one = (name: ScopeName): string => {
    const value = set.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    cluster: one('cluster'),
    label: one('label'),
    reconciler: one('reconciler'),
    group: one('group'),
    kind: one('kind'),
    namespace: one('namespace'),
    name: one('name'),
    q: one('q'),
  };
}

/** The parts that are set, as parameters of pages and the API. */
export function scopeParams(scope: Scope): { readonly [name in ScopeName]?: string } {
  return Object.fromEntries(scopeNames.filter((name) => scope[name] !== '').map((name) => [name, scope[name]]));
}

/** Part of a cluster by which a scope keeps it. */
interface LabelledCluster {
  readonly name: string;
  readonly labels: { readonly [key: string]: string };
}

/** Makes what tests if a scope keeps a cluster at all, by its name and labels. An address may name thousands: it is read once for all clusters. */
export function clusterMatcher({
  cluster,
  label,
}: Pick<Scope, 'cluster' | 'label'>): (known: LabelledCluster) => boolean {
  const names = new Set(cluster.split(',').filter((name) => name !== ''));
  const wanted = [...new Map((parseLabels(label) ?? []).map((pair) => [pair.join('='), pair])).values()];
  return ({ name, labels }) =>
    (names.size === 0 || names.has(name)) && wanted.every(([key, value]) => labels[key] === value);
}

/** One part of a scope in words: "environment=production", "kind Kustomization". */
export function scopeLabel(name: ScopeName, value: string): string {
  switch (name) {
    case 'q':
      return `"${value}"`;
    case 'label':
      return value.split(',').join(' and ');
    case 'group':
      return value === '-' ? 'the core group' : `group ${value}`;
    case 'namespace':
      return value === '-' ? 'cluster-scoped' : `namespace ${value}`;
    case 'cluster':
      return value.includes(',') ? `clusters ${value.split(',').join(', ')}` : `cluster ${value}`;
    case 'reconciler':
    case 'kind':
    case 'name':
      return `${name} ${value}`;
  }
}

/** Filter of a scope, in words: "environment=production, kind Kustomization"; '' for everything. */
export function scopeWords(scope: Scope): string {
  return scopeNames
    .filter((name) => scope[name] !== '')
    .map((name) => scopeLabel(name, scope[name]))
    .join(', ');
}
