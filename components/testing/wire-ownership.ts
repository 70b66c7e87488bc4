import type { WireConflictList } from '#lib/api/conflict.ts';
import type { WireExemptionList, WireExemptionRow } from '#lib/api/exemption.ts';
import type { WireConflict, WireExemption } from '#lib/api/object.ts';
import { objectPath } from '#lib/api/paths.ts';
import { conflictKinds } from '#lib/domain/observation/conflict.ts';
import { exemptionKinds, exemptionSort } from '#lib/domain/exemption/exemption.ts';
import { minutesAgo, moment } from './wire-fleet.ts';

/** One weakening: checkout is not pruned, as kubectl-edit set it; only what matters must be told. */
export function wireExemption(part: Partial<WireExemption> = {}): WireExemption {
  return {
    kind: 'prune-disabled',
    field: 'spec.prune',
    meaning: 'what is removed from git stays',
    by: 'kubectl-edit',
    at: minutesAgo(90),
    reach: 12,
    ...part,
  };
}

/** The same on an object: checkout on eu-west-3. */
export function wireExemptionRow(
  exemption: Partial<WireExemption> = {},
  object: Partial<WireExemptionRow['object']> = {},
): WireExemptionRow {
  const named = {
    cluster: 'eu-west-3',
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    namespace: 'flux-system',
    name: 'checkout',
    verdict: 'converged' as const,
    ...object,
  };
  return { object: named, exemption: wireExemption(exemption), links: { self: objectPath(named) } };
}

/** A list with these rows on its one page. */
export function wireExemptions(
  rows: readonly WireExemptionRow[],
  part: Partial<WireExemptionList> = {},
): WireExemptionList {
  const counts = exemptionKinds.map((kind) => ({
    kind,
    sort: exemptionSort(kind),
    count: rows.filter(({ exemption }) => exemption.kind === kind).length,
  }));
  return {
    asOf: new Date(moment).toISOString(),
    rows: [...rows],
    total: rows.length,
    counts: counts.filter(({ count }) => count > 0),
    objects: { exempt: new Set(rows.map(({ links }) => links.self)).size, all: 40 },
    nextCursor: null,
    partial: [],
    ...part,
  };
}

function owner(name: string): WireConflict['owners'][number] {
  const ref = {
    cluster: 'eu-west-3',
    group: 'kustomize.toolkit.fluxcd.io',
    kind: 'Kustomization',
    namespace: 'flux-system',
    name,
  };
  return { name, cluster: ref.cluster, kind: ref.kind, namespace: ref.namespace, href: objectPath(ref) };
}

/** One ConfigMap that base and on-other have both applied. */
export function wireConflict(part: Partial<WireConflict> = {}): WireConflict {
  return {
    kind: 'two-inventories',
    cluster: 'eu-west-3',
    resource: { group: '', kind: 'ConfigMap', namespace: 'apps', name: 'shared', href: null },
    owners: [owner('base'), owner('on-other')],
    why: 'both have applied it and do so again on every pass',
    since: minutesAgo(47),
    ...part,
  };
}

/** A list with these conflicts on its one page. */
export function wireConflicts(rows: readonly WireConflict[], part: Partial<WireConflictList> = {}): WireConflictList {
  const counts = conflictKinds.map((kind) => ({ kind, count: rows.filter((row) => row.kind === kind).length }));
  return {
    asOf: new Date(moment).toISOString(),
    rows: [...rows],
    total: rows.length,
    counts: counts.filter(({ count }) => count > 0),
    notListed: 0,
    nextCursor: null,
    partial: [],
    ...part,
  };
}
