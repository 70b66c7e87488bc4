import type { CorrectionFilter, WireCorrectionList } from '#lib/api/correction.ts';
import type { HistoryQuery, WireHistory } from '#lib/api/history.ts';
import type { IncidentFilter, WireIncidentList } from '#lib/api/incident.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { RecordReader, RecordScope } from '#server/store/port/record-port.ts';
import { namesIn, notRecorded, notThere, recordedGroups, refusalOf, type NotThere } from '../requested/not-there.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { BadCursor } from '../wire/lists/object-list.ts';
import type { WireContext } from '../wire/wire-context.ts';
import { correctionCsv, correctionList } from './correction-list.ts';
import { historyCsv } from './history-csv.ts';
import { incidentCsv, incidentList } from './incident-list.ts';
import { periodOf, type BadPeriod } from './period.ts';
import { scopesOf, type RecordFilter } from './record-scope.ts';
import { timelines, type TimelineQuestion } from './timelines.ts';

/** Why there is no answer: the question cannot be asked so, names what is not there, or the record cannot be read now (null). */
export type NoAnswer = BadPeriod | NotThere | null;

/** What pages and the API ask of the record. */
export interface RecordQueries {
  history(query: HistoryQuery): Promise<WireHistory | NoAnswer>;
  incidents(filter: IncidentFilter): Promise<WireIncidentList | BadCursor | NoAnswer>;
  corrections(filter: CorrectionFilter): Promise<WireCorrectionList | BadCursor | NoAnswer>;
  /** All that match as lines of CSV, some at a time. */
  historyCsv(query: HistoryQuery): Promise<AsyncIterable<string> | NoAnswer>;
  incidentCsv(filter: IncidentFilter): Promise<AsyncIterable<string> | NoAnswer>;
  correctionCsv(filter: CorrectionFilter): Promise<AsyncIterable<string> | NoAnswer>;
}

/** What they are asked of. `fleet` and `find` are as known at a moment (ms). */
export interface RecordQueriesDeps {
  readonly record: () => RecordReader | null;
  readonly fleet: (now: number) => readonly KnownCluster[];
  readonly find: (ref: ObjectRef, now: number) => CurrentObject | null;
  readonly context: () => WireContext;
}

type PeriodFilter = RecordFilter & Parameters<typeof periodOf>[0];

/** A question over the record that can be asked: its scopes and its period. */
interface Asked {
  readonly record: RecordReader;
  readonly scopes: readonly RecordScope[];
  readonly period: Period;
  readonly clusters: readonly KnownCluster[];
  readonly find: (ref: ObjectRef) => CurrentObject | null;
  readonly context: WireContext;
}

/** Makes the queries over the record. */
export function recordQueries({ record, fleet, find, context }: RecordQueriesDeps): RecordQueries {
  async function read(filter: PeriodFilter): Promise<Asked | NoAnswer> {
    const reader = record();
    const asOf = context();
    const { now } = asOf;
    const period = periodOf(filter, now);
    if (reader === null) return null;
    if ('type' in period) return period;
    const clusters = fleet(now);
    const { cluster, group, kind, namespace, name } = filter;
    const missing = notThere({ cluster, group, kind, namespace, name }, namesIn(clusters));
    const refusal = missing.length === 0 ? null : refusalOf(await notRecorded(missing, reader, now));
    if (refusal !== null) return refusal;
    // What is nowhere now is looked for under the groups that it had.
    const gone = missing.some(({ parameter }) => parameter === 'kind');
    const groups = gone ? await recordedGroups(reader, filter.kind, { from: 0, to: now }) : [];
    const scopes = scopesOf(filter, clusters, groups);
    return { record: reader, scopes, period, clusters, find: (ref) => find(ref, now), context: asOf };
  }

  async function ask<Answer>(
    filter: PeriodFilter,
    make: (asked: Asked) => Answer | Promise<Answer>,
  ): Promise<Answer | NoAnswer> {
    try {
      const asked = await read(filter);
      return asked === null || 'type' in asked ? asked : await make(asked);
    } catch {
      // A store that cannot be read now is said to be so; the follower tells why in the head.
      return null;
    }
  }

  return {
    history: (query) => ask(query, (asked) => timelines(timelineQuestion(query, asked))),
    incidents: (filter) => ask(filter, (asked) => incidentList({ ...asked, filter }).then(orBadCursor)),
    corrections: (filter) =>
      ask(filter, (asked) => correctionList({ ...asked, filter, now: asked.context.now }).then(orBadCursor)),
    historyCsv: (query) => ask(query, (asked) => historyCsv(query, (page) => timelines(timelineQuestion(page, asked)))),
    incidentCsv: (filter) => ask(filter, (asked) => incidentCsv({ ...asked, filter })),
    correctionCsv: (filter) => ask(filter, (asked) => correctionCsv({ ...asked, filter, now: asked.context.now })),
  };
}

function timelineQuestion(
  query: HistoryQuery,
  { record, scopes, period, clusters, find, context }: Asked,
): TimelineQuestion {
  return { record, query, scopes, period, fleet: clusters, find, now: context.now };
}

function orBadCursor<List>(list: List | null): List | BadCursor {
  return list ?? { type: 'bad-cursor' };
}
