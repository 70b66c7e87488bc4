import type { Condition, Observation, StatusSummary } from '#lib/domain/observation/observation.ts';
import { firstAt } from '#lib/foreign.ts';
import { mostParts, nameAt, wordAt } from '#lib/foreign-words.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf } from '../conditions.ts';
import { core } from './composite.ts';
import { crossplaneObservation } from './shared-fields.ts';
import { packageExemptions } from './exemptions.ts';
import { bad, busy, good } from '../summaries.ts';

/** Order of telling: what comes first is named first where several are bad. */
const order = ['Installed', 'RevisionHealthy', 'RuntimeHealthy', 'Healthy'];

/** A Crossplane package (Provider, Configuration, Function) or one of its revisions. Source: apis/pkg/v1, docs/facts/crossplane.md. */
export function observePackage(object: unknown, context: AdapterContext): Observation {
  const isRevision = context.kind.kind.endsWith('Revision');
  const inactive = isRevision && nameAt(object, 'spec', 'desiredState') === 'Inactive';
  const identifier =
    wordAt(object, 'status', 'currentIdentifier') ?? (isRevision ? wordAt(object, 'spec', 'image') : null);
  const base = crossplaneObservation(object, context, 'package', (conditions) =>
    packageSummary(conditions, inactive, isManual(object)),
  );
  const { conditions, suspended } = base;
  return {
    ...base,
    observedGeneration: newestGeneration(conditions),
    revisions: { applied: identifier, attempted: wordAt(object, 'spec', 'package'), artifact: null, origin: null },
    exemptions: [...base.exemptions, ...packageExemptions(object, suspended)],
    parent: null,
    provides: isRevision && !inactive ? providedKinds(object) : [],
    controller: core,
  };
}

/** Conditions of a former version stay as they were: the newest of all is the one that was looked at. */
function newestGeneration(conditions: readonly Condition[]): number | null {
  const known = conditions.map((condition) => condition.observedGeneration).filter((generation) => generation !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** spec.revisionActivationPolicy: a new revision waits until somebody activates it. */
function isManual(object: unknown): boolean {
  return nameAt(object, 'spec', 'revisionActivationPolicy') === 'Manual';
}

/**
 * An inactive revision is kept for a roll back and has nothing to run: it says nothing by design. A package whose new revision
 * is inactive waits for whoever activates it, or is just being installed (crossplane apis/pkg/v1/conditions.go).
 */
function packageSummary(conditions: readonly Condition[], inactive: boolean, manual: boolean): StatusSummary {
  if (inactive) return { said: 'static' };
  if (conditions.length === 0) return { said: 'nothing' };
  let last: Condition | null = null;
  for (const type of order) {
    const condition = conditionOf(conditions, type);
    if (condition === null) continue;
    const { status, reason } = condition;
    if (status === 'True' || reason === 'AwaitingActivation') last = condition;
    else if (isUnpackFailure(condition, conditions)) return bad('apply', condition);
    else if (reason === 'InactivePackageRevision' && manual) return bad('approval', condition);
    else if (status === 'Unknown' || underWay.includes(reason)) return busy(condition);
    else return bad(type === 'Installed' ? 'apply' : 'health', condition);
  }
  return last === null ? busy(null) : good(last);
}

const underWay = ['InactivePackageRevision', 'UnpackingPackage', 'UnknownPackageRevisionHealth'];

/**
 * Crossplane says UnpackingPackage while it unpacks and when it cannot (manager/reconciler.go errUnpack: not found, not allowed, not
 * verified); since v2 Healthy=False stands beside the failure. It tries again by itself.
 */
function isUnpackFailure({ type, status, reason, message }: Condition, conditions: readonly Condition[]): boolean {
  if (type !== 'Installed' || status !== 'False' || reason !== 'UnpackingPackage') return false;
  return message.startsWith('cannot unpack package') || conditionOf(conditions, 'Healthy')?.status === 'False';
}

/** The kinds that a revision brought, as "plural.group": the names of its CRDs (v1) or ManagedResourceDefinitions (v2). */
function providedKinds(object: unknown): string[] {
  const defining = ['CustomResourceDefinition', 'ManagedResourceDefinition'];
  const refs = firstAt(mostParts, object, 'status', 'objectRefs').filter((ref) =>
    defining.includes(nameAt(ref, 'kind') ?? ''),
  );
  return [...new Set(refs.flatMap((ref) => nameAt(ref, 'name') ?? []))];
}
