import type { Exemption, ExemptionKind } from '#lib/domain/exemption.ts';
import { at, booleanAt, isForeignObject, listAt, numberAt, textAt } from '#lib/foreign.ts';
import { clusterInputs, ignoreRules } from '../flux/kustomization-exemptions.ts';
import { isExactVersion } from '../flux/source-target.ts';
import { exemption } from '../opt-outs.ts';

/** What weakens the guarantee for a HelmRelease's objects, by its spec (facts B3). Suspension is not among it. */
export function helmExemptions(object: unknown): Exemption[] {
  const found: Exemption[] = [];
  const add = (kind: ExemptionKind, path: readonly string[], meaning: string): void => {
    found.push(exemption(object, kind, ['spec', ...path], ['spec', ...path].join('.'), meaning));
  };
  const spec = at(object, 'spec');
  const mode = textAt(spec, 'driftDetection', 'mode') ?? 'disabled';
  if (mode === 'disabled')
    add('drift-detection-disabled', ['driftDetection', 'mode'], 'changes made by hand are neither seen nor undone');
  found.push(
    ...ignoreRules(
      object,
      'spec.driftDetection.ignore',
      ['spec', 'driftDetection', 'ignore'],
      listAt(spec, 'driftDetection', 'ignore'),
    ),
  );
  found.push(...clusterInputs(object, 'spec.valuesFrom', ['spec', 'valuesFrom'], listAt(spec, 'valuesFrom')));
  if (listAt(spec, 'postRenderers').length > 0)
    add('rendered-on-cluster', ['postRenderers'], 'changes what the chart says');
  if (isForeignObject(at(spec, 'commonMetadata')))
    add('rendered-on-cluster', ['commonMetadata'], 'changes what the chart says');
  for (const action of ['install', 'upgrade']) {
    if (numberAt(spec, action, 'remediation', 'retries') === -1)
      add('retries-forever', [action, 'remediation', 'retries'], `a failing ${action} is retried without end`);
    if (booleanAt(spec, action, 'disableWait') === true)
      add('health-not-checked', [action, 'disableWait'], 'Ready means applied, not working');
    if (booleanAt(spec, action, 'disableHooks') === true)
      add('apply-restricted', [action, 'disableHooks'], "the chart's hooks do not run");
    if (textAt(spec, action, 'crds') === 'Skip')
      add('apply-restricted', [action, 'crds'], "the chart's CRDs are left out");
  }
  if (booleanAt(spec, 'test', 'ignoreFailures') === true)
    add('health-not-checked', ['test', 'ignoreFailures'], 'failing tests are ignored');
  if (at(spec, 'kubeConfig') !== undefined)
    add('remote-cluster', ['kubeConfig'], 'its objects live on another cluster');
  chartExemptions(at(spec, 'chart', 'spec'), add);
  return found;
}

function chartExemptions(
  chart: unknown,
  add: (kind: ExemptionKind, path: readonly string[], meaning: string) => void,
): void {
  if (!isForeignObject(chart)) return;
  if (textAt(chart, 'sourceRef', 'kind') === 'HelmRepository') {
    const version = textAt(chart, 'version');
    if (!isExactVersion(version))
      add(
        'floating-reference',
        ['chart', 'spec', 'version'],
        `version ${version ?? '*'} may name another chart tomorrow`,
      );
  } else if (textAt(chart, 'reconcileStrategy') !== 'Revision') {
    add(
      'apply-restricted',
      ['chart', 'spec', 'reconcileStrategy'],
      'edits of the chart arrive only with a new chart version',
    );
  }
}
