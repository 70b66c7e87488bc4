import type { Durations } from '../record/figures.ts';
import type { AlarmCall } from './call.ts';

/**
 * Figures of a period about who was called for what was away: calls and coverage of alarm sources, joined with absences. The rule stands in
 * `docs/design/alarms.md` ("Calls and absences"). Durations in ms, times in ms since the epoch.
 */
export interface AlarmFigures {
  /** `AbsenceFigures.overdue` in three parts that add up to it, object-ms each: somebody was called, nobody was, or that is not known. */
  readonly called: number;
  readonly silent: number;
  readonly unknown: number;
  /**
   * Absences that lasted past their deadline at some time in the period, and were known, each counted once. One of an object that was switched off, or not
   * seen, all that time is among them, though no time of it is overdue.
   */
  readonly overdue: OverdueAbsences;
  /**
   * Of absences that began in the period with an exact beginning and were called for in it: from leaving git until Plumbline knew of the first call, where
   * that is known to be the first (`isFirstExact`).
   */
  readonly toCall: Durations;
  /** Number of the others of these: somebody may have been called before, so that only the most that it took is known. */
  readonly toCallAtMost: number;
  /** Calls that began (`from`) in the period. */
  readonly calls: number;
  /**
   * Those of them that name an object which was seen all the time of the call and was never away in it, up to the end of the period; null where
   * calls of a source are not looked at.
   */
  readonly withoutAbsence: number | null;
  /** Alerts that called in the period, most calls first: at most 100. */
  readonly alerts: readonly CallingAlert[];
  /** Number of all of them. */
  readonly alertsTotal: number;
  /**
   * Sources whose calls are not looked at, with the number of these since the first of the absences began: what rests on them is unknown. Those alone
   * that speak for a cluster of the scope, or called for it.
   */
  readonly unlooked: readonly UnlookedSource[];
}

/** A source whose calls are not looked at. */
export interface UnlookedSource {
  readonly source: string;
  /** null for who may not be told: they may be for clusters of others. */
  readonly calls: number | null;
}

/** Absences that lasted past their deadline, by what is known of calls from their beginning up to the end of the period. */
export interface OverdueAbsences {
  /** The first call came before the deadline. */
  readonly inTime: number;
  /** It came at the deadline or after it, and it is known that nobody was called before that. */
  readonly late: number;
  /** Nobody was called, and that is known of all their time. */
  readonly never: number;
  /** No call is known before the deadline, or none at all, and in part of the time until then none could be. */
  readonly unknown: number;
}

/** Ways in which somebody was called for an absence that lasted past its deadline, as `OverdueAbsences` counts it. */
export const calledHows = ['in-time', 'late', 'never', 'unknown'] as const;
export type CalledHow = (typeof calledHows)[number];

/** The same by the name of its count. */
export const calledHowOf: Readonly<Record<keyof OverdueAbsences, CalledHow>> = {
  inTime: 'in-time',
  late: 'late',
  never: 'never',
  unknown: 'unknown',
};

/**
 * Calls that are looked at to answer one question, at most. Where there are more, those of the loudest sources are not (`loudestOf`): what rests on these
 * sources is unknown.
 */
export const callsLooked = 200_000;

/** Alerts that are told of a period, at most. */
export const alertsTold = 100;

/** An alert by its name, with the calls that it made in a period. */
export interface CallingAlert {
  readonly source: string;
  readonly alert: string;
  readonly calls: number;
  /** When the last of them began. */
  readonly lastAt: number;
}

/** For what a call was made, as the record can tell: the object itself, or what it waits for. */
export type CalledFor = 'own' | 'cause';

/** First known call for an incident: the one that was for a member of it before all others. */
export interface FirstOfIncident {
  readonly call: AlarmCall;
  readonly by: CalledFor;
  /** Time (ms) from the first object leaving git until Plumbline knew that somebody was called. */
  readonly after: number;
  /**
   * Time (ms) from the first object leaving git until it could not be known first whether anybody was called; null where it could be up to the call. Where
   * it could not, somebody may have been called before, and `after` is the most that it took.
   */
  readonly unknownAfter: number | null;
}

/** True if the first call for an incident came late; null where that is not known, because somebody may have been called before the deadline. */
export function isFirstLate(
  { after, unknownAfter }: Pick<FirstOfIncident, 'after' | 'unknownAfter'>,
  alarmWithin: number,
): boolean | null {
  if (after < alarmWithin) return false;
  return unknownAfter === null || unknownAfter >= alarmWithin ? true : null;
}

/** Calls for one incident: for any of its members, or for what they wait for, while they were in it. */
export interface IncidentCalls {
  /** The first that is known; null where none is. */
  readonly first: FirstOfIncident | null;
  /** Number of calls; `callLimit` where there are that many or more. */
  readonly count: number;
  /** Time (ms) of the incident in which nobody was called, and in which that is not known: on the wall clock, up to the moment asked of. */
  readonly silent: number;
  readonly unknown: number;
}

/** Calls that are counted of one incident, at most. */
export const callLimit = 1000;
