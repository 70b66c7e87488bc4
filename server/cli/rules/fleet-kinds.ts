import { compareText } from '#lib/domain/observation/compare-text.ts';
import { type GroupKind, kindKey } from '#lib/domain/observation/ref.ts';
import type { CurrentCluster, CurrentObject } from '#lib/domain/record/current.ts';
import { isOnlyDeclared } from '#lib/domain/verdict/only-declared.ts';
import { countOf } from '#lib/format/number.ts';
import { longestName } from '#lib/foreign-words.ts';
import type { StateMetric } from '#lib/domain/alarm/state-metric.ts';
import { adapterFor, adapters, namedKinds } from '../../collector/reconcilers/registry.ts';

/** A kind of the fleet with the metric that exports it. */
export interface FleetKind extends GroupKind {
  /** Its plural; null where Plumbline does not keep it, as of kinds that are known by a category. */
  readonly resource: string | null;
  readonly metric: StateMetric;
  /** Clusters that have objects of it, sorted; [] for a kind that is only served or known. */
  readonly clusters: readonly string[];
}

/** The kinds of a fleet, sorted by group and kind. */
export interface FleetKinds {
  readonly kinds: readonly FleetKind[];
  /** Clusters with objects, sorted. */
  readonly clusters: readonly string[];
  /** Names of it that rules cannot hold, a sentence each. */
  readonly leftOut: readonly string[];
}

/** Objects of a kind on a cluster. */
export type Seen = Pick<CurrentObject, 'ref' | 'reconciler' | 'role'>;
/** A cluster with the kinds that it serves. */
export type Serving = Pick<CurrentCluster, 'name' | 'feeds'>;

/** Names that Kubernetes takes for a group and a kind. */
const groupName = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const kindName = /^[A-Za-z][A-Za-z0-9]*$/;
const longestKind = 63;

/**
 * True of a group of Kubernetes itself: nobody else may have one without a dot, or beneath k8s.io. A cluster that serves such a kind as Crossplane's would
 * have its whole group read on every other cluster.
 */
export function isOfKubernetes(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}
/** Most kinds for which rules are written: what exports them must fit into one ConfigMap (1 MiB). */
export const mostKinds = 1_000;

interface Found extends GroupKind {
  readonly metric: StateMetric;
  readonly clusters: Set<string>;
}

const plurals: ReadonlyMap<string, string> = new Map(namedKinds.map((kind) => [kindKey(kind), kind.resource]));
const byReconciler = new Map(adapters.map((adapter) => [adapter.reconciler, adapter]));
/** Who reads kinds that it knows by their category alone: a feed does not tell its category. */
const byCategory = adapters.find(({ categories }) => categories !== undefined) ?? null;
const alwaysKnown = adapters.filter(({ reconciler }) => reconciler === 'flux' || reconciler === 'helm');

/** The kinds of which there are objects; with `all` those of Flux and every kind that a cluster serves as well. */
export function fleetKinds(clusters: readonly Serving[], objects: Iterable<Seen>, all: boolean): FleetKinds {
  const found = new Map<string, Found>();
  const odd = { kinds: new Set<string>(), clusters: new Set<string>(), own: new Set<string>() };

  function put(kind: GroupKind, metric: StateMetric, cluster: string | null): void {
    const key = kindKey(kind);
    const known = found.get(key);
    if (known === undefined && !isKindName(kind)) return void odd.kinds.add(key);
    if (isOfKubernetes(kind.group) && !plurals.has(key)) return void odd.own.add(key);
    if (cluster !== null && cluster.length > longestName) return void odd.clusters.add(cluster);
    const entry = known ?? { group: kind.group, kind: kind.kind, metric, clusters: new Set<string>() };
    if (cluster !== null) entry.clusters.add(cluster);
    found.set(key, entry);
  }

  for (const object of objects) {
    const metric = isOnlyDeclared(object) ? null : byReconciler.get(object.reconciler)?.metricOf(object.ref);
    if (metric) put(object.ref, metric, object.ref.cluster);
  }
  if (all) for (const kind of knownKinds(clusters)) put(kind, kind.metric, null);
  return listed(found, odd);
}

function isKindName({ group, kind }: GroupKind): boolean {
  return groupName.test(group) && group.length <= longestName && kindName.test(kind) && kind.length <= longestKind;
}

/** Kinds of Flux, and those that any cluster serves. */
function knownKinds(clusters: readonly Serving[]): readonly (GroupKind & { readonly metric: StateMetric })[] {
  const flux = alwaysKnown.flatMap((adapter) =>
    adapter.kinds.map((kind) => ({ ...kind, metric: adapter.metricOf(kind) })),
  );
  const served = clusters.flatMap(({ feeds }) =>
    feeds.flatMap((feed) => {
      if (feed.state === 'absent') return [];
      const adapter = adapterFor({ ...feed, categories: [] }) ?? byCategory;
      return adapter === null ? [] : { group: feed.group, kind: feed.kind, metric: adapter.metricOf(feed) };
    }),
  );
  return [...flux, ...served];
}

function listed(
  found: ReadonlyMap<string, Found>,
  odd: Readonly<Record<'kinds' | 'clusters' | 'own', ReadonlySet<string>>>,
): FleetKinds {
  // What has objects comes before what is only known, where not all can stay.
  const ranked = [...found.values()].toSorted(
    (a, b) => Number(b.clusters.size > 0) - Number(a.clusters.size > 0) || compareText(kindKey(a), kindKey(b)),
  );
  const kept = ranked.slice(0, mostKinds).toSorted((a, b) => compareText(kindKey(a), kindKey(b)));
  const clusters = new Set(kept.flatMap((kind) => [...kind.clusters]));
  return {
    kinds: kept.map(({ group, kind, metric, clusters: having }) => ({
      group,
      kind,
      metric,
      resource: plurals.get(kindKey({ group, kind })) ?? null,
      clusters: [...having].toSorted(compareText),
    })),
    clusters: [...clusters].toSorted(compareText),
    leftOut: [
      ...(ranked.length > mostKinds
        ? [`${countOf(ranked.length - mostKinds, 'kind')} beyond the first ${mostKinds}`]
        : []),
      ...(odd.kinds.size > 0 ? [`${countOf(odd.kinds.size, 'kind')} with a name that Kubernetes would not take`] : []),
      ...(odd.own.size > 0 ? [`${countOf(odd.own.size, 'kind')} of groups of Kubernetes itself`] : []),
      ...(odd.clusters.size > 0
        ? [`${countOf(odd.clusters.size, 'cluster')} with a name longer than ${longestName} characters`]
        : []),
    ],
  };
}

/** The same for some clusters alone; null where none of them has an object. */
export function onlyClusters(fleet: FleetKinds, clusters: readonly string[]): FleetKinds | null {
  const meant = new Set(clusters);
  const kept = fleet.clusters.filter((cluster) => meant.has(cluster));
  if (kept.length === 0) return null;
  const kinds = fleet.kinds
    .map((kind) => ({ ...kind, clusters: kind.clusters.filter((cluster) => meant.has(cluster)) }))
    .filter((kind, at) => kind.clusters.length > 0 || fleet.kinds[at]?.clusters.length === 0);
  return { ...fleet, kinds, clusters: kept };
}
