import { second } from '#lib/domain/time/length.ts';
import type { WireIncident } from '#lib/api/incident.ts';
import { formatDuration } from '#lib/format/duration.ts';
import { countOf } from '#lib/format/number.ts';

/** Sentences on who was called for an incident: who, by which rule, how long after the first object left git, and for how long nobody was. */
export function calledStory({ calls, closedAt }: WireIncident): string {
  if (calls === null)
    return 'Who was called is not known: it has more members, or more calls in its time, than are looked at.';
  const { first, count, silentMs, unknownMs, due } = calls;
  const lasts = closedAt === null;
  if (first === null)
    return nobodyText(unknownMs, silentMs, due, lasts) + (unknownMs === 0 ? '' : timesText(silentMs, unknownMs, lasts));
  const { alert, receivers, afterMs, late, by } = first;
  const who =
    receivers.length === 0
      ? 'Somebody was called'
      : `${receivers.join(', ')} ${receivers.length === 1 ? 'was' : 'were'} called`;
  const after = afterMs === 0 ? 'as it began' : `${formatDuration(afterMs)} after the first object left git`;
  const why = by === 'cause' ? ', for what the objects wait for' : '';
  const more = count === 1 ? '' : ` There were ${countOf(count, 'call')} in all.`;
  const times = timesText(silentMs, unknownMs, lasts);
  return `${who} ${after} by ${alert}${why}${late ? ': later than policy.alarmWithin allows' : ''}.${more}${times}`;
}

function nobodyText(unknownMs: number, silentMs: number, due: boolean, lasts: boolean): string {
  if (!due)
    return lasts
      ? 'Nobody was called, and no alarm is due yet.'
      : 'Nobody was called, and it was over before an alarm was due.';
  if (unknownMs === 0) return 'Nobody was called.';
  return silentMs === 0 ? 'Whether anybody was called is not known.' : 'Nobody is known to have been called.';
}

function timesText(silentMs: number, unknownMs: number, lasts: boolean): string {
  const so = lasts ? ' so far' : '';
  const silent = silentMs > 0 ? ` For ${formatDuration(silentMs)} of it${so} nobody was called.` : '';
  const unknown =
    unknownMs > 0
      ? ` For ${unknownMs < second ? 'less than 1 s' : formatDuration(unknownMs)} of it${so} that is not known: alarms could not be read, or one named no object.`
      : '';
  return silent + unknown;
}
