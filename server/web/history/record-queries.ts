import type { CorrectionFilter, WireCorrectionList } from '#lib/api/correction.ts';
import type { HistoryQuery, WireHistory } from '#lib/api/history.ts';
import type { IncidentFilter, WireIncidentList } from '#lib/api/incident.ts';
import type { CurrentObject } from '#lib/domain/current.ts';
import type { ObjectRef } from '#lib/domain/ref.ts';
import type { RecordReader } from '#server/store/record-port.ts';
import type { KnownCluster } from '../picture/known-cluster.ts';
import type { BadCursor } from '../wire/object-list.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { correctionCsv, correctionList, type CorrectionQuestion } from './correction-list.ts';
import { historyCsv } from './history-csv.ts';
import { incidentCsv, incidentList, type IncidentQuestion } from './incident-list.ts';
import { periodOf, type BadPeriod } from './period.ts';
import { scopesOf } from './record-scope.ts';
import { timelines, type TimelineQuestion } from './timelines.ts';

/** What pages and the API ask of the record; null while it cannot be read. */
export interface RecordQueries {
  history(query: HistoryQuery): Promise<WireHistory | BadPeriod | null>;
  incidents(filter: IncidentFilter): Promise<WireIncidentList | BadCursor | BadPeriod | null>;
  corrections(filter: CorrectionFilter): Promise<WireCorrectionList | BadCursor | BadPeriod | null>;
  /** All that match as lines of CSV, some at a time. */
  historyCsv(query: HistoryQuery): AsyncIterable<string> | BadPeriod | null;
  incidentCsv(filter: IncidentFilter): AsyncIterable<string> | BadPeriod | null;
  correctionCsv(filter: CorrectionFilter): AsyncIterable<string> | BadPeriod | null;
}

/** What they are asked of. `fleet` and `find` are as known at a moment (ms). */
export interface RecordQueriesDeps {
  readonly record: () => RecordReader | null;
  readonly fleet: (now: number) => readonly KnownCluster[];
  readonly find: (ref: ObjectRef, now: number) => CurrentObject | null;
  readonly context: () => WireContext;
}

/** Makes the queries over the record. */
export function recordQueries({ record, fleet, find, context }: RecordQueriesDeps): RecordQueries {
  function incidentQuestion(filter: IncidentFilter): IncidentQuestion | BadPeriod | null {
    const reader = record();
    const now = context();
    const period = periodOf(filter, now.now);
    if (reader === null) return null;
    if ('type' in period) return period;
    const scopes = scopesOf(filter, fleet(now.now));
    return { record: reader, filter, scopes, period, find: (ref) => find(ref, now.now), context: now };
  }

  function correctionQuestion(filter: CorrectionFilter): CorrectionQuestion | BadPeriod | null {
    const reader = record();
    const { now } = context();
    const period = periodOf(filter, now);
    if (reader === null) return null;
    if ('type' in period) return period;
    return { record: reader, filter, scopes: scopesOf(filter, fleet(now)), period, now };
  }

  function timelineQuestion(query: HistoryQuery): TimelineQuestion | BadPeriod | null {
    const reader = record();
    const { now } = context();
    const period = periodOf(query, now);
    if (reader === null) return null;
    if ('type' in period) return period;
    return { record: reader, query, period, fleet: fleet(now), find: (ref) => find(ref, now), now };
  }

  return {
    async history(query) {
      const question = timelineQuestion(query);
      if (question === null || 'type' in question) return question;
      return timelines(question).catch(unreadable);
    },
    historyCsv(query) {
      const question = timelineQuestion(query);
      if (question === null || 'type' in question) return question;
      return historyCsv(query, (page) => timelines({ ...question, query: page }));
    },
    async incidents(filter) {
      const question = incidentQuestion(filter);
      if (question === null || 'type' in question) return question;
      return incidentList(question).then(orBadCursor).catch(unreadable);
    },
    async corrections(filter) {
      const question = correctionQuestion(filter);
      if (question === null || 'type' in question) return question;
      return correctionList(question).then(orBadCursor).catch(unreadable);
    },
    incidentCsv(filter) {
      const question = incidentQuestion(filter);
      return question === null || 'type' in question ? question : incidentCsv(question);
    },
    correctionCsv(filter) {
      const question = correctionQuestion(filter);
      return question === null || 'type' in question ? question : correctionCsv(question);
    },
  };
}

/** A store that cannot be read now is said to be so; the follower tells why in the head. */
function unreadable(): null {
  return null;
}

function orBadCursor<List>(list: List | null): List | BadCursor {
  return list ?? { type: 'bad-cursor' };
}
