import { GoQuery, type WireGo } from '#lib/api/pager/go.ts';
import { IncidentFilter, type WireIncidentList } from '#lib/api/incident.ts';
import { pathAt } from '#lib/api/paths.ts';
import { givenLabels, wantedOf } from '#lib/domain/pager/given.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import { foreignName, foreignWord } from '#lib/foreign-words.ts';
import { momentText } from '#lib/format/moment.ts';
import { parsePagerTime } from '#lib/format/pager/pager-time.ts';
import { formatTime } from '#lib/format/time.ts';
import { isRefused, type Refused } from '../http/problem.ts';
import type { Past, PastMoment } from '../present.ts';
import { emptyAnswer, timeGiven } from './resolved.ts';

/** Whom to ask. */
export interface GoAsking {
  /** ms since the epoch. */
  readonly now: number;
  /** Looks for what labels name now. */
  readonly resolve: (query: GoQuery) => Promise<WireGo | Refused>;
  /** The same at a past moment. */
  readonly resolveThen: (moment: PastMoment, query: GoQuery) => Promise<WireGo | Refused>;
  /** `moment`: as known then; null for now. */
  readonly incidents: (filter: IncidentFilter, moment: PastMoment | null) => Promise<WireIncidentList | Refused>;
  readonly past: (at: number) => Promise<Past>;
}

/** Time that a link gives, and what answers of it: a past moment, or the present with a note where another one was asked for. */
type PageTime = PastTime | { readonly type: 'present'; readonly note: string | null };

interface PastTime {
  readonly type: 'past';
  readonly at: number;
  readonly moment: PastMoment;
}

/** Clocks of pagers are not ours: up to so far from now is now. */
const soon = minute;

/**
 * The object that the labels of a pager's link name at the time of the page, and what is known where there is none. Answers whatever
 * comes: it never refuses and never rejects.
 */
export async function goAnswer(asking: GoAsking, params: Readonly<Record<string, string>>): Promise<WireGo> {
  const query = GoQuery.parse(params);
  const time = await timeOf(asking, query);
  const now = await askNow(asking, query);
  if (time.type === 'past') {
    const then = orNull(await answered(() => asking.resolveThen(time.moment, completedBy(query, now))));
    const { given, unread, found, foundBy } = now;
    if (then !== null) return ofThen(asking, query, { ...then, given, unread, found, foundBy }, now, time);
  }
  const note = time.type === 'past' ? recordUnread(time.at, asking.now) : time.note;
  const isPlain = note === null && now.unread.length === 0;
  return withIncidents(
    asking,
    query,
    { ...now, timeNote: note, target: isPlain ? now.target : null },
    {
      type: 'present',
      note,
    },
  );
}

/** The query with the labels that were found now: who was called, and how sources name clusters, is not known of a past moment. */
function completedBy(query: GoQuery, { found }: WireGo): GoQuery {
  const labels = Object.fromEntries(found.map(({ name, value }) => [name, value]));
  const isFound = found.some(({ name }) => name !== 'cluster');
  const others = Object.entries(query).filter(([name]) => !isFound || name.toLowerCase() !== 'fingerprint');
  return GoQuery.parse({ ...Object.fromEntries(others), ...labels });
}

async function timeOf({ now, past }: GoAsking, query: GoQuery): Promise<PageTime> {
  const given = timeGiven(query);
  if (given === '') return { type: 'present', note: null };
  const at = parsePagerTime(given);
  if (at === null)
    return { type: 'present', note: `"${foreignWord(given.slice(0, 60))}" cannot be read as a time: this is of now.` };
  if (Math.abs(at - now) <= soon) return { type: 'present', note: null };
  if (at > now) return { type: 'present', note: `${formatTime(at, now)} is not in the past: this is of now.` };
  const found = await past(at);
  switch (found.type) {
    case 'past':
      return { type: 'past', at, moment: found.moment };
    case 'future':
      return { type: 'present', note: `${formatTime(at, now)} is not in the past: this is of now.` };
    case 'before-record': {
      const since =
        found.since === null ? 'Nothing is recorded yet' : `The record begins at ${formatTime(found.since, now)}`;
      return { type: 'present', note: `${since}: nothing is known of ${formatTime(at, now)}. This is of now.` };
    }
    case 'unreadable':
      return { type: 'present', note: recordUnread(at, now) };
  }
}

function recordUnread(at: number, now: number): string {
  return `The record cannot be read now: what was known at ${formatTime(at, now)} cannot be said. This is of now.`;
}

/** An answer of a past moment; where nothing fitted then, with what fits now and was recorded since. */
async function ofThen(asking: GoAsking, query: GoQuery, then: WireGo, now: WireGo, time: PastTime): Promise<WireGo> {
  const moment = momentText(time.at);
  const target = then.target === null || then.unread.length > 0 ? null : pathAt(then.target, moment);
  const answer = { ...then, at: moment, target };
  if (then.outcome !== 'none') return answer;
  const thereNow = now.objects.map(({ cluster, group, kind, namespace, name }) => ({
    cluster,
    group,
    kind,
    namespace,
    name,
  }));
  const recorded = now.outcome === 'none' ? now.recorded : then.recorded;
  return withIncidents(asking, query, { ...answer, thereNow, recorded }, time);
}

async function askNow({ now, resolve }: GoAsking, query: GoQuery): Promise<WireGo> {
  return orNull(await answered(() => resolve(query))) ?? emptyAnswer(givenLabels(query), now);
}

/** null where there is none: a page that somebody was woken for says what it can. */
async function answered<Answer extends object>(ask: () => Promise<Answer | Refused>): Promise<Answer | Refused | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}

function orNull<Answer extends object>(answer: Answer | Refused | null): Answer | null {
  return answer === null || isRefused(answer) ? null : answer;
}

/** Where nothing fits: what else was known in the hour before on the cluster that was named, or anywhere where that is not known. */
async function withIncidents(asking: GoAsking, query: GoQuery, answer: WireGo, time: PageTime): Promise<WireGo> {
  if (answer.outcome !== 'none' || answer.given.length === 0) return answer;
  const cluster = wantedOf(givenLabels(completedBy(query, answer)).labels).cluster?.value ?? '';
  const there = isOneName(cluster) ? await incidentsIn(asking, cluster, time) : 'not-there';
  if (there !== 'not-there') return { ...answer, incidents: there?.rows ?? null, incidentsOn: foreignName(cluster) };
  const anywhere = await incidentsIn(asking, '', time);
  return { ...answer, incidents: anywhere === null || anywhere === 'not-there' ? null : anywhere.rows };
}

/** null where they cannot be read. */
async function incidentsIn(
  asking: GoAsking,
  cluster: string,
  time: PageTime,
): Promise<WireIncidentList | 'not-there' | null> {
  const [to, moment] = time.type === 'past' ? [time.at, time.moment] : [asking.now, null];
  const period = { from: new Date(to - hour).toISOString(), to: new Date(to).toISOString() };
  const read = IncidentFilter.safeParse({ cluster, ...period, limit: 5 });
  const list = read.success ? await answered(() => asking.incidents(read.data, moment)) : null;
  if (list === null || !isRefused(list)) return list;
  return list.refused.type === 'not-there' ? 'not-there' : null;
}

/** In a filter a comma stands between names. */
function isOneName(text: string): boolean {
  return text !== '' && !text.includes(',');
}
