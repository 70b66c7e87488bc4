import { alertsNamed, type WireAlarmFigures } from '../api/alarm/report-alarms.ts';
import type { WireCauseFigures, WireFigures } from '../api/report.ts';
import type { AlarmFigures } from '../domain/alarm/alarm-figures.ts';
import type { CauseFigures } from '../domain/incident/cause-figures.ts';
import type { Correction } from '../domain/record/current.ts';
import type { ArrivalTimes, Durations, AbsenceFigures, Shares } from '../domain/record/figures.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import type { PeriodAnswers } from './answers.ts';
import { isLowerBound, quantile, spreadOf } from './spread.ts';

/** Object-milliseconds of a period by what they mean to the sentence. */
export interface Amounts {
  /** Time for which objects were there, seen or not. */
  readonly existed: number;
  /** All of that but what was not being observed. */
  readonly observed: number;
  readonly converged: number;
  /** Neither converged, suspended nor unconfirmed, and observed. */
  readonly away: number;
  readonly suspended: number;
  readonly unconfirmed: number;
}

/** Sums up object-milliseconds by verdict. */
export function amountsOf(shares: Shares): Amounts {
  const existed = verdicts.reduce((sum, verdict) => sum + shares[verdict], 0);
  const observed = existed - shares.unobserved;
  const { converged, suspended, unconfirmed } = shares;
  return { existed, observed, converged, suspended, unconfirmed, away: observed - converged - suspended - unconfirmed };
}

/** A part of a whole from 0 to 1; null where there is no whole: a share of nothing is neither 0 nor 1. */
export function partOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

type Corrections = { readonly [C in Correction['certainty']]: number };

/** Number of times drift was found and undone, by how sure that is. */
export function correctionsOf(
  counted: readonly { readonly certainty: Correction['certainty']; readonly count: number }[],
): Corrections {
  const sum = { confirmed: 0, probable: 0, contested: 0 };
  for (const { certainty, count } of counted) sum[certainty] += count;
  return sum;
}

function wireSpread(durations: Durations): { count: number; medianMs: number | null; p95Ms: number | null } {
  const { count, median, p95 } = spreadOf(durations);
  return { count, medianMs: median, p95Ms: p95 };
}

type Took = Pick<AbsenceFigures, 'toConverge' | 'toConvergeAtLeast'>;

function convergeFigures({ toConverge, toConvergeAtLeast }: Took): WireFigures['absences']['toConverge'] {
  return {
    ...wireSpread(toConverge),
    medianAtLeast: isLowerBound(toConverge, toConvergeAtLeast, 0.5),
    p95AtLeast: isLowerBound(toConverge, toConvergeAtLeast, 0.95),
  };
}

function incidentFigures(figures: CauseFigures): WireCauseFigures {
  const { toConverge, toConvergeAtLeast, toNotice, ...counts } = figures;
  return {
    ...counts,
    toNotice: wireSpread(toNotice),
    toConverge: {
      ...convergeFigures(figures),
      longestMs: quantile(toConverge, 1),
      longestAtLeast: isLowerBound(toConverge, toConvergeAtLeast, 1),
    },
    toConvergeAtLeast: toConvergeAtLeast.length,
  };
}

/** Times that commits took to arrive, in short. */
export function arrivalFigures({ took, unknown, of, partly }: ArrivalTimes): WireFigures['arrivals'] {
  const spread = wireSpread(took);
  const isKnown = of > 0 || partly.length === 0;
  return { ...spread, ...(isKnown ? { unknown } : { count: null, unknown: null }), notKnownOn: [...partly] };
}

function wallOf({ wallClock: { fleet, clusters }, period }: PeriodAnswers): WireFigures['wall'] {
  const seen = clusters.filter(({ observed }) => observed > 0);
  const away = seen.map((cluster) => cluster.away).toSorted((a, b) => a - b);
  return {
    awayMs: fleet.away,
    observedMs: fleet.observed,
    awayShare: fleet.observed === 0 ? null : partOf(fleet.away, period.to - period.from),
    clusters: {
      observed: seen.length,
      neverAway: away.filter((time) => time === 0).length,
      medianAwayMs: quantile(away, 0.5),
    },
  };
}

/** Who was called, on the wire. */
function alarmFigures(alarms: AlarmFigures | null): WireAlarmFigures {
  if (alarms === null) return { said: 'cannot-be-said', why: 'no-source-read' };
  const { called, silent, unknown, overdue, toCall, toCallAtMost, calls, withoutAbsence } = alarms;
  const { alerts, alertsTotal, unlooked } = alarms;
  return {
    said: 'told',
    calledMs: called,
    silentMs: silent,
    unknownMs: unknown,
    overdue: { ...overdue },
    toCall: wireSpread(toCall),
    toCallAtMost,
    calls,
    withoutAbsence,
    alerts: alerts
      .slice(0, alertsNamed)
      .map(({ lastAt, ...alert }) => ({ ...alert, lastAt: new Date(lastAt).toISOString() })),
    alertsTotal,
    unlooked: unlooked.map(({ source, calls: its }) => ({ source, calls: its })),
  };
}

/** The figures of one period, from what the record answered. A share of nothing is null, never 0 or 1. */
export function figuresOf(answers: PeriodAnswers): WireFigures {
  const { total, objects, declared, incidents, absences, alarms, corrections, changes, arrivals } = answers;
  const { existed, observed, converged, away, suspended, unconfirmed } = amountsOf(total);
  const counts = new Map(changes.map(({ type, count }) => [type, count]));
  return {
    wall: wallOf(answers),
    objects,
    declared,
    shares: { ...total },
    existedMs: existed,
    observedMs: observed,
    convergedMs: converged,
    awayMs: away,
    suspendedMs: suspended,
    unconfirmedMs: unconfirmed,
    convergedShare: partOf(converged, observed),
    observedShare: partOf(observed, existed),
    incidents: incidents && incidentFigures(incidents),
    absences: {
      opened: absences.opened,
      openAtStart: absences.openAtStart,
      closed: absences.closed,
      closedFromBefore: absences.closedFromBefore,
      gone: absences.gone,
      open: absences.open,
      toNotice: wireSpread(absences.toNotice),
      toConverge: convergeFigures(absences),
      toConvergeAtLeast: absences.toConvergeAtLeast.length,
    },
    overdueMs: absences.overdue,
    alarms: alarmFigures(alarms),
    arrivals: arrivalFigures(arrivals),
    corrections: correctionsOf(corrections),
    changes: {
      exemptionsOpened: counts.get('exemption-added') ?? 0,
      exemptionsClosed: counts.get('exemption-removed') ?? 0,
      suspended: counts.get('suspended') ?? 0,
      resumed: counts.get('resumed') ?? 0,
    },
  };
}
