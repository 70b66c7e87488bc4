import type { DriftStatus, StatusSummary } from '#lib/domain/observation/observation.ts';
import { booleanAt } from '#lib/foreign.ts';
import { resyncOf } from './resync.ts';

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
