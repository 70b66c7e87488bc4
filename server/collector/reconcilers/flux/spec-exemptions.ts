import { at, booleanAt, listAt } from '#lib/foreign.ts';
import type { ExemptionList } from '../exemption-list.ts';

/** Ignore rules of a Kustomization (spec.ignore, Flux 2.9) or a HelmRelease (spec.driftDetection.ignore), at `path`. */
export function addIgnoreRules(list: ExemptionList, object: unknown, path: readonly string[]): void {
  for (const [index, rule] of listAt(object, ...path).entries()) {
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
  for (const [index, entry] of listAt(object, ...path).entries()) {
    if (at(entry, 'readyExpr') === undefined) continue;
    list.add('readiness-redefined', path, 'an expression says when it is ready', `spec.dependsOn[${index}].readyExpr`);
  }
}
