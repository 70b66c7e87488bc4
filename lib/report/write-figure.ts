import type { WireAlarmFigures } from '../api/alarm/report-alarms.ts';
import type { WireCauseFigures, WireFigures } from '../api/report.ts';
import { formatDuration } from '../format/duration.ts';
import { formatCount } from '../format/number.ts';
import { addUp } from './add-up.ts';
import { besideWords } from './clauses/arrival-clauses.ts';
import { incidentTotal } from './clauses/incident-clauses.ts';
import type { Verdict } from '../domain/verdict/verdict.ts';
import { compare, leastMeasured, type Better, type Compared, type FigureUnit } from './direction.ts';
import { hour, minute } from '../domain/time/length.ts';

const unsaid = 'cannot be said';

/** A share from 0 to 1 in hundredths of a percent. */
function hundredths(share: number): number {
  return Math.round(share * 10_000);
}

/**
 * A share from 0 to 1 with two digits: good fleets live between 99 and 100 %. Only exactly all is "100 %", only nothing "0 %"; null is
 * neither.
 */
export function writeShare(share: number | null): string {
  return share === null ? unsaid : writeHundredths(hundredths(share), share <= 0, share >= 1);
}

function writeHundredths(units: number, isNothing: boolean, isAll: boolean): string {
  if (isNothing) return '0 %';
  if (isAll) return '100 %';
  if (units <= 0) return 'under 0.01 %';
  if (units >= 10_000) return 'over 99.99 %';
  return `${(units / 100).toFixed(2)} %`;
}

/** The parts (ms) of what of `whole` is not `kept`, as shares that add up with it to 100 %, each as it is written alone but for that. */
export function writeParts(parts: readonly number[], kept: number, whole: number): readonly string[] {
  const units = addUp(parts, 10_000 - hundredths(kept / whole));
  return parts.map((part, index) => writeHundredths(units[index] ?? 0, part === 0, part === whole));
}

/** Count; "none" for 0. */
export function writeCount(count: number | null): string {
  if (count === null) return unsaid;
  return count === 0 ? 'none' : formatCount(count);
}

/** A length of time (ms) that may be none at all. */
export function writeAmount(ms: number | null): string {
  if (ms === null) return unsaid;
  if (ms <= 0) return 'none';
  return ms < 1000 ? 'under 1 s' : formatDuration(ms);
}

/** One of many durations (ms), of which there may be none; of minutes the seconds count too: "4 min 10 s". */
export function writeLength(ms: number | null): string {
  if (ms === null) return 'none';
  if (ms > 0 && ms < 1000) return 'under 1 s';
  const seconds = ms < minute || ms >= hour ? '' : formatDuration(ms % minute);
  return seconds === '' || seconds === '0 s' ? formatDuration(ms) : `${formatDuration(ms)} ${seconds}`;
}

const hourTenths = hour / 10;

/** Time of many objects together (ms): "2,806 object-hours", "1.5 object-hours". Never rounds up. */
export function writeObjectTime(ms: number | null): string {
  if (ms === null) return unsaid;
  if (ms <= 0) return 'none';
  const tenths = Math.floor(ms / hourTenths);
  if (tenths === 0) return 'under 0.1 object-hours';
  if (tenths === 10) return '1 object-hour';
  const hours = tenths < 100 && tenths % 10 !== 0 ? (tenths / 10).toFixed(1) : formatCount(tenths / 10);
  return `${hours} object-hours`;
}

/** Which of two periods' figures, and how they are written. */
export interface Measure {
  readonly read: (figures: WireFigures) => number | null;
  readonly write: (value: number | null) => string;
  readonly unit: FigureUnit;
  readonly better: Better;
  /** An amount grows with the length of the record; a share or a median does not. */
  readonly amount: boolean;
  /** False where it cannot be said; absent: it always can, or `read` is null. */
  readonly isSaid?: (figures: WireFigures) => boolean;
  /** Words where it cannot be said; absent for the usual ones. */
  readonly unsaid?: string;
  /** Words behind it, of what else it should be of. */
  readonly beside?: (figures: WireFigures) => string;
  /** True if it may be higher than it says. */
  readonly atLeast?: (figures: WireFigures) => boolean;
  /** Of how many durations it is made, where it is a median or the like. */
  readonly measured?: (figures: WireFigures) => number;
}

/** An amount of which nothing can be said where nothing was observed. */
function seen(read: (figures: WireFigures) => number): Measure['read'] {
  return (figures) => (figures.observedMs === 0 && figures.existedMs > 0 ? null : read(figures));
}

function share(read: (figures: WireFigures) => number | null, better: Better): Measure {
  return { read, write: writeShare, unit: 'share', better, amount: false };
}

function count(read: (figures: WireFigures) => number, better: Better): Measure {
  return { read: seen(read), write: writeCount, unit: 'count', better, amount: true };
}

