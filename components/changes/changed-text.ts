import { mostCounted, type Changed } from '#lib/api/change.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';

/** The period that was asked for and all that is in it: "From 14 Nov 03:00:00 UTC to now: 12,345 changes of verdict and 18 changes on the clusters." */
export function changedSentence({ asOf, total, from, to, upToNow, cluster }: Changed): string {
  const where = cluster === '' ? '' : ` on ${cluster.split(',').join(' and ')}`;
  const period = `From ${timeText(from, asOf)} to ${upToNow ? 'now' : timeText(to, asOf)}${where}`;
  if (total.transitions + total.changes === 0) return `${period}, nothing changed that was seen.`;
  return `${period}: ${counts(total)}.`;
}

/** Part of it that is listed, where that is not all: "Listed are the newest 412 changes of verdict, since 21 Nov 02:10:16 UTC." */
export function listedSentence({ asOf, transitions, changes, back, crowded }: Changed): string {
  const listed = counts({ transitions: transitions.length, changes: changes.length });
  // Of the moment itself nothing is listed, unless it is the only one there is room for.
  const since = `${crowded ? 'of' : 'after'} ${timeText(back ?? '', asOf)}`;
  return `Listed are the newest: ${listed}, ${since}.`;
}

function counts({ transitions, changes }: Changed['total']): string {
  const many = transitions >= mostCounted;
  const verdicts = many
    ? `${formatCount(mostCounted)} or more changes of verdict`
    : countOf(transitions, 'change of verdict', 'changes of verdict');
  const made = countOf(changes, 'change on the clusters', 'changes on the clusters');
  return [transitions === 0 ? '' : verdicts, changes === 0 ? '' : made].filter((part) => part !== '').join(' and ');
}

/** A time of the API as it is read: "21 Nov 03:12:20 UTC", with the year where that is not the year of `asOf`. */
export function timeText(time: string, asOf: string): string {
  const ms = parseTime(time);
  return ms === null ? time : formatTime(ms, parseTime(asOf) ?? 0);
}
