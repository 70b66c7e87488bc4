import type { Exemption, ExemptionKind } from '#lib/domain/exemption/exemption.ts';
import type { Cadence, Suspension } from '#lib/domain/observation/observation.ts';
import { at, booleanAt, isForeignObject, listAt, numberAt } from '#lib/foreign.ts';
import { nameAt, wordAt } from '#lib/foreign-words.ts';
import { addRarePasses, exemptionList, reachOf, type ExemptionList } from '../exemption-list.ts';
import { isExactVersion } from '../flux/source-target.ts';
import { addClusterInputs, addIgnoreRules, addReadyExpressions, addRemote } from '../flux/exemptions.ts';
import { suspensionMeaning } from '../flux/shared-fields.ts';

const overrides = [['postRenderers'], ['commonMetadata'], ['targetNamespace']];
const notProven = 'Ready means applied, not working';

/** Switches (path within the spec) that weaken by being on. */
const switches: readonly (readonly [path: readonly string[], kind: ExemptionKind, meaning: string])[] = [
  [['install', 'disableWait'], 'health-not-checked', notProven],
  [['upgrade', 'disableWait'], 'health-not-checked', notProven],
  [['install', 'disableWaitForJobs'], 'health-not-checked', 'jobs are not waited for'],
  [['upgrade', 'disableWaitForJobs'], 'health-not-checked', 'jobs are not waited for'],
  [['test', 'ignoreFailures'], 'health-not-checked', 'failing tests are ignored'],
  [['install', 'disableHooks'], 'apply-restricted', "the chart's hooks do not run"],
  [['upgrade', 'disableHooks'], 'apply-restricted', "the chart's hooks do not run"],
  [['upgrade', 'force'], 'recreates', 'what cannot be changed is deleted and made anew'],
  [
    ['upgrade', 'preserveValues'],
    'external-substitution',
    'values of the release before are kept, which git does not name',
  ],
  [['uninstall', 'keepHistory'], 'deletion-orphans', "the release's records stay when it is deleted"],
  [
    ['chart', 'spec', 'ignoreMissingValuesFiles'],
    'missing-tolerated',
    'a file of values may be missing without a word',
  ],
];

/**
 * Exemptions of a HelmRelease's objects, by its spec (docs/exemptions.md), and that it is one: its chart is rendered
 * by the cluster. `storageNamespace`, `remediateLastFailure` and `retries` above -1 say nothing of it.
 */
export function helmExemptions(object: unknown, suspended: Suspension | null, cadence: Cadence): readonly Exemption[] {
  const list = exemptionList(object, reachOf(listAt(object, 'status', 'inventory', 'entries')));
  list.addSuspension(suspended, suspensionMeaning);
  addDriftDetection(list, object);
  addRarePasses(list, cadence.interval, 'a change by hand may stand');
  for (const [path, kind, meaning] of switches)
    if (booleanAt(object, 'spec', ...path) === true) list.add(kind, ['spec', ...path], meaning);
  addChart(list, object);
  addClusterInputs(list, object, ['spec', 'valuesFrom']);
  list.addFilled('overridden', overrides, 'changes what the chart says');
  addRemote(list, object);
  addReadyExpressions(list, object);
  list.addFilled('readiness-redefined', [['healthCheckExprs']], 'an expression says what is healthy');
  for (const action of ['install', 'upgrade']) addAction(list, object, action);
  if (nameAt(object, 'spec', 'uninstall', 'deletionPropagation') === 'orphan')
    list.add('deletion-orphans', ['spec', 'uninstall', 'deletionPropagation'], 'what its objects made stays');
  return list.found;
}

/** driftDetection.mode: disabled unless set. */
function addDriftDetection(list: ExemptionList, object: unknown): void {
  const path = ['spec', 'driftDetection', 'mode'];
  const mode = nameAt(object, ...path);
  if (mode === 'warn') list.add('drift-not-undone', path, 'changes made by hand are reported, not undone');
  else if (mode !== 'enabled')
    list.add('drift-detection-disabled', path, 'changes made by hand are neither seen nor undone');
  addIgnoreRules(list, object, ['spec', 'driftDetection', 'ignore']);
}

function addAction(list: ExemptionList, object: unknown, action: string): void {
  const spec = ['spec', action];
  if (nameAt(object, ...spec, 'crds') === 'Skip')
    list.add('apply-restricted', [...spec, 'crds'], "the chart's CRDs are left out");
  if (numberAt(object, ...spec, 'remediation', 'retries') === -1)
    list.add('retries-forever', [...spec, 'remediation', 'retries'], `a failing ${action} is retried without end`);
  if (nameAt(object, ...spec, 'strategy', 'name') === 'RetryOnFailure')
    list.add('retries-forever', [...spec, 'strategy'], `a failing ${action} is retried without end`);
  if (nameAt(object, ...spec, 'remediation', 'strategy') === 'uninstall')
    list.add('deletion-deletes', [...spec, 'remediation', 'strategy'], `a failing ${action} takes the release away`);
}

function addChart(list: ExemptionList, object: unknown): void {
  const byReference = at(object, 'spec', 'chartRef') !== undefined;
  list.add(
    'rendered-on-cluster',
    ['spec', byReference ? 'chartRef' : 'chart'],
    'its chart is rendered by the cluster: what is asked there changes what runs',
  );
  const path = ['spec', 'chart', 'spec'];
  const chart = at(object, ...path);
  if (!isForeignObject(chart)) return;
  if (nameAt(chart, 'sourceRef', 'kind') === 'HelmRepository') {
    const version = wordAt(chart, 'version');
    if (!isExactVersion(version))
      list.add('floating-reference', [...path, 'version'], `version ${version ?? '*'} may name another chart tomorrow`);
  } else if (nameAt(chart, 'reconcileStrategy') !== 'Revision') {
    const meaning = 'edits of the chart arrive only with a new chart version';
    list.add('apply-restricted', [...path, 'reconcileStrategy'], meaning);
  }
}