/** Object time. */
function objectTime(read: (figures: WireFigures) => number): Measure {
  return { read: seen(read), write: writeObjectTime, unit: 'time', better: 'lower', amount: true };
}

/** Time on the wall clock; nothing can be said of it where no cluster was observed. */
function wallTime(read: (wall: WireFigures['wall']) => number | null): Measure {
  return {
    read: ({ wall }) => (wall.observedMs === 0 ? null : read(wall)),
    write: writeAmount,
    unit: 'time',
    better: 'lower',
    amount: true,
  };
}

type Spread = WireFigures['arrivals'] | WireCauseFigures['toNotice'];

function lengths(of: (figures: WireFigures) => Spread | undefined, which: 'medianMs' | 'p95Ms'): Measure {
  return length(
    (figures) => of(figures)?.[which] ?? null,
    (figures) => of(figures)?.count ?? 0,
  );
}

function length(read: Measure['read'], measured: (figures: WireFigures) => number): Measure {
  return { read, write: writeLength, unit: 'length', better: 'lower', amount: false, measured };
}

/** A figure over incidents: nothing can be said of it while stored history is still being made into them. */
function ofIncidents(measure: Measure): Measure {
  return { ...measure, isSaid: ({ incidents }) => incidents !== null };
}

function incidents(read: (incidents: WireCauseFigures) => number, better: Better): Measure {
  const counted = count((figures) => (figures.incidents === null ? 0 : read(figures.incidents)), better);
  return ofIncidents(counted);
}

function toConverge(
  which: 'medianMs' | 'p95Ms' | 'longestMs',
  atLeast: 'medianAtLeast' | 'p95AtLeast' | 'longestAtLeast',
): Measure {
  return ofIncidents({
    ...length(
      (figures) => figures.incidents?.toConverge[which] ?? null,
      (figures) => figures.incidents?.toConverge.count ?? 0,
    ),
    atLeast: (figures) => figures.incidents?.toConverge[atLeast] ?? false,
  });
}

/** A figure over commits that arrived: not known where no cluster is seen whole, and of the others alone where some are. */
function ofArrivals(measure: Measure): Measure {
  return {
    ...measure,
    isSaid: ({ arrivals }) => arrivals.count !== null,
    unsaid: 'not known',
    beside: ({ arrivals }) => besideWords(arrivals),
  };
}

type ToldAlarms = Extract<WireAlarmFigures, { said: 'told' }>;

/** A figure over calls: nothing can be said of it where no alarm source was read. */
function ofAlarms(measure: Measure): Measure {
  return { ...measure, isSaid: ({ alarms }) => alarms.said === 'told' };
}

function readAlarms(read: (alarms: ToldAlarms) => number): (figures: WireFigures) => number {
  return ({ alarms }) => (alarms.said === 'told' ? read(alarms) : 0);
}

function calledTime(read: (alarms: ToldAlarms) => number, better: Better): Measure {
  return ofAlarms({ ...objectTime(readAlarms(read)), better });
}

function calls(read: (alarms: ToldAlarms) => number, better: Better): Measure {
  return ofAlarms(count(readAlarms(read), better));
}

function toCall(which: 'medianMs' | 'p95Ms'): Measure {
  return ofAlarms(lengths(({ alarms }) => (alarms.said === 'told' ? alarms.toCall : undefined), which));
}

/** The object time of one verdict. */
export function verdictTime(verdict: Verdict): Measure {
  return objectTime(({ shares }) => shares[verdict]);
}

