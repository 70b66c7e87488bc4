import type { Exemption } from '#lib/domain/exemption.ts';
import { at, booleanAt, isForeignObject, listAt, textAt } from '#lib/foreign.ts';
import { exemption } from '../opt-outs.ts';

/** Fields of the Kustomization that change what the path in git says, each absent from that path. */
const rendered = ['patches', 'images', 'components', 'commonMetadata', 'targetNamespace', 'namePrefix', 'nameSuffix'];

/** What weakens the guarantee for a Kustomization's objects, by its spec (facts B2). Suspension is not among it. */
export function kustomizationExemptions(object: unknown): Exemption[] {
  const spec = at(object, 'spec');
  const found: Exemption[] = [];
  if (booleanAt(spec, 'prune') !== true) {
    found.push(exemption(object, 'prune-disabled', ['spec', 'prune'], 'spec.prune', 'what is removed from git stays'));
  }
  if (textAt(spec, 'deletionPolicy') === 'Orphan') {
    const path = ['spec', 'deletionPolicy'];
    found.push(
      exemption(object, 'deletion-orphans', path, 'spec.deletionPolicy', 'its objects stay when it is deleted'),
    );
  }
  found.push(
    ...ignoreRules(object, 'spec.ignore', ['spec', 'ignore'], listAt(spec, 'ignore')),
    ...substitutions(object),
  );
  for (const field of rendered) {
    if (!isFilled(at(spec, field))) continue;
    const meaning = 'changes what the path in git says';
    found.push(exemption(object, 'rendered-on-cluster', ['spec', field], `spec.${field}`, meaning));
  }
  if (booleanAt(spec, 'wait') !== true && listAt(spec, 'healthChecks').length === 0) {
    found.push(
      exemption(object, 'health-not-checked', ['spec', 'wait'], 'spec.wait', 'Ready means applied, not working'),
    );
  }
  if (at(spec, 'kubeConfig') !== undefined) {
    found.push(
      exemption(
        object,
        'remote-cluster',
        ['spec', 'kubeConfig'],
        'spec.kubeConfig',
        'its objects live on another cluster',
      ),
    );
  }
  return found;
}

/** Ignore rules of a Kustomization (spec.ignore, Flux 2.9) or a HelmRelease (spec.driftDetection.ignore). */
export function ignoreRules(
  object: unknown,
  field: string,
  path: readonly string[],
  rules: readonly unknown[],
): Exemption[] {
  return rules.map((rule, index) => {
    const all = at(rule, 'target') === undefined;
    const meaning = all
      ? 'drift in some fields is ignored on every object'
      : 'drift in some fields is ignored on some objects';
    return exemption(object, 'drift-ignored', path, `${field}[${index}]`, meaning);
  });
}

/** Inputs that are taken from ConfigMaps and Secrets of the cluster; `field` is postBuild.substituteFrom or valuesFrom. */
export function clusterInputs(
  object: unknown,
  field: string,
  path: readonly string[],
  inputs: readonly unknown[],
): Exemption[] {
  if (inputs.length === 0) return [];
  const found = [exemption(object, 'external-substitution', path, field, 'inputs live in the cluster, not in git')];
  if (inputs.some((input) => booleanAt(input, 'optional') === true)) {
    found.push(exemption(object, 'optional-substitution', path, field, 'an input may be missing without a word'));
  }
  return found;
}

function substitutions(object: unknown): Exemption[] {
  const path = ['spec', 'postBuild', 'substituteFrom'];
  const found = clusterInputs(object, 'spec.postBuild.substituteFrom', path, listAt(object, ...path));
  if (isFilled(at(object, 'spec', 'postBuild', 'substitute'))) {
    const meaning = 'changes what the path in git says';
    const inline = ['spec', 'postBuild', 'substitute'];
    found.push(exemption(object, 'rendered-on-cluster', inline, 'spec.postBuild.substitute', meaning));
  }
  return found;
}

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isForeignObject(value)) return Object.keys(value).length > 0;
  return typeof value === 'string' && value !== '';
}
