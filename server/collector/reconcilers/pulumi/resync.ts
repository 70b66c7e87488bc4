import { booleanAt, numberAt } from '#lib/foreign.ts';

/** The shortest interval that the operator accepts, and its default (ms). */
const shortest = 60_000;

/**
 * Interval at which a Stack is updated though nothing has changed, in ms; null where it never is. Without continueResyncOnCommitMatch the
 * operator runs the program once for each commit (operator/internal/controller/pulumi/stack_controller.go).
 */
export function resyncOf(object: unknown): number | null {
  if (booleanAt(object, 'spec', 'continueResyncOnCommitMatch') !== true) return null;
  return Math.max(shortest, (numberAt(object, 'spec', 'resyncFrequencySeconds') ?? 0) * 1000);
}
