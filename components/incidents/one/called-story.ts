import { second } from '#lib/domain/time/length.ts';
import type { WireIncident, WireIncidentCalls } from '#lib/api/incident.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';

/**
 * Sentences on who was called for an incident: who, by which rule, how long after the first object left git, and for how long nobody was. `seesAll`: nothing
 * lies outside the view of who reads them.
 */
export function calledStory({ calls, closedAt, clusterCount }: WireIncident, seesAll: boolean): string {
  if (calls === null) {
    const most = 'it has more members, or more calls in its time, than are looked at';
    return seesAll
      ? `Who was called is not known: ${most}.`
      : `Who was called is not known in your view: somebody may have been called for what lies outside it, or ${most}.`;
  }
  const { first, count, silentMs, unknownMs, due } = calls;
  const lasts = closedAt === null;
  if (first === null) return nobodyText(unknownMs, silentMs, due, lasts) + unknownText(unknownMs, lasts);
  const { alert, receivers, afterMs, bound, by } = first;
  const who =
    receivers.length === 0
      ? 'Somebody was called'
      : `${receivers.join(', ')} ${receivers.length === 1 ? 'was' : 'were'} called`;
  const most = bound === 'exact' ? '' : 'at most ';
  const after = afterMs === 0 ? 'as it began' : `${most}${formatDuration(afterMs)} after the first object left git`;
  const why = by === 'cause' ? ', for what the objects wait for' : '';
  const more = count === 1 ? '' : ` There were ${countOf(count, 'call')} in all.`;
  const times = timesText(silentMs, unknownMs, lasts);
  const where =
    first.cluster === null || clusterCount < 2
      ? ''
      : ` on ${first.cluster}, one of ${countOf(clusterCount, 'cluster')}`;
  return `${who} ${after} by ${alert}${where}${why}${lateText(first)}.${more}${times}`;
}

function lateText({ late }: NonNullable<WireIncidentCalls['first']>): string {
  if (late === null)
    return ': perhaps later than policy.alarmWithin allows, for an earlier call may not have been seen';
  return late ? ': later than policy.alarmWithin allows' : '';
}

function nobodyText(unknownMs: number, silentMs: number, due: boolean, lasts: boolean): string {
  const nobody = unknownMs === 0 ? 'Nobody was called' : 'Nobody is known to have been called';
  if (!due) return `${nobody}, and ${lasts ? 'no alarm is due yet' : 'it was over before an alarm was due'}.`;
  if (unknownMs === 0) return `${nobody}.`;
  return silentMs === 0 ? 'Whether anybody was called is not known.' : `${nobody}.`;
}

function timesText(silentMs: number, unknownMs: number, lasts: boolean): string {
  const so = lasts ? ' so far' : '';
  const silent = silentMs > 0 ? ` For ${formatDuration(silentMs)} of it${so} nobody was called.` : '';
  return silent + unknownText(unknownMs, lasts);
}

function unknownText(unknownMs: number, lasts: boolean): string {
  if (unknownMs === 0) return '';
  const time = unknownMs < second ? 'less than 1 s' : formatDuration(unknownMs);
  return ` For ${time} of it${lasts ? ' so far' : ''} that is not known: alarms could not be read, or one named no object.`;
}
