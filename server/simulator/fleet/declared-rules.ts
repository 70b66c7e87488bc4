import { day } from '#lib/domain/time/length.ts';
import { type ServedKind, monitoringKinds } from '../api/kinds.ts';
import { mistakes } from '../monitoring/demo-intention.ts';
import { appliedObject } from '../objects/metadata.ts';
import type { ClusterParts } from './cluster-parts.ts';

const { prometheusRule } = monitoringKinds;
const { notLoaded } = mistakes;

/** The kinds of the Prometheus operator, on the one cluster that declares a rule. */
export function kindsOfMonitoring(cluster: string): readonly ServedKind[] {
  return cluster === notLoaded.cluster ? [prometheusRule] : [];
}

/** Adds the rule of a cluster that everybody forgot: its label is none that a Prometheus selects, so that it was never loaded. */
export function addDeclaredRules({ plan, plane, deps, random }: ClusterParts): void {
  if (plan.name !== notLoaded.cluster) return;
  const { namespace, name, alert } = notLoaded;
  const object = appliedObject(prometheusRule, { name, namespace }, deps.startedAt - 6 * day, random);
  object.metadata.labels = { prometheus: 'edge' };
  const spec = {
    groups: [
      {
        name: 'flux',
        rules: [
          {
            alert,
            expr: `max by (cluster, customresource_group, customresource_kind, exported_namespace, name) (gotk_resource_info{cluster="${plan.name}",ready!="True"}) == 1`,
            for: '10m',
            labels: { severity: 'page' },
          },
        ],
      },
    ],
  };
  const declared = { ...object, spec };
  plane.store.put(declared, prometheusRule);
}
