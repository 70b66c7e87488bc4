import type { IncidentNews, Member } from '#lib/domain/incident/incident.ts';
import type { AlarmReader } from '#server/store/port/alarm-port.ts';
import type { FoundIncident, IncidentQuestion, IncidentReader } from '#server/store/port/incident-port.ts';
import { isAsked, rankOf } from '#server/store/record/incident/asked.ts';
import { causeFiguresOf, countCause, emptyCauses } from '#server/store/record/incident/cause-tally.ts';
import { descending, pageOf } from '#server/store/record/lists.ts';
import { causeWithin } from '../hide/cause.ts';
import { seesCallsOf } from './calls-within.ts';
import type { SightNow } from '../sight.ts';
import { objectTimeOf, stepsOfPart } from './part-of-incident.ts';
import { seenIncidents, type SeenIncident } from './seen-incidents.ts';

type Told = IncidentReader & Pick<AlarmReader, 'incidentCalls'>;
type Incidents = Told & Pick<AlarmReader, 'callsOfIncident'>;

/** Incidents as a sight tells them: there where a member is seen, and all that is told of them is of such members. */
export function incidentsWithin(record: Incidents, sightNow: SightNow): Told {
  const incidents = seenIncidents(record, sightNow);
  const asked = rankedIncidents(record, incidents);
  let newsTold = 0;

  async function find(id: string, at: number): Promise<SeenIncident | null> {
    const found = await record.incident(id, at);
    return found?.type === 'incident' ? incidents.seen(found.incident, at) : null;
  }

  async function incident(id: string, at: number): Promise<FoundIncident | null> {
    const found = await record.incident(id, at);
    if (found === null) return null;
    if (found.type === 'merged') return (await find(found.into, at)) === null ? null : found;
    const seen = await incidents.seen(found.incident, at);
    return seen === null ? null : { type: 'incident', incident: seen.incident };
  }

  /** A step of news as it is seen; null where nothing of what is seen has changed by it. */
  async function newsWithin(news: IncidentNews): Promise<IncidentNews | null> {
    const living = await find(news.into ?? news.incident, news.at);
    if (living === null) return null;
    if (living.members === null) return { ...news, cause: causeWithin(news.cause, sightNow()) };
    const step = stepsOfPart(living.incident, living.members).findLast(({ at }) => at === news.at);
    return step ?? null;
  }

  return {
    async incidents(question, page) {
      const { items, next } = pageOf(await asked(question), page);
      return { items: items.map((one) => one.incident), next };
    },
    incidentCount: async (question, most) => Math.min(most, (await asked(question)).length),
    incident,
    ...membersWithin(record, sightNow),
    async incidentSteps(id, at, limit) {
      const found = await find(id, at);
      if (found === null) return [];
      const steps = found.members === null ? null : stepsOfPart(found.incident, found.members);
      if (steps !== null) return steps.slice(Math.max(0, steps.length - limit));
      const whole = await record.incidentSteps(id, at, limit);
      return whole.map((step) => ({ ...step, cause: causeWithin(step.cause, sightNow()) }));
    },
    async causeFigures(scope, period, at) {
      const tally = emptyCauses();
      for (const one of await incidents.all({ scope, period, at }))
        countCause(tally, { ...one.incident, mostObjects: one.incident.most.objects }, period);
      return causeFiguresOf(tally);
    },
    async incidentNews(after, limit) {
      const { news, position, reset } = await record.incidentNews(after, limit);
      const seen = await Promise.all(news.map(newsWithin));
      // The position of each would count what happened outside: what is told has places of its own.
      const told = seen.flatMap((one) => (one === null ? [] : { ...one, position: ++newsTold }));
      return { news: told, position, reset };
    },
    incidentsUpTo: record.incidentsUpTo,
    async incidentCalls(ids, at) {
      const sight = sightNow();
      const found = await Promise.all(ids.map(async (id) => ({ id, seen: await find(id, at) })));
      const seen = found.flatMap((one) => (one.seen === null ? [] : one.id));
      const calls = new Map(await record.incidentCalls(seen, at, sight.within));
      for (const [id, sums] of calls)
        if (sums !== null && !(await seesCallsOf(record, { id, at, count: sums.count }, sight))) calls.set(id, null);
      return calls;
    },
  };
}

/** Members as a sight tells them. */
function membersWithin(
  record: IncidentReader,
  sightNow: SightNow,
): Pick<IncidentReader, 'members' | 'membersOfMany' | 'membershipsOf'> {
  function memberWithin(member: Member): Member {
    return { ...member, cause: causeWithin(member.cause, sightNow()) };
  }

  return {
    async members(id, at, scope, page) {
      const { within } = sightNow();
      const { items, next } = await record.members(id, at, { ...scope, within }, page);
      return { items: items.map(memberWithin), next };
    },
    async membersOfMany(ids, at, scope, most) {
      const { within } = sightNow();
      const found = await record.membersOfMany(ids, at, { ...scope, within }, most);
      return found?.map(memberWithin) ?? null;
    },
    membershipsOf: async (ref, at, limit) =>
      sightNow().sees(ref) ? (await record.membershipsOf(ref, at, limit)).map(memberWithin) : [],
  };
}

function standingOf({ incident }: SeenIncident) {
  return { ...incident, mostObjects: incident.most.objects };
}

/** Answers which incidents a question has as they are seen, in its order. */
function rankedIncidents(record: IncidentReader, incidents: ReturnType<typeof seenIncidents>) {
  async function asked(question: IncidentQuestion): Promise<readonly SeenIncident[]> {
    const found = (await incidents.all(question)).filter((one) => isAsked(standingOf(one), question));
    const ranks = new Map<SeenIncident, number>();
    for (const one of found) ranks.set(one, await rankIn(one, question));
    return descending(found.toReversed(), (one) => ranks.get(one) ?? 0);
  }

  async function rankIn(one: SeenIncident, question: IncidentQuestion): Promise<number> {
    const moments = question.order === 'worst' ? [question.period.from, Math.min(question.period.to, question.at)] : [];
    const times = new Map<number, number>();
    for (const moment of moments) times.set(moment, await objectTimeBy(one, moment, question.at));
    return rankOf(standingOf(one), question, (moment) => times.get(moment) ?? 0);
  }

  /** Object-ms up to a moment (ms) of one that is known at `at`. */
  async function objectTimeBy({ incident: told, members }: SeenIncident, moment: number, at: number): Promise<number> {
    if (members !== null) return objectTimeOf(members, moment);
    if (moment === at) return told.objectTime;
    // Nothing was known of it then.
    if (told.noticedAt > moment) return 0;
    const then = await record.incident(told.id, moment);
    return then?.type === 'incident' ? then.incident.objectTime : 0;
  }

  return asked;
}
