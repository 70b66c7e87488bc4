import type { ObjectRef } from '../observation/ref.ts';
import { wantedOf } from '../pager/given.ts';
import { kindTest } from '../pager/kind-name.ts';
import { attributedCluster } from './called/attributed-cluster.ts';
import type { Labels } from './fact.ts';
import type { ClusterAttribution } from './source.ts';

/** Names that the labels of an alert give; null for a part that they do not name. */
export interface NamedByLabels {
  readonly cluster: string | null;
  readonly group: string | null;
  readonly kind: string | null;
  readonly namespace: string | null;
  /** True if `namespace` can only be the object's own: the label is not that of a scrape target. */
  readonly isOwnNamespace: boolean;
  readonly name: string | null;
}

/** The object that labels name. A Deployment has a label of its own in what kube-state-metrics exports. */
export function namedBy(labels: Labels, attribution: ClusterAttribution): NamedByLabels {
  const cluster = attributedCluster(labels, attribution);
  const list = Object.entries(labels).map(([name, value]) => ({ name, value }));
  const { group, kind, namespace, name } = wantedOf(list);
  const deployment = Object.hasOwn(labels, 'deployment') ? (labels['deployment'] ?? null) : null;
  const isDeployment = name === null && deployment !== null;
  return {
    cluster,
    group: group?.label === 'customresource_group' ? group.value : null,
    kind: isDeployment ? 'Deployment' : (kind?.value ?? null),
    namespace: namespace?.value ?? null,
    isOwnNamespace: namespace?.label === 'exported_namespace',
    name: isDeployment ? deployment : (name?.value ?? null),
  };
}

/**
 * Tests labels against an object of the cluster that they name: `own`, they name it; `group`, they may mean it and others; null, another.
 * A plain `namespace` may be that of the exporter, so that it names no object of the cluster's scope otherwise.
 */
export function meansOf(named: NamedByLabels, ref: ObjectRef): 'own' | 'group' | null {
  if (named.group !== null && named.group !== ref.group) return null;
  if (named.kind !== null && !kindTest(named.kind)(ref)) return null;
  if (named.name !== null && named.name !== ref.name) return null;
  const elsewhere = named.namespace !== null && named.namespace !== ref.namespace;
  if (named.name === null) return elsewhere && named.isOwnNamespace ? null : 'group';
  if (ref.namespace === '') return elsewhere && named.isOwnNamespace ? null : 'own';
  if (elsewhere) return null;
  return named.namespace === null ? 'group' : 'own';
}
