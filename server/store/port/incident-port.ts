import type { Cause } from '#lib/domain/verdict/judgement.ts';
import type { CauseFigures } from '#lib/domain/incident/cause-figures.ts';
import type { Incident, IncidentNews, Member } from '#lib/domain/incident/incident.ts';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import type { Period } from '#lib/domain/record/span.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import type { RecordCursor, RecordPage, RecordScope } from './record-scope.ts';

export const incidentOrders = ['newest', 'longest', 'largest', 'worst'] as const;
/**
 * newest: by when Plumbline knew; longest: by the time within the period; largest: by the most objects at once; worst: by reach times
 * time within the period.
 */
export type IncidentOrder = (typeof incidentOrders)[number];

/** Which incidents are asked for: those that were known, and not over, at some time in the period. */
export interface IncidentQuestion {
  /**
   * Incidents with a member in the scope, and in what of it may be seen. Everything told of them is of the whole incident, wherever its members are: who
   * may not see all of it is told the part that is seen (`server/web/worlds/record`).
   */
  readonly scope: RecordScope;
  readonly period: Period;
  /** As known then (ms): nothing that was noticed later is told. */
  readonly at: number;
  readonly order: IncidentOrder;
  /** Absent: of all. */
  readonly verdicts?: readonly Verdict[];
  readonly causes?: readonly Cause['type'][];
  readonly open?: boolean;
  /** The most objects at one time, at least. */
  readonly objects?: number;
  /** Lasted at least so long, up to `at` (ms). */
  readonly lasted?: number;
}

/** The end of the way from an incident's address. */
export type FoundIncident =
  | { readonly type: 'incident'; readonly incident: Incident }
  /** It turned out to be one with another at `at` (ms); the id of the one that has lived with all of it since. */
  | { readonly type: 'merged'; readonly into: string; readonly at: number };

/** Answers about incidents. Periods are half-open, in ms since the epoch. */
export interface IncidentReader {
  incidents(
    question: IncidentQuestion,
    page: { readonly cursor: RecordCursor | null; readonly limit: number },
  ): Promise<RecordPage<Incident>>;
  /** Number of incidents that a question has; `most` where there are that many or more. */
  incidentCount(question: IncidentQuestion, most: number): Promise<number>;
  /** One by its id, as known at `at` (ms); null where there is none, or was none yet. */
  incident(id: string, at: number): Promise<FoundIncident | null>;
  /** Members of one as known at `at` (ms), those that are in it first, each then by when it came; only those in the scope. */
  members(
    id: string,
    at: number,
    scope: RecordScope,
    page: { readonly cursor: RecordCursor | null; readonly limit: number },
  ): Promise<RecordPage<Member>>;
  /** Members of several, as `members` has them, incident by incident as they are asked for; null where there are more than `most`. */
  membersOfMany(
    ids: readonly string[],
    at: number,
    scope: RecordScope,
    most: number,
  ): Promise<readonly Member[] | null>;
  /** Steps of one incident up to `at` (ms), oldest first: at most `limit`, the newest of them. */
  incidentSteps(id: string, at: number, limit: number): Promise<readonly IncidentNews[]>;
  /** Times that an object was in incidents, as known at `at` (ms), the newest first. */
  membershipsOf(ref: ObjectRef, at: number, limit: number): Promise<readonly Member[]>;
  causeFigures(scope: RecordScope, period: Period, at: number): Promise<CauseFigures>;
  /**
   * Steps of incidents after a position, in order; null: none, only where the news ends now. `reset`: the position is none of this
   * record, or what lay between is not kept any more: whoever follows reads everything again.
   */
  incidentNews(
    after: number | null,
    limit: number,
  ): Promise<{ readonly news: readonly IncidentNews[]; readonly position: number; readonly reset: boolean }>;
  /** Stored history that was noticed before this (ms) has been made into incidents, while that goes on; null once all has. 0: nothing yet. */
  incidentsUpTo(): Promise<number | null>;
}
