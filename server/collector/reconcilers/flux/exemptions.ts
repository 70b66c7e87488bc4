import { at, booleanAt, firstAt, listAt } from '#lib/foreign.ts';
import { mostReferences, nameAt } from '#lib/foreign-words.ts';
import { type ExemptionList, addRarePasses, exemptionList, reachOf } from '../exemption-list.ts';
import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Cadence, Suspension } from '#lib/domain/observation/observation.ts';
import { suspensionMeaning } from './shared-fields.ts';
import { referenceOf } from './source-target.ts';

/** Ignore rules of a Kustomization (spec.ignore, Flux 2.9) or a HelmRelease (spec.driftDetection.ignore), at `path`. */
export function addIgnoreRules(list: ExemptionList, object: unknown, path: readonly string[]): void {
  for (const [index, rule] of firstAt(mostReferences, object, ...path).entries()) {
    const where = at(rule, 'target') === undefined ? 'every object' : 'some objects';
    list.add('drift-ignored', path, `drift in some fields is ignored on ${where}`, `${path.join('.')}[${index}]`);
  }
}

/** Inputs that are taken from ConfigMaps and Secrets of the cluster: substituteFrom, valuesFrom, varsFrom at `path`. */
export function addClusterInputs(list: ExemptionList, object: unknown, path: readonly string[]): void {
  const inputs = listAt(object, ...path);
  if (inputs.length === 0) return;
  list.add('external-substitution', path, 'inputs live in the cluster, not in git');
  if (inputs.some((input) => booleanAt(input, 'optional') === true))
    list.add('optional-substitution', path, 'an input may be missing without a word');
}

/** spec.kubeConfig: what it applies lives elsewhere. */
export function addRemote(list: ExemptionList, object: unknown): void {
  if (at(object, 'spec', 'kubeConfig') !== undefined)
    list.add('remote-cluster', ['spec', 'kubeConfig'], 'its objects live on another cluster');
}

/** dependsOn[].readyExpr takes the place of the built-in check. */
export function addReadyExpressions(list: ExemptionList, object: unknown): void {
  const path = ['spec', 'dependsOn'];
  for (const [index, entry] of firstAt(mostReferences, object, ...path).entries()) {
    if (at(entry, 'readyExpr') === undefined) continue;
    list.add('readiness-redefined', path, 'an expression says when it is ready', `spec.dependsOn[${index}].readyExpr`);
  }
}

/** Fields of the Kustomization that change what the path in git says, each absent from that path. */
const overrides = [
  ['patches'],
  ['images'],
  ['components'],
  ['commonMetadata'],
  ['targetNamespace'],
  ['namePrefix'],
  ['nameSuffix'],
  ['postBuild', 'substitute'],
];

/**
 * Exemptions of a Kustomization's objects, by its spec (docs/exemptions.md). `substituteStrategy` and the interval of
 * retries say nothing of it.
 */
export function kustomizationExemptions(
  object: unknown,
  suspended: Suspension | null,
  cadence: Cadence,
): readonly Exemption[] {
  const list = exemptionList(object, reachOf(listAt(object, 'status', 'inventory', 'entries')));
  const is = (...path: readonly string[]): boolean => booleanAt(object, 'spec', ...path) === true;
  list.addSuspension(suspended, suspensionMeaning);
  addIgnoreRules(list, object, ['spec', 'ignore']);
  addRarePasses(list, cadence.interval, 'drift may stand');
  if (!is('prune')) list.add('prune-disabled', ['spec', 'prune'], 'what is removed from git stays');
  if (nameAt(object, 'spec', 'deletionPolicy') === 'Orphan')
    list.add('deletion-orphans', ['spec', 'deletionPolicy'], 'its objects stay when it is deleted');
  if (is('force')) list.add('recreates', ['spec', 'force'], 'what cannot be changed is deleted and made anew');
  list.addFilled('rendered-on-cluster', [['decryption']], 'a key that only the cluster has says what runs');
  addClusterInputs(list, object, ['spec', 'postBuild', 'substituteFrom']);
  if (is('ignoreMissingComponents'))
    list.add('missing-tolerated', ['spec', 'ignoreMissingComponents'], 'a component may be missing without a word');
  list.addFilled('overridden', overrides, 'changes what the path in git says');
  addRemote(list, object);
  if (!is('wait') && listAt(object, 'spec', 'healthChecks').length === 0)
    list.add('health-not-checked', ['spec', 'wait'], 'Ready means applied, not working');
  addReadyExpressions(list, object);
  list.addFilled('readiness-redefined', [['healthCheckExprs']], 'an expression says what is healthy');
  const { interval, timeout } = cadence;
  if (interval !== null && timeout !== null && timeout >= interval)
    list.add('timeout-exceeds-interval', ['spec', 'timeout'], 'one pass may hang for as long as passes are apart');
  return list.found;
}

/** Exemptions of whatever depends on a source, by its spec (docs/exemptions.md). */
export function sourceExemptions(
  object: unknown,
  kind: string,
  suspended: Suspension | null,
  cadence: Cadence,
): readonly Exemption[] {
  const list = exemptionList(object, null);
  list.addSuspension(suspended, suspensionMeaning);
  addRarePasses(list, cadence.interval, 'what is new may go unnoticed');
  addReference(list, object, kind);
  list.addFilled('files-left-out', [['ignore']], 'some files do not arrive');
  return list.found;
}

/**
 * A reference that moves without a commit that says so: a tag, a range, latest, a bucket. To follow a branch is what git
 * operations are, yet a push of force takes a commit away that runs: a kind of its own. The index of a HelmRepository moves
 * nothing: the version of the chart does.
 */
function addReference(list: ExemptionList, object: unknown, kind: string): void {
  const reference = kind === 'HelmRepository' ? null : referenceOf(object, kind);
  if (reference === null || !reference.floating) return;
  const path = reference.path ?? ['spec', 'ref'];
  if (reference.text.startsWith('branch ') || reference.text.startsWith('name refs/heads/'))
    list.add('branch-reference', path, `whoever pushes to ${reference.text} says what runs`);
  else if (kind === 'Bucket')
    list.add('floating-reference', ['spec', 'bucketName'], 'no commit says what a bucket holds');
  else list.add('floating-reference', path, `${reference.text} may name other content tomorrow`);
}
