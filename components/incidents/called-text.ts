import type { WireIncident, WireIncidentCalls } from '#lib/api/incident.ts';
import { formatDuration } from '#lib/format/duration.ts';

type Called = Pick<WireIncident, 'calls' | 'closedAt'>;

/** Tells who was called for an incident: "called after 4 min by FluxObjectNotReady", "called within 4 min" where that is the most that it took, "nobody was called", "not known if anybody was called". */
export function calledText({ calls, closedAt }: Called): string {
  if (calls === null) return 'not known if anybody was called';
  const { first, unknownMs, silentMs, due } = calls;
  if (first !== null) return firstText(first);
  if (!due) return closedAt === null ? 'no alarm due yet' : 'over before an alarm was due';
  if (unknownMs === 0) return 'nobody was called';
  return silentMs === 0 ? 'not known if anybody was called' : 'nobody is known to have been called';
}

function firstText({ afterMs, bound, late, alert, by }: NonNullable<WireIncidentCalls['first']>): string {
  const tardy = late === null ? 'perhaps late, ' : late ? 'late, ' : '';
  const after =
    afterMs === 0 ? 'as it began' : `${tardy}${bound === 'exact' ? 'after' : 'within'} ${formatDuration(afterMs)}`;
  return `called ${after} by ${alert}${by === 'cause' ? ', for what it waits for' : ''}`;
}

/** True if it is known that nobody was called, though somebody should have been. */
export function isSilent({ calls }: Called): boolean {
  return calls !== null && calls.first === null && calls.due && calls.unknownMs === 0;
}
