import type { Condition, DriftStatus } from '#lib/domain/observation/observation.ts';
import { booleanAt } from '#lib/foreign.ts';
import { wordAt } from '#lib/foreign-words.ts';
import { conditionOf } from '../conditions.ts';

/** status.plan, and what becomes of it by the spec. */
export interface Plan {
  /** Its name, '' while none is pending. */
  readonly pending: string;
  /** It undoes a drift that was found. */
  readonly isDrift: boolean;
  /** apply: by itself, or approved; approve: somebody has to; leave: it is only for reading. */
  readonly next: 'apply' | 'approve' | 'leave';
}

/** Reads the plan of a Terraform object. Source of the rule: tofu-controller controllers/tf_controller_apply.go, shouldApply. */
export function planOf(object: unknown): Plan {
  const pending = wordAt(object, 'status', 'plan', 'pending') ?? '';
  const isDrift = booleanAt(object, 'status', 'plan', 'isDriftDetectionPlan') === true;
  return { pending, isDrift: pending !== '' && isDrift, next: nextOf(object, pending) };
}

function nextOf(object: unknown, pending: string): Plan['next'] {
  const approve = wordAt(object, 'spec', 'approvePlan') ?? '';
  if (booleanAt(object, 'spec', 'planOnly') === true || approve === 'disable') return 'leave';
  if (approve === 'auto' || booleanAt(object, 'spec', 'force') === true) return 'apply';
  return approve !== '' && pending.startsWith(approve) ? 'apply' : 'approve';
}

/** On drift and on a pending plan messages are the raw plan, up to 20,000 characters that may hold anything: they are not kept. */
export function withoutPlan(condition: Condition, plan: Plan): Condition {
  const holdsPlan =
    condition.type === 'Plan' ||
    condition.reason === 'DriftDetected' ||
    condition.reason === 'TerraformPlannedWithChanges';
  if (!holdsPlan || condition.message === '') return condition;
  const name = /^[\w.-]{1,100}$/.test(plan.pending) ? ` ${plan.pending}` : '';
  return { ...condition, message: `The plan${name} is not kept here: it may hold anything.` };
}

/**
 * Drift of a Terraform object. lastDriftDetectedAt is never cleared, so it is what Ready says now, a drift plan that is pending, or a
 * difference that nothing is going to apply. What is applied by itself is being undone. It can only have
 * come after the revision in effect was applied where that is the one that was tried last: what could not be applied is looked through
 * for drift, too (controllers/tf_controller_drift_detect.go, shouldDetectDrift).
 */
export function terraformDrift(
  object: unknown,
  conditions: readonly Condition[],
  plan: Plan,
  inEffect: string | null,
): DriftStatus {
  const ready = conditionOf(conditions, 'Ready');
  const found = {
    drift: 'found',
    message: 'The plan to undo it is not kept here.',
    left: plan.next !== 'apply',
  } as const;
  if ((ready?.status === 'False' && ready.reason === 'DriftDetected') || plan.isDrift)
    return inEffect !== null && inEffect === wordAt(object, 'status', 'lastAttemptedRevision')
      ? { ...found, later: true }
      : found;
  if (booleanAt(object, 'spec', 'destroy') === true) return { drift: 'not-measured', why: 'spec.destroy is set' };
  if (plan.pending !== '') {
    if (plan.next === 'leave')
      return { ...found, message: 'What it plans is not applied, by its spec; the plan is not kept here.' };
    return { drift: 'not-measured', why: 'a plan waits for approval, drift is not looked for meanwhile' };
  }
  if (booleanAt(object, 'spec', 'disableDriftDetection') === true)
    return { drift: 'not-measured', why: 'spec.disableDriftDetection is set' };
  if (ready?.status === 'True') return { drift: 'none' };
  return { drift: 'not-measured', why: 'its last pass did not end well' };
}
