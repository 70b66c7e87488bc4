import type { Condition, DriftWord, Observation } from '#lib/domain/observation.ts';
import { at, booleanAt, listAt, textAt, timeAt } from '#lib/foreign.ts';
import type { AdapterContext } from '../adapter.ts';
import { conditionOf, readConditions } from '../conditions.ts';
import { envelope, unrecognised } from '../envelope.ts';
import { fluxCadence } from '../flux/cadence.ts';
import { generationOf, passUnderWay } from '../flux/progress.ts';
import { fluxSuspension } from '../flux/suspension.ts';
import { cleanPath, dependencies, sourceReference } from '../flux/targets.ts';
import { terraformExemptions } from './exemptions.ts';
import { terraformWord } from './word.ts';

/** infra.contrib.fluxcd.io Terraform (tofu-controller v1alpha2). Source: facts/crossplane.md "D. Other adapters". */
export function observeTerraform(object: unknown, context: AdapterContext): Observation {
  const base = envelope(object, context, 'terraform', 'applier');
  const { list, odd } = readConditions(object);
  const conditions = list.map(withoutPlan);
  const suspended = fluxSuspension(object);
  const last = Math.max(
    timeAt(object, 'status', 'lastPlanAt') ?? 0,
    timeAt(object, 'status', 'lastSuccessfulReconcileAt') ?? 0,
  );
  const cadence = fluxCadence(object);
  return {
    ...base,
    observedGeneration: generationOf(conditionOf(conditions, 'Ready'), object),
    word: odd === null ? terraformWord(conditions) : unrecognised(odd),
    reconciling: suspended === null && passUnderWay(conditions),
    suspended,
    conditions,
    cadence,
    passes: { seenBy: 'writes', last: last === 0 ? null : last, total: null },
    revisions: {
      applied: textAt(object, 'status', 'lastAppliedRevision'),
      attempted: textAt(object, 'status', 'lastAttemptedRevision'),
      artifact: null,
      origin: null,
    },
    drift: terraformDrift(object, conditions),
    exemptions: [...base.exemptions, ...terraformExemptions(object, suspended, cadence)],
    path: cleanPath(textAt(object, 'spec', 'path')),
    source: sourceReference(at(object, 'spec', 'sourceRef'), base.ref),
    dependsOn: dependencies(object, base.ref),
    controller: 'tofu-controller',
  };
}

/** On drift and on a pending plan the message is the raw plan, up to 20,000 characters that may hold anything: it is not kept. */
function withoutPlan(condition: Condition): Condition {
  const holdsPlan =
    condition.type === 'Plan' ||
    condition.reason === 'DriftDetected' ||
    condition.reason === 'TerraformPlannedWithChanges';
  return holdsPlan && condition.message !== '' ? { ...condition, message: 'The plan is not kept here.' } : condition;
}

/** lastDriftDetectedAt is never cleared, so drift is what Ready says now, or a drift plan that is pending. */
function terraformDrift(object: unknown, conditions: readonly Condition[]): DriftWord {
  const ready = conditionOf(conditions, 'Ready');
  const pending = textAt(object, 'status', 'plan', 'pending') ?? '';
  const driftPlan = pending !== '' && booleanAt(object, 'status', 'plan', 'isDriftDetectionPlan') === true;
  if ((ready?.status === 'False' && ready.reason === 'DriftDetected') || driftPlan)
    return { drift: 'found', message: 'The plan to undo it is not kept here.', left: true };
  if (booleanAt(object, 'spec', 'disableDriftDetection') === true)
    return { drift: 'not-measured', why: 'spec.disableDriftDetection is set' };
  if (booleanAt(object, 'spec', 'destroy') === true) return { drift: 'not-measured', why: 'spec.destroy is set' };
  if (pending !== '')
    return { drift: 'not-measured', why: 'a plan waits for approval, drift is not looked for meanwhile' };
  if (listAt(object, 'status', 'conditions').length > 0 && ready?.status === 'True') return { drift: 'none' };
  return { drift: 'not-measured', why: 'its last pass did not end well' };
}
