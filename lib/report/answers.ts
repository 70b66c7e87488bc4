import type { AlarmFigures } from '../domain/alarm/alarm-figures.ts';
import type { LoadedRules } from '../domain/alarm/coverage/loaded-rules.ts';
import type { ChangeFact } from '../domain/record/change.ts';
import type { Correction } from '../domain/record/current.ts';
import type { CauseFigures } from '../domain/incident/cause-figures.ts';
import type { Incident } from '../domain/incident/incident.ts';
import type {
  ArrivalTimes,
  AbsenceFigures,
  Offender,
  RecordedGap,
  Shares,
  Suspension,
  WallClock,
} from '../domain/record/figures.ts';
import type { Period } from '../domain/record/span.ts';
import type { ReportPeriod } from '../domain/time/report-period.ts';

/** Which objects a report is about. */
export interface ReportScope {
  /** null for all that the record has; `[]` where nothing was found by the label. */
  readonly clusters: readonly string[] | null;
  /** As it was asked for, for people: '' for any. */
  readonly cluster: string;
  readonly label: string;
  readonly kind: { readonly group: string; readonly kind: string } | null;
}

/** Answers of the record about one period, as plain values: enough for every figure that is compared. */
export interface PeriodAnswers {
  readonly period: Period;
  readonly total: Shares;
  /** Without what is only declared, which is in no share either; `declared`: how many stacks are. */
  readonly objects: number;
  readonly declared: number;
  readonly wallClock: WallClock;
  /** As known at the end of the period; null while stored history is still being made into incidents. */
  readonly incidents: CauseFigures | null;
  readonly absences: AbsenceFigures;
  /** null where no alarm source that speaks for the scope was read at any time of the period. */
  readonly alarms: AlarmFigures | null;
  readonly corrections: readonly {
    readonly day: number;
    readonly certainty: Correction['certainty'];
    readonly count: number;
  }[];
  readonly changes: readonly { readonly type: ChangeFact['type']; readonly count: number }[];
  readonly arrivals: ArrivalTimes;
}

/** An incident as known at the end of the period, and its reach times time within the period (object-ms). */
export interface ToldIncident {
  readonly incident: Incident;
  readonly objectTime: number;
}

/** Answers of the record about the period that the report is about. */
export interface ReportAnswers extends PeriodAnswers {
  readonly period: ReportPeriod;
  /** By the beginning of each UTC day (ms, as text), by cluster, by group/kind. Days without any object may be missing. */
  readonly days: readonly { readonly key: string; readonly shares: Shares }[];
  readonly clusters: readonly { readonly key: string; readonly shares: Shares }[];
  readonly kinds: readonly { readonly key: string; readonly shares: Shares }[];
  /** Incidents by how much of the period they took, and by reach times time within it. */
  readonly longest: readonly ToldIncident[];
  readonly worst: readonly ToldIncident[];
  /** Objects by the time that they were away. */
  readonly offenders: readonly Offender[];
  /** The longest first; `complete` where there were no more. */
  readonly suspensions: { readonly found: readonly Suspension[]; readonly complete: boolean };
  /** Of every cluster that is told of below: those of suspensions, and those of which most was not seen. */
  readonly gaps: readonly RecordedGap[];
}

/** Everything that a report is made from. Times in ms since the epoch. */
export interface ReportQuestion {
  readonly asOf: number;
  readonly version: string;
  readonly simulated: boolean;
  readonly scope: ReportScope;
  readonly alarmWithin: number;
  /** Since when there is a record of the scope; null where there is none. */
  readonly since: number | null;
  /** Up to when (ms; 0: nothing yet) stored history has been made into incidents, while that goes on; null once all of it has. */
  readonly madeUpTo: number | null;
  readonly now: ReportAnswers;
  /** null where nothing of the period before is recorded. */
  readonly before: PeriodAnswers | null;
  /** Rules as they are loaded now; null where that is not known. */
  readonly rules: LoadedRules | null;
}
