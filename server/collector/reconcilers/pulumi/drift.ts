import type { DriftStatus, StatusSummary } from '#lib/domain/observation/observation.ts';
import { booleanAt, numberAt } from '#lib/foreign.ts';
import { boundedDuration } from '../go-duration.ts';

/**
 * A Stack has no word for drift. Only one that is refreshed and updated again and again has none left after an update that went
 * well: it looked at what is really there and made it as declared.
 */
export function stackDrift(object: unknown, summary: StatusSummary): DriftStatus {
  if (booleanAt(object, 'spec', 'refresh') !== true)
    return { drift: 'not-measured', why: 'spec.refresh is off, so nobody looks at what is really there' };
  if (resyncOf(object) === null)
    return { drift: 'not-measured', why: 'spec.continueResyncOnCommitMatch is off, so it runs for new commits only' };
  const settled = summary.said === 'busy' ? summary.before : summary;
  return settled?.said === 'good'
    ? { drift: 'none' }
    : { drift: 'not-measured', why: 'its last update did not end well' };
}

/** The shortest interval that the operator accepts, and its default (ms). */
const shortest = 60_000;

/**
 * Interval at which a Stack is updated though nothing has changed, in ms; null where it never is. Without continueResyncOnCommitMatch the
 * operator runs the program once for each commit (operator/internal/controller/pulumi/stack_controller.go).
 */
export function resyncOf(object: unknown): number | null {
  if (booleanAt(object, 'spec', 'continueResyncOnCommitMatch') !== true) return null;
  return boundedDuration(Math.max(shortest, (numberAt(object, 'spec', 'resyncFrequencySeconds') ?? 0) * 1000));
}
