import { sameRef, type ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Absence } from '#lib/domain/record/absence.ts';
import { afterEnd, afterRecord } from '#server/store/record/absence-rules.ts';
import type { FaultRecord } from '#server/store/record/incident/notes.ts';
import { isOf, type Growing, type Owner } from './growing.ts';
import type { IncidentWriter } from './incidents.ts';

/** Takes what a record of an object makes of its newest absence, and of incidents; `at`: when it was noticed (ms). */
export function addRecord({ absences }: Growing, incidents: IncidentWriter, object: FaultRecord, at: number): void {
  const place = newestOf(absences, object.ref);
  const newest = absences[place] ?? null;
  const next = afterRecord(newest, object);
  const isSame = newest !== null && (next === null || (newest.openedAt === next.openedAt && newest.uid === next.uid));
  const own = isSame ? place : absences.length;
  if (next !== null) absences[own] = next;
  const absence = next ?? newest;
  if (absence === null) return;
  if (absence.ended === null) incidents.record(own, absence, object, at);
  else if (newest?.ended === null) incidents.over(own, absence);
}

/** Ends the absence of an object that is gone since `at` (ms). */
export function endAbsence(
  { absences }: Growing,
  incidents: IncidentWriter,
  ref: ObjectRef,
  at: number,
  ended: 'removed' | 'forgotten',
): void {
  const place = newestOf(absences, ref);
  const next = afterEnd(absences[place] ?? null, at, ended);
  if (next === null) return;
  absences[place] = next;
  incidents.over(place, next);
}

/** The machine's clock was set back to `now` (ms): nothing of an owner was known later. */
export function setAbsencesBack({ absences }: Growing, owner: Owner, now: number): void {
  for (const [place, absence] of absences.entries()) {
    const { ref, openedAt, noticedAt, closedAt } = absence;
    if (!isOf(owner, ref) || (noticedAt <= now && (closedAt ?? now) <= now)) continue;
    absences[place] = {
      ...absence,
      openedAt: Math.min(openedAt, now),
      noticedAt: Math.min(noticedAt, now),
      closedAt: closedAt === null ? null : Math.min(closedAt, now),
    };
  }
}

function newestOf(absences: readonly Absence[], of: ObjectRef): number {
  return absences.findLastIndex(({ ref }) => sameRef(ref, of));
}
