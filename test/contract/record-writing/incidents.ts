import { sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Incident } from '#lib/domain/record/incident.ts';
import { afterEnd, afterRecord, type AwayRecord } from '#server/store/record/incident-rules.ts';
import { isOf, type Growing, type Owner } from './growing.ts';

/** Takes what a record of an object makes of its newest incident. */
export function addRecord({ incidents }: Growing, object: AwayRecord): void {
  const place = newestOf(incidents, object.ref);
  const newest = incidents[place] ?? null;
  const next = afterRecord(newest, object);
  if (next === null) return;
  if (newest !== null && newest.openedAt === next.openedAt && newest.uid === next.uid) incidents[place] = next;
  else incidents.push(next);
}

/** Ends the incident of an object that is gone since `at` (ms). */
export function endIncident({ incidents }: Growing, ref: ObjectRef, at: number, ended: 'removed' | 'forgotten'): void {
  const place = newestOf(incidents, ref);
  const next = afterEnd(incidents[place] ?? null, at, ended);
  if (next !== null) incidents[place] = next;
}

/** The machine's clock was set back to `now` (ms): nothing of an owner was known later. */
export function setIncidentsBack({ incidents }: Growing, owner: Owner, now: number): void {
  for (const [place, incident] of incidents.entries()) {
    const { ref, openedAt, noticedAt, closedAt } = incident;
    if (!isOf(owner, ref) || (noticedAt <= now && (closedAt ?? now) <= now)) continue;
    incidents[place] = {
      ...incident,
      openedAt: Math.min(openedAt, now),
      noticedAt: Math.min(noticedAt, now),
      closedAt: closedAt === null ? null : Math.min(closedAt, now),
    };
  }
}

function newestOf(incidents: readonly Incident[], of: ObjectRef): number {
  return incidents.findLastIndex(({ ref }) => sameRef(ref, of));
}
