import type { Exemption } from '#lib/domain/exemption/exemption.ts';
import type { Cadence, Suspension } from '#lib/domain/observation/observation.ts';
import { booleanAt, listAt, textAt } from '#lib/foreign.ts';
import { addRarePasses, exemptionList, reachOf } from '../exemption-list.ts';
import { addClusterInputs, addIgnoreRules, addReadyExpressions, addRemote } from './spec-exemptions.ts';
import { suspensionMeaning } from './suspension.ts';

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
  if (textAt(object, 'spec', 'deletionPolicy') === 'Orphan')
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
