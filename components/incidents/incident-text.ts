import type { MadeUpTo, WireIncident, WireIncidentFigures, WireIncidentList, WireMember } from '#lib/api/incident.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { lowerFirst } from '#lib/domain/verdict/lower-first.ts';
import { formatDuration, least } from '#lib/format/duration.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { formatTime, parseTime } from '#lib/format/time.ts';

/** Time up to which an answer knows (ms): that of the page, or where stored history has been made into incidents only so far. */
export function knownUpTo(made: MadeUpTo, now: number): number {
  return parseTime(made?.upTo ?? '') ?? now;
}

/** Time that something took, or has lasted up to `knownAt` (ms): "47 min", "at least 2 h". */
export function lengthText(
  { from, to, bound }: { readonly from: string; readonly to: string | null; readonly bound: 'exact' | 'at-least' },
  knownAt: number,
): string {
  const began = parseTime(from) ?? 0;
  const end = parseTime(to ?? '') ?? knownAt;
  return `${least({ bound })}${formatDuration(end - began)}`;
}

/** The same of an incident. */
export function incidentLength({ openedAt, closedAt, bound }: WireIncident, knownAt: number): string {
  return lengthText({ from: openedAt, to: closedAt, bound }, knownAt);
}

/** End of something, in a word or two: "converged", "seen again"; "ongoing" where it lasts. */
export function endText(ended: WireIncident['ended']): string {
  switch (ended) {
    case null:
      return 'ongoing';
    case 'converged':
      return 'converged';
    case 'seen':
      return 'seen again';
    case 'suspended':
      return 'suspended';
    case 'removed':
      return 'removed';
    case 'forgotten':
      return 'no longer watched';
    case 'moved':
      return 'another cause';
  }
}

/** End of an incident, as the end of a sentence. */
export function endClause(ended: NonNullable<WireIncident['ended']>): string {
  switch (ended) {
    case 'converged':
      return 'all converged';
    case 'seen':
      return 'seen again';
    case 'suspended':
      return 'what was left was suspended';
    case 'removed':
      return 'the last object was removed from its cluster';
    case 'forgotten':
      return 'its cluster is no longer configured';
    case 'moved':
      return 'the fault turned out to be another’s';
  }
}

/** State of an incident, to be said when it changes: "ongoing, 14 objects on 3 clusters", "over, all converged". */
export function stateText({ ended, now }: WireIncident): string {
  return ended === null ? `ongoing, ${reachText(now)}` : `over, ${endClause(ended)}`;
}

/** Reach in words: "14 objects on 3 clusters in 2 environments", "1 object". An environment is named only where there are several. */
export function reachText(
  reach: Omit<WireIncident['now'], 'environments'> & { readonly environments?: number | null },
): string {
  const { objects, clusters, environments = null } = reach;
  if (objects === 1 && clusters <= 1) return '1 object';
  const where = clusters === 0 ? '' : ` on ${countOf(clusters, 'cluster')}`;
  const several = environments !== null && environments > 1 ? ` in ${countOf(environments, 'environment')}` : '';
  return `${countOf(objects, 'object')}${where}${several}`;
}

/** Reach now, after that at its worst: "now 4 objects on 3 clusters"; "still" where that is as far. */
export function nowText(now: WireIncident['now'], most: WireIncident['now']): string {
  if (now.objects === most.objects && now.clusters === most.clusters) return 'still';
  return `now ${reachText(now)}`;
}

/** Reach times time: "42 object-minutes", "7.1 object-hours", "1,000,000 object-hours". Takes object-ms. */
export function objectTimeText(objectMs: number): string {
  const hours = objectMs / hour;
  if (hours < 1) return countOf(Math.round(objectMs / minute), 'object-minute');
  return hours < 10 ? `${Number(hours.toFixed(1))} object-hours` : countOf(hours, 'object-hour');
}

/** "came back once", "came back 3 times"; '' where it did not. */
export function returnsText(returns: number): string {
  if (returns === 0) return '';
  return returns === 1 ? 'came back once' : `came back ${formatCount(returns)} times`;
}

/** Words on a member's fault: its reason, and that it fails itself where nothing carries it. */
export function ownText({ own, reason }: Pick<WireMember, 'own' | 'reason'>): string {
  if (!own) return reason;
  return reason === '' ? 'its own fault' : `${reason}, its own fault`;
}

/** Sentence on a list: how many last, and how many there were. `over`: the period ended before now. */
export function incidentsSentence(list: WireIncidentList, over: boolean): string {
  const { figures, notRecorded, made } = list;
  if (notRecorded !== null) return notRecorded;
  if (figures === null) return 'What failed in this period is not told yet.';
  const all = figures.opened + figures.openAtStart;
  if (all === 0) return `No incident is known in this period${made === null ? '' : ' so far'}.`;
  return `${lastsClause(figures, over)} ${allClause(figures, all)}`;
}

function lastsClause({ open }: WireIncidentFigures, over: boolean): string {
  const subject = open === 0 ? 'No incident' : countOf(open, 'incident');
  if (over) return `${subject} ${open > 1 ? 'were' : 'was'} ongoing as this period ended.`;
  return `${subject} ${open > 1 ? 'are' : 'is'} ongoing.`;
}

function allClause({ open, openAtStart }: WireIncidentFigures, all: number): string {
  const before = openAtStart === 0 ? '' : `, ${all === 1 ? '' : `${formatCount(openAtStart)} of them `}from before it`;
  if (all === 1 && open === 1) return openAtStart === 0 ? 'It began in this period.' : 'It is from before this period.';
  return `${formatCount(all)} ${all === 1 ? 'is' : 'are'} known in this period${before}.`;
}

/** The same over rows that are filtered further: the figures are of all. */
export function narrowedSentence(list: WireIncidentList, over: boolean, narrowed: boolean): string {
  const sentence = incidentsSentence(list, over);
  return list.notRecorded !== null || list.figures === null || !narrowed
    ? sentence
    : `Of every verdict, cause and size: ${lowerFirst(sentence)}`;
}

/** Notice while stored history is made into incidents; null once all of it has been. `now` in ms. */
export function madeSentence(made: MadeUpTo, now: number): string | null {
  if (made === null) return null;
  const upTo = parseTime(made.upTo ?? '');
  const so = upTo === null ? 'none of it is told yet' : `told is what was known at ${formatTime(upTo, now)}`;
  return `Stored history is still being made into incidents: ${so}. This page goes on by itself.`;
}
