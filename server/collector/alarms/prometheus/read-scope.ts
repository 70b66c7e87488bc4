import { attributedCluster } from '#lib/domain/alarm/called/attributed-cluster.ts';
import type { ScopeFact, ScopeStanding } from '#lib/domain/alarm/fact.ts';
import { objectHash } from '#lib/domain/alarm/object-hash.ts';
import { objectLabels } from '#lib/domain/alarm/selector/scope.ts';
import type { ClusterAttribution } from '#lib/domain/alarm/source.ts';
import { wantedOf } from '#lib/domain/pager/given.ts';
import type { Label } from '#lib/domain/pager/label.ts';
import { longestLabel } from '#lib/domain/pager/label.ts';
import { foreignName, reasonAt, unkeptTextAt } from '#lib/foreign-words.ts';
import { at, objectAt } from '#lib/foreign.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { most } from '../left-out.ts';
import { byText } from '../words.ts';
import { partialText, successData } from './success-data.ts';

/** Facts of one scope; `cut` says what a bound left out. */
export interface ScopeReading {
  readonly facts: readonly (ScopeFact | ScopeStanding)[];
  readonly cut: readonly string[];
}

const seriesInATurn = 5_000;

/** The facts of a scope whose objects are not known, and why. */
export function unknownScope(scope: string, reason: string): ScopeReading {
  return { facts: [{ type: 'scope-standing', key: scope, series: null, reason }], cut: [] };
}

/** Reads the answer to the question for a scope (`scopeQuery`). `turn`: lets others have their turn. */
export async function readScope(
  scope: string,
  body: unknown,
  attribution: ClusterAttribution,
  turn: () => Promise<void>,
): Promise<ScopeReading> {
  const data = successData(body);
  const result = at(data, 'result');
  if (reasonAt(data, 'resultType') !== 'vector' || !Array.isArray(result))
    return unknownScope(scope, 'Its answer is not that of Prometheus to /api/v1/query.');
  const [partial] = partialText(body);
  if (partial !== undefined) return unknownScope(scope, partial);
  const clusters = new Map<string | null, Gathered>();
  let left = 0;
  let kinds = 0;
  for (const [index, series] of result.entries()) {
    if (index % seriesInATurn === seriesInATurn - 1) await turn();
    const labels = labelsOf(series, attribution.label);
    const cluster = attributedCluster(Object.fromEntries(labels.map(({ name, value }) => [name, value])), attribution);
    const name = cluster === null ? null : foreignName(cluster);
    let gathered = clusters.get(name);
    if (gathered === undefined) {
      if (clusters.size >= most.clusters) {
        left += 1;
        continue;
      }
      clusters.set(name, (gathered = { series: 0, objects: new Map() }));
    }
    gathered.series += 1;
    for (const { kind, hash } of objectsOf(labels)) if (addTo(gathered.objects, kind, hash)) kinds += 1;
    if (kinds > most.kinds)
      return unknownScope(scope, `Its series name more than ${formatCount(most.kinds)} kinds on clusters.`);
  }
  const facts = [...clusters].map(([cluster, gathered]) => factOf(scope, cluster, gathered));
  const cut =
    left === 0
      ? []
      : [
          `Series of ${scope} name more than ${countOf(most.clusters, 'cluster')}; ${countOf(left, 'series', 'series')} are left out.`,
        ];
  return { facts: [{ type: 'scope-standing', key: scope, series: result.length, reason: null }, ...facts], cut };
}

interface Gathered {
  series: number;
  readonly objects: Map<string, Set<number>>;
}

/** True where the kind is the first of its name. */
function addTo(objects: Map<string, Set<number>>, kind: string, hash: number): boolean {
  const found = objects.get(kind);
  if (found === undefined) objects.set(kind, new Set([hash]));
  else found.add(hash);
  return found === undefined;
}

function factOf(scope: string, cluster: string | null, { series, objects }: Gathered): ScopeFact {
  const kinds = [...objects].sort(([a], [b]) => byText(a, b));
  return {
    type: 'scope',
    key: `${cluster ?? ''} ${scope}`,
    scope,
    cluster,
    series,
    objects: Object.fromEntries(kinds.map(([kind, hashes]) => [kind, [...hashes].sort((a, b) => a - b)])),
  };
}

/** The labels of a series that were asked for, as pagers' labels are read: what is empty or too long is none. */
function labelsOf(series: unknown, clusterLabel: string): readonly Label[] {
  const metric = objectAt(series, 'metric');
  return [...new Set([clusterLabel, ...objectLabels])].flatMap((name) => {
    const value = unkeptTextAt(metric, name) ?? '';
    return value.trim() === '' || value.length > longestLabel ? [] : [{ name, value }];
  });
}

/**
 * The object that a series names, by the same labels as a pager's link (`wantedOf`); none where it names none. Where `namespace` stands without
 * `exported_namespace` it may be the object's (an exporter whose labels are honoured) or that of the exporter itself (kube-state-metrics of what has
 * no namespace): no series says which, so it is both. A kind has objects with namespaces or without, never both, so one of the two is nobody's.
 */
function objectsOf(labels: readonly Label[]): readonly { readonly kind: string; readonly hash: number }[] {
  const { kind, namespace, name } = wantedOf(labels);
  if (name === null) return [];
  const word = kind === null ? '' : foreignName(kind.value).toLowerCase();
  const called = foreignName(name.value);
  const hashes = [objectHash(namespace === null ? '' : foreignName(namespace.value), called)];
  if (namespace?.label === 'namespace') hashes.push(objectHash('', called));
  return hashes.map((hash) => ({ kind: word, hash }));
}
