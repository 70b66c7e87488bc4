import type { Labels } from '#lib/domain/alarm/fact.ts';
import { booleanAt, listAt, parseForeign, textAt } from '#lib/foreign.ts';
import { commonKinds, groupResource } from '../api/kinds.ts';
import type { ServedKind } from '../api/kinds.ts';
import type { ObjectStore, StoredObject } from '../api/object-store.ts';
import type { Series } from './series.ts';

/** Metrics that the simulated kube-state-metrics exports of objects of reconcilers (its customResourceState). */
export const metrics = {
  flux: 'gotk_resource_info',
  drift: 'gotk_helm_release_drifted',
  crossplane: 'crossplane_resource_info',
} as const;

const fluxKinds: readonly ServedKind[] = [
  commonKinds.kustomization,
  commonKinds.helmRelease,
  commonKinds.gitRepository,
  commonKinds.ociRepository,
  commonKinds.helmRepository,
  commonKinds.helmChart,
  commonKinds.bucket,
];

/** API groups of Crossplane that its configuration names. A group that it does not name is not exported: that of the databases is missing. */
const crossplaneGroups: ReadonlySet<string> = new Set([
  's3.aws.upbound.io',
  'iam.aws.upbound.io',
  'sqs.aws.upbound.io',
  's3.aws.m.upbound.io',
  'sqs.aws.m.upbound.io',
  'platform.acme.example',
]);

/** Labels that a scrape adds: those of kube-state-metrics itself, `namespace` among them. */
const target = { job: 'kube-state-metrics', namespace: 'monitoring', instance: '10.0.14.7:8080', container: 'ksm' };

/** A label that is not there where its path leads nowhere, as with `labelsFromPath`. */
function label(name: string, value: string | null): Labels {
  return value === null || value === '' ? {} : { [name]: value };
}

function conditionOf(object: unknown, type: string): string | null {
  const found = listAt(object, 'status', 'conditions').find((one) => textAt(one, 'type') === type);
  return textAt(found, 'status');
}

/** Labels that name an object. */
function namesOf(cluster: string, kind: ServedKind, { namespace, name }: StoredObject): Labels {
  return {
    cluster,
    customresource_group: kind.group,
    customresource_kind: kind.kind,
    customresource_version: kind.version,
    ...label('exported_namespace', namespace),
    name,
    ...target,
  };
}

function revisionOf(object: unknown): string | null {
  const [release] = listAt(object, 'status', 'history');
  return (
    textAt(object, 'status', 'lastAppliedRevision') ??
    textAt(object, 'status', 'artifact', 'revision') ??
    textAt(release, 'chartVersion')
  );
}

function fluxSeries(names: Labels, object: unknown, kind: ServedKind): readonly Series[] {
  const suspended = booleanAt(object, 'spec', 'suspend');
  const info: Labels = {
    ...names,
    ...label('ready', conditionOf(object, 'Ready')),
    ...label('revision', revisionOf(object)),
    ...label('suspended', suspended === null ? null : String(suspended)),
  };
  const drifted: Series = {
    metric: metrics.drift,
    labels: { ...names, ...label('status', conditionOf(object, 'Drifted')) },
  };
  return [{ metric: metrics.flux, labels: info }, ...(kind === commonKinds.helmRelease ? [drifted] : [])];
}

function crossplaneSeries(names: Labels, object: unknown): readonly Series[] {
  const labels = {
    ...names,
    ...label('ready', conditionOf(object, 'Ready')),
    ...label('synced', conditionOf(object, 'Synced')),
  };
  return [{ metric: metrics.crossplane, labels }];
}

/** The metric that kube-state-metrics exports of objects of a kind; null where none. */
export function metricOf(kind: { readonly group: string; readonly kind: string }): string | null {
  if (fluxKinds.some((one) => one.group === kind.group && one.kind === kind.kind)) return metrics.flux;
  return crossplaneGroups.has(kind.group) ? metrics.crossplane : null;
}

/** Makes the kube-state-metrics of a cluster, whose objects are read each time; what was not written since is not read again. */
export function createExporter(cluster: string, store: ObjectStore) {
  const known = new WeakMap<StoredObject, readonly Series[]>();

  function seriesOf(kind: ServedKind, stored: StoredObject): readonly Series[] {
    const before = known.get(stored);
    if (before) return before;
    const object = parseForeign(stored.json().toString());
    const names = namesOf(cluster, kind, stored);
    const series = metricOf(kind) === metrics.flux ? fluxSeries(names, object, kind) : crossplaneSeries(names, object);
    known.set(stored, series);
    return series;
  }

  return {
    *series(): Generator<Series> {
      for (const kind of store.kinds()) {
        if (metricOf(kind) === null) continue;
        for (const stored of store.store(groupResource(kind))?.sorted() ?? []) yield* seriesOf(kind, stored);
      }
    },
  };
}
