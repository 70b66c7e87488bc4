import type { GroupKind } from '#lib/domain/observation/ref.ts';
import { conditionPath, label, type LabelPath, type StateMetric } from '#lib/domain/alarm/state-metric.ts';
import { sourceGroup } from './shared-fields.ts';

export const generatorGroup = 'source.extensions.fluxcd.io';

const suspended = 'true|disabled|Disabled';
const sources = [sourceGroup, generatorGroup];

/** Labels of a kind that Flux's own monitoring example has, beside those that all kinds have. */
const ofKind: { readonly [kind: string]: { readonly [label: string]: LabelPath } } = {
  Kustomization: {
    revision: ['status', 'lastAppliedRevision'],
    source_name: ['spec', 'sourceRef', 'name'],
  },
  HelmRelease: {
    revision: ['status', 'history', '0', 'chartVersion'],
    chart_name: ['status', 'history', '0', 'chartName'],
    chart_ref_name: ['spec', 'chartRef', 'name'],
    chart_source_name: ['spec', 'chart', 'spec', 'sourceRef', 'name'],
  },
  // One of type oci has no status by design.
  HelmRepository: { type: ['spec', 'type'], revision: ['status', 'artifact', 'revision'] },
  FluxInstance: { revision: ['status', 'lastAppliedRevision'] },
  ResourceSet: { revision: ['status', 'lastAppliedRevision'] },
};

/** spec.suspend; where a kind has none, the annotation `<group>/reconcile: disabled`. */
function suspensionPath({ group, kind }: GroupKind): LabelPath {
  const byAnnotation = kind === 'ArtifactGenerator' || group === 'fluxcd.controlplane.io';
  return byAnnotation ? ['metadata', 'annotations', `${group}/reconcile`] : ['spec', 'suspend'];
}

/**
 * The metric that Flux's own monitoring example defines, of Flux's kinds and of HelmReleases. Its controllers tell no state of objects since
 * gotk_reconcile_condition and gotk_suspend_status were removed. Source: fluxcd/flux2-monitoring-example.
 */
export const fluxMetric: StateMetric = {
  prefix: 'gotk',
  name: 'resource_info',
  labelsOf(kind) {
    const artifact: { readonly [label: string]: LabelPath } =
      kind.group === sourceGroup ? { revision: ['status', 'artifact', 'revision'] } : {};
    return { ready: conditionPath('Ready'), suspended: suspensionPath(kind), ...(ofKind[kind.kind] ?? artifact) };
  },
  conditionsOf: () => ['ready'],
  alerts: [
    {
      alert: 'FluxReconciliationFailure',
      except: sources,
      when: [[label('ready', '!=', 'True'), label('suspended', '!~', suspended)]],
      severity: 'critical',
      says: 'is not ready',
      means: 'What is in git is not applied, or what was applied does not work.',
    },
    {
      alert: 'FluxSourceNotReady',
      only: sources,
      when: [[label('ready', '!=', 'True'), label('suspended', '!~', suspended), label('type', '!=', 'oci')]],
      severity: 'critical',
      says: 'is not ready',
      means: 'The source cannot be fetched: what is newer in it reaches nothing.',
    },
    {
      alert: 'FluxSuspended',
      when: [[label('suspended', '=~', suspended)]],
      severity: 'warning',
      says: 'is suspended',
      means: 'Changes in git do not arrive, and drift is not undone.',
    },
  ],
};
