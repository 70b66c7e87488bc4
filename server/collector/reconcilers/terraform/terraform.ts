import type { Cadence, Condition, Observation, Suspension } from '#lib/domain/observation/observation.ts';
import { at, booleanAt, timeAt } from '#lib/foreign.ts';
import { nameAt, wordAt } from '#lib/foreign-words.ts';
import { day } from '#lib/domain/time/length.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import {
  fluxCadence,
  generationOf,
  passUnderWay,
  fluxSuspension,
  cleanPath,
  dependencies,
  sourceReference,
} from '../flux/shared-fields.ts';
import { goDuration } from '../go-duration.ts';
import { setterOf } from '../managers.ts';
import { terraformExemptions } from './exemptions.ts';
import { planOf, terraformDrift, withoutPlan } from './plan.ts';
import { terraformSummary } from './status-summary.ts';

/** infra.contrib.fluxcd.io Terraform (tofu-controller v1alpha2). Source: docs/facts/tofu-and-pulumi.md. */
export function observeTerraform(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'terraform', 'applier');
  const { list, odd } = readConditions(object);
  const plan = planOf(object);
  const conditions = list.map((condition) => withoutPlan(condition, plan));
  const suspended = fluxSuspension(object) ?? brokenGlass(object);
  const cadence = terraformCadence(object);
  const applied = effectiveRevision(object, conditions);
  return {
    ...base,
    observedGeneration: generationOf(conditionOf(conditions, 'Ready'), object),
    summary: odd === null ? terraformSummary(conditions, plan) : unrecognised(odd),
    reconciling: suspended === null && passUnderWay(conditions),
    suspended,
    conditions,
    cadence,
    // lastPlanAt is no pass: one that finds no drift leaves it as it was (terraform_types.go TerraformNoDrift).
    passes: { seenBy: 'writes', last: timeAt(object, 'status', 'lastSuccessfulReconcileAt'), total: null },
    revisions: {
      applied,
      attempted: wordAt(object, 'status', 'lastAttemptedRevision'),
      artifact: null,
      origin: null,
    },
    drift: terraformDrift(object, conditions, plan, applied),
    exemptions: [...base.exemptions, ...terraformExemptions(object, suspended, cadence)],
    path: cleanPath(wordAt(object, 'spec', 'path')),
    source: sourceReference(at(object, 'spec', 'sourceRef'), base.ref),
    dependsOn: dependencies(object, base.ref),
    controller: 'tofu-controller',
  };
}

/**
 * The revision that is in effect. A plan that finds nothing to change leaves lastAppliedRevision behind at the last one that
 * changed something (terraform_types.go TerraformPlannedNoChanges), and the condition Plan outlives the next pass.
 */
function effectiveRevision(object: unknown, conditions: readonly Condition[]): string | null {
  const nothingToDo = conditionOf(conditions, 'Plan')?.reason === 'TerraformPlannedNoChanges';
  const planned = nothingToDo ? wordAt(object, 'status', 'lastPlannedRevision') : null;
  return planned ?? wordAt(object, 'status', 'lastAppliedRevision');
}

/** The retry interval is 15 s unless the spec says otherwise; with exponential backoff it grows up to a day (GetRetryInterval). */
function terraformCadence(object: unknown): Cadence {
  const own = fluxCadence(object);
  const grows = nameAt(object, 'spec', 'retryStrategy') === 'ExponentialBackoff';
  const longest = goDuration(nameAt(object, 'spec', 'maxRetryInterval')) ?? day;
  return { ...own, retryInterval: grows ? longest : (own.retryInterval ?? 15_000) };
}

/** spec.breakTheGlass: the loop stands still while somebody works in the runner's shell. */
function brokenGlass(object: unknown): Suspension | null {
  return booleanAt(object, 'spec', 'breakTheGlass') === true
    ? { field: 'spec.breakTheGlass', ...setterOf(object, ['spec', 'breakTheGlass']) }
    : null;
}
