import type { Member } from '#lib/domain/incident/incident.ts';
import { sameRef } from '#lib/domain/observation/ref.ts';
import type { IncidentQuestion, IncidentReader } from '../../port/incident-port.ts';
import type { RecordScope } from '../../port/record-scope.ts';
import { descending, pageOf } from '../lists.ts';
import { isAsked, objectTimeBy, rankOf } from './asked.ts';
import type { IncidentStep } from './book.ts';
import { causeFiguresOf, countCause, emptyCauses } from './cause-tally.ts';
import { knownIncidents } from './known-incidents.ts';
import type { IncidentRows } from './memory-book.ts';
import { tellIncidents } from './tell-incidents.ts';

/** Answers about incidents over their rows, pure. */
export function readIncidents(rows: IncidentRows): IncidentReader {
  const { states, members, steps, subjects } = rows;
  const known = knownIncidents(rows);
  const { incidentOf, memberOf, newsOf } = tellIncidents(rows, known);

  function asked(question: IncidentQuestion): readonly IncidentStep[] {
    const found = known.within(question.scope, question.at).filter((step) => isAsked(step, question));
    return descending(found, (step) =>
      rankOf(step, question, (moment) => {
        const last = known.lastStep(step.incident, Math.min(moment, question.at));
        return last === null ? 0 : objectTimeBy(last, moment);
      }),
    );
  }

  /** Those that are in it first. */
  function membersOf(id: string, at: number, scope: RecordScope): readonly Member[] {
    const state = states.find((one) => one.id === id);
    const its = state === undefined ? [] : known.membersOf(state.row, at);
    const told = its.filter((member) => known.isIn(scope, member)).map((member) => memberOf(member, at));
    return [...told.filter(({ to }) => to === null), ...told.filter(({ to }) => to !== null)];
  }

  return {
    async incidents(question, page) {
      const { items, next } = pageOf(asked(question), page);
      return { items: items.map((step) => incidentOf(step, question.at)), next };
    },
    incidentCount: async (question, most) => Math.min(most, asked(question).length),
    async incident(id, at) {
      const state = states.find((one) => one.id === id);
      const last = state === undefined ? null : known.lastStep(state.row, at);
      if (last === null) return null;
      if (last.into === null) return { type: 'incident', incident: incidentOf(last, at) };
      return { type: 'merged', into: known.livingAt(last.into, at).id, at: last.at };
    },
    members: async (id, at, scope, page) => pageOf(membersOf(id, at, scope), page),
    async membersOfMany(ids, at, scope, most) {
      const found = ids.flatMap((id) => membersOf(id, at, scope));
      return found.length > most ? null : found;
    },
    async incidentSteps(id, at, limit) {
      const told = steps.map(newsOf).filter((news) => news.incident === id && news.at <= at);
      return told.slice(Math.max(0, told.length - limit));
    },
    async membershipsOf(ref, at, limit) {
      const its = members.filter(({ subject, incident, joinedAt }) => {
        const isOwn = sameRef(subjects.get(subject.id)?.ref ?? null, ref);
        return isOwn && joinedAt <= at && (known.lastStep(incident, at)?.into ?? null) === null;
      });
      const newest = its.toReversed().slice(0, limit);
      return newest.map((member) => memberOf(member, at));
    },
    async causeFigures(scope, period, at) {
      const tally = emptyCauses();
      for (const step of known.within(scope, at)) countCause(tally, step, period);
      return causeFiguresOf(tally);
    },
    async incidentNews(after, limit) {
      const newest = steps.length;
      if (after === null || after > newest) return { news: [], position: newest, reset: after !== null };
      const news = steps.slice(after, after + limit).map((step, place) => newsOf(step, after + place));
      return { news, position: after + news.length, reset: false };
    },
    incidentsUpTo: async () => null,
  };
}
