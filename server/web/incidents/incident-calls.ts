import type { IncidentFilter, WireIncidentCall, WireIncidentCalls } from '#lib/api/incident.ts';
import { isFirstLate, type IncidentCalls } from '#lib/domain/alarm/alarm-figures.ts';
import { namedBy } from '#lib/domain/alarm/named.ts';
import type { Incident } from '#lib/domain/incident/incident.ts';
import type { AlarmReader, IncidentCall } from '#server/store/port/alarm-port.ts';
import { wireTime, wireTimeOrNull } from '../wire/wire-time.ts';

/** Incidents that the record sums up in one answer. */
export const callsAtOnce = 200;
const receiversNamed = 20;

/** An incident with the calls for it; null where nothing is known of them. */
export interface CalledIncident {
  readonly incident: Incident;
  readonly calls: IncidentCalls | null;
}

/** Adds the calls for some incidents, as known at `at` (ms). */
export async function withCalls(
  record: Pick<AlarmReader, 'incidentCalls'>,
  incidents: readonly Incident[],
  at: number,
): Promise<readonly CalledIncident[]> {
  const found: CalledIncident[] = [];
  for (let from = 0; from < incidents.length; from += callsAtOnce) {
    const some = incidents.slice(from, from + callsAtOnce);
    const calls = await record.incidentCalls(
      some.map(({ id }) => id),
      at,
    );
    for (const incident of some) found.push({ incident, calls: calls.get(incident.id) ?? null });
  }
  return found;
}

/** A moment (ms) up to which an incident is told, and the policy's deadline (ms). */
export interface CallsKnown {
  readonly now: number;
  readonly alarmWithin: number;
}

/** Who was called for an incident, on the wire. */
export function wireCalls(
  { incident, calls }: CalledIncident,
  { now, alarmWithin }: CallsKnown,
): WireIncidentCalls | null {
  if (calls === null) return null;
  const { first, count, silent, unknown } = calls;
  return {
    first: first && {
      at: wireTime(first.call.from),
      afterMs: first.after,
      bound: first.unknownAfter === null ? 'exact' : 'at-most',
      late: isFirstLate(first, alarmWithin),
      cluster: first.call.cluster,
      source: first.call.source,
      alert: first.call.alert,
      receivers: first.call.receivers.slice(0, receiversNamed),
      by: first.by,
    },
    count,
    silentMs: silent,
    unknownMs: unknown,
    due: (incident.closedAt ?? now) - incident.openedAt > alarmWithin,
  };
}

/** Calls for an incident in a word: yes, no, unknown, as the filter has them; not-due: nobody was called, and nobody had to be. */
export function calledWord(calls: WireIncidentCalls | null): 'yes' | 'no' | 'unknown' | 'not-due' {
  if (calls === null) return 'unknown';
  if (calls.first !== null) return 'yes';
  if (!calls.due) return 'not-due';
  return calls.unknownMs > 0 ? 'unknown' : 'no';
}

/** True if a filter keeps an incident with these calls. */
export function isCalledAs(calls: WireIncidentCalls | null, wanted: IncidentFilter['called']): boolean {
  return wanted === '' || calledWord(calls) === wanted;
}

/** The source has attributed the call to its cluster already. */
const unattributed = { label: '', aliases: {}, clusters: [] };

/** One call for an incident, on the wire. */
export function wireCall({ call, by }: IncidentCall): WireIncidentCall {
  const { source, alert, receivers, from, to, cluster, labels } = call;
  const { kind, namespace, name } = namedBy(labels, unattributed);
  return {
    source,
    alert,
    receivers: receivers.slice(0, receiversNamed),
    by,
    names: `${kind ?? ''} ${namespace === null ? '' : `${namespace}/`}${name ?? ''} on ${cluster ?? ''}`.trim(),
    from: wireTime(from),
    to: wireTimeOrNull(to),
  };
}