/** Everything that a report compares with the period before. */
export const measures = {
  fleetAway: wallTime((wall) => wall.awayMs),
  fleetAwayShare: share(({ wall }) => wall.awayShare, 'lower'),
  fleetObserved: { ...wallTime((wall) => wall.observedMs), better: 'neither' },
  medianCluster: wallTime((wall) => wall.clusters.medianAwayMs),
  neverAway: count(({ wall }) => wall.clusters.neverAway, 'neither'),
  converged: share((f) => f.convergedShare, 'higher'),
  observed: share((f) => f.observedShare, 'higher'),
  objects: count((f) => f.objects, 'neither'),
  declared: count((f) => f.declared, 'neither'),
  away: objectTime((f) => f.awayMs),
  suspended: objectTime((f) => f.suspendedMs),
  unconfirmed: objectTime((f) => f.unconfirmedMs),
  overdue: objectTime((f) => f.overdueMs),
  silent: calledTime(({ silentMs }) => silentMs, 'lower'),
  called: calledTime(({ calledMs }) => calledMs, 'neither'),
  notKnownIfCalled: calledTime(({ unknownMs }) => unknownMs, 'lower'),
  calledInTime: calls(({ overdue }) => overdue.inTime, 'neither'),
  calledLate: calls(({ overdue }) => overdue.late, 'lower'),
  calledNever: calls(({ overdue }) => overdue.never, 'lower'),
  notKnownIfEverCalled: calls(({ overdue }) => overdue.unknown, 'lower'),
  toCallMedian: toCall('medianMs'),
  toCallP95: toCall('p95Ms'),
  toCallAtMost: calls(({ toCallAtMost: atMost }) => atMost, 'lower'),
  calls: calls((alarms) => alarms.calls, 'neither'),
  callsWithoutAbsence: {
    ...calls(({ withoutAbsence }) => withoutAbsence ?? 0, 'lower'),
    isSaid: ({ alarms }) => alarms.said === 'told' && alarms.withoutAbsence !== null,
  },
  largeIncidents: incidents(({ large }) => large, 'lower'),
  allIncidents: incidents(incidentTotal, 'lower'),
  opened: incidents(({ opened }) => opened, 'lower'),
  openAtStart: incidents(({ openAtStart }) => openAtStart, 'neither'),
  closed: incidents(({ closed }) => closed, 'neither'),
  closedFromBefore: incidents(({ closedFromBefore }) => closedFromBefore, 'neither'),
  gone: incidents(({ gone }) => gone, 'neither'),
  open: incidents(({ open }) => open, 'lower'),
  members: incidents(({ members }) => members, 'lower'),
  noticeMedian: ofIncidents(lengths((f) => f.incidents?.toNotice, 'medianMs')),
  noticeP95: ofIncidents(lengths((f) => f.incidents?.toNotice, 'p95Ms')),
  convergeMedian: toConverge('medianMs', 'medianAtLeast'),
  convergeP95: toConverge('p95Ms', 'p95AtLeast'),
  convergeLongest: { ...toConverge('longestMs', 'longestAtLeast'), better: 'neither' },
  absencesOpened: count((f) => f.absences.opened, 'lower'),
  absencesOpenAtStart: count((f) => f.absences.openAtStart, 'neither'),
  absencesClosed: count((f) => f.absences.closed, 'neither'),
  absencesClosedFromBefore: count((f) => f.absences.closedFromBefore, 'neither'),
  absencesGone: count((f) => f.absences.gone, 'neither'),
  absencesOpen: count((f) => f.absences.open, 'lower'),
  arrived: ofArrivals(count(({ arrivals }) => (arrivals.count ?? 0) + (arrivals.unknown ?? 0), 'neither')),
  arrivalMedian: ofArrivals(lengths((f) => f.arrivals, 'medianMs')),
  arrivalP95: ofArrivals(lengths((f) => f.arrivals, 'p95Ms')),
  confirmed: count((f) => f.corrections.confirmed, 'lower'),
  probable: count((f) => f.corrections.probable, 'lower'),
  contested: count((f) => f.corrections.contested, 'lower'),
  exemptionsOpened: count((f) => f.changes.exemptionsOpened, 'lower'),
  exemptionsClosed: count((f) => f.changes.exemptionsClosed, 'higher'),
  switchedOff: count((f) => f.changes.suspended, 'lower'),
  resumed: count((f) => f.changes.resumed, 'neither'),
} as const satisfies Readonly<Record<string, Measure>>;

interface Sides {
  readonly period: { readonly recordedMs: number; readonly ofMs: number };
  readonly figures: WireFigures;
  readonly before: { readonly recordedMs: number; readonly ofMs: number; readonly figures: WireFigures } | null;
}

/** One figure of a report beside that of the period before. What is only known as "at least" has no direction. */
export function compareIn({ period, figures, before }: Sides, measure: Measure): Compared {
  const isSaid = (of: WireFigures): boolean => measure.isSaid?.(of) ?? true;
  const atLeast = (of: WireFigures): boolean => measure.atLeast?.(of) ?? false;
  const enough = (of: WireFigures): boolean => measure.measured === undefined || measure.measured(of) >= leastMeasured;
  const fair = (of: WireFigures): boolean => !atLeast(of) && enough(of);
  const whole = period.recordedMs === period.ofMs && before?.recordedMs === before?.ofMs;
  const read = (of: WireFigures): number | null => (isSaid(of) ? measure.read(of) : null);
  const compared = compare(read(figures), before === null ? undefined : read(before.figures), {
    write: measure.write,
    unit: measure.unit,
    better: measure.better,
    fair: (whole || !measure.amount) && fair(figures) && (before === null || fair(before.figures)),
  });
  const words = (text: string, of: WireFigures): string => {
    if (!isSaid(of)) return measure.unsaid ?? unsaid;
    return `${atLeast(of) ? 'at least ' : ''}${text}${measure.beside?.(of) ?? ''}`;
  };
  return {
    ...compared,
    now: words(compared.now, figures),
    before: before === null || compared.before === null ? compared.before : words(compared.before, before.figures),
  };
}
