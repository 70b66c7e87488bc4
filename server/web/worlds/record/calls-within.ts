import { callLimit } from '#lib/domain/alarm/alarm-figures.ts';
import type { AlarmCall, AlarmCoverage } from '#lib/domain/alarm/call.ts';
import type { AlarmReader, IncidentCall } from '#server/store/port/alarm-port.ts';
import { labelsWithin, labelsOf } from '../hide/labels.ts';
import type { Sight, SightNow } from '../sight.ts';

/** Calls and the coverage of alarm sources as a sight tells them. What is asked of absences stands with the record's other scopes. */
export function callsWithin(
  record: AlarmReader,
  sightNow: SightNow,
): Pick<AlarmReader, 'calls' | 'callsOf' | 'callsOfIncident' | 'alarmCoverage'> {
  return {
    async calls(question, page) {
      const sight = sightNow();
      const scope = { ...question.scope, within: sight.within };
      const { items, next } = await record.calls({ ...question, scope }, page);
      return { items: items.flatMap((call) => callWithin(call, sight) ?? []), next };
    },
    async callsOf(ref, range, limit) {
      const sight = sightNow();
      if (!sight.sees(ref)) return [];
      const calls = await record.callsOf(ref, range, limit);
      if (sight.granted(ref.cluster) === 'all') return calls;
      return calls.map((call) => ({ ...call, labels: labelsOf(ref, call.labels) }));
    },
    async callsOfIncident(id, at, limit) {
      const sight = sightNow();
      return seenCalls(await record.callsOfIncident(id, at, limit, sight.within), sight);
    },
    async alarmCoverage(range) {
      const sight = sightNow();
      return (await record.alarmCoverage(range)).flatMap((point) => coverageWithin(point, sight) ?? []);
    },
  };
}

/**
 * True if every call for what is seen of an incident may be told. A call for what they wait for may name something outside: then who was called is not known,
 * for to leave it away would say that nobody was.
 */
export async function seesCallsOf(
  record: Pick<AlarmReader, 'callsOfIncident'>,
  { id, at, count }: { readonly id: string; readonly at: number; readonly count: number },
  sight: Sight,
): Promise<boolean> {
  if (count === 0) return true;
  const calls = await record.callsOfIncident(id, at, callLimit, sight.within);
  return count < callLimit && seenCalls(calls, sight).length === calls.length;
}

/** Calls for what is seen. */
export function seenCalls(calls: readonly IncidentCall[], sight: Sight): readonly IncidentCall[] {
  return calls.flatMap(({ call, by }) => {
    const seen = callWithin(call, sight);
    return seen === null ? [] : [{ call: seen, by }];
  });
}

function callWithin(call: AlarmCall, sight: Sight): AlarmCall | null {
  const labels = labelsWithin(call, sight);
  return labels === null ? null : { ...call, labels };
}

/** Coverage by a source that speaks for a cluster of which anything is seen; one that names none may speak for any. */
function coverageWithin(point: AlarmCoverage, { granted }: Sight): AlarmCoverage | null {
  const clusters = point.clusters.filter((name) => granted(name) !== 'none');
  return point.clusters.length > 0 && clusters.length === 0 ? null : { ...point, clusters };
}
