import type { Condition, DriftStatus } from '#lib/domain/observation/observation.ts';
import { conditionOf } from '../conditions.ts';
import { allows } from './pause.ts';

function notMeasured(why: string): DriftStatus {
  return { drift: 'not-measured', why };
}

/**
 * Drift of a managed resource. UpToDate tells where it is there (crossplane apis v2.3: ObserveMatched, UpdateRestricted,
 * UpdateFailed, UpdateRequested, ReconcilePaused; the managed reconciler does not set it yet). Without it, one that may be updated
 * is made as declared at each poll, so Synced=True leaves no drift; one that may not reads Synced=True whatever it finds, and its
 * drift cannot be seen. Neither speaks of a spec that was edited since.
 */
export function managedDrift(
  conditions: readonly Condition[],
  policies: readonly string[],
  generation: number,
  suspended: boolean,
): DriftStatus {
  const synced = conditionOf(conditions, 'Synced');
  if (suspended || synced?.reason === 'ReconcilePaused') return notMeasured('a paused resource is not compared');
  const upToDate = conditionOf(conditions, 'UpToDate');
  const compared = (upToDate ?? synced)?.observedGeneration ?? null;
  if (compared !== null && compared < generation) return notMeasured('it was last compared before the spec changed');
  if (upToDate !== null) return ofUpToDate(upToDate);
  if (!allows(policies, 'Update'))
    return notMeasured('spec.managementPolicies leave out Update, so drift is not reported');
  return synced?.status === 'True' ? { drift: 'none' } : notMeasured('its last look did not end well');
}

function ofUpToDate({ status, reason, message }: Condition): DriftStatus {
  if (status === 'True') return { drift: 'none' };
  if (status === 'Unknown') return notMeasured(message === '' ? 'it is not known whether it is up to date' : message);
  // Whether an update took is seen at the next poll only.
  if (reason === 'UpdateRequested') return notMeasured('an update was requested, and it has not been looked at since');
  return { drift: 'found', message, left: true };
}
