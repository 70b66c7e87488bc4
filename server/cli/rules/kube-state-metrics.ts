import { compareText } from '#lib/domain/observation/compare-text.ts';
import type { FleetKind } from './fleet-kinds.ts';

/** Name of the ConfigMap and of the ClusterRole for kube-state-metrics. */
export const exportName = 'plumbline-kube-state-metrics';

/** The name of a metric in Prometheus. */
export function metricName({ metric }: Pick<FleetKind, 'metric'>): string {
  return `${metric.prefix}_${metric.name}`;
}

/**
 * Configuration of what kube-state-metrics exports, one entry a kind (its flag --custom-resource-state-config-file). Of every version that is served, for an upgrade that
 * serves another one must not end the series; an object that is served in several may have several, which the rules take as one.
 */
export function exportConfig(kinds: readonly FleetKind[]): object {
  return { kind: 'CustomResourceStateMetrics', spec: { resources: kinds.map(exportOf) } };
}

function exportOf({ group, kind, metric }: FleetKind): object {
  return {
    groupVersionKind: { group, version: '*', kind },
    metricNamePrefix: metric.prefix,
    metrics: [
      {
        name: metric.name,
        // Of each kind its own: kube-state-metrics 2.18 drops the series of a kind whose HELP is that of the kind before it (SanitizeHeaders).
        help: `The current state of a ${kind} of ${group}.`,
        each: { type: 'Info', info: { labelsFromPath: { name: ['metadata', 'name'] } } },
        labelsFromPath: { exported_namespace: ['metadata', 'namespace'], ...metric.labelsOf({ group, kind }) },
      },
    ],
  };
}

const verbs = ['get', 'list', 'watch'];

/**
 * The ClusterRole with which kube-state-metrics reads these kinds, and finds their versions. Of a kind whose plural is not kept its whole group is
 * named, as `plumbline rbac` does.
 */
export function exportRole(kinds: readonly FleetKind[]): object {
  const groups = [...Map.groupBy(kinds, ({ group }) => group)].map(([group, found]) => {
    const resources = found.map(({ resource }) => resource).filter((resource) => resource !== null);
    const whole = resources.length < found.length;
    return { apiGroups: [group], resources: whole ? ['*'] : resources.toSorted(compareText), verbs };
  });
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: exportName },
    rules: [{ apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs }, ...groups],
  };
}
