import type { WireFigures } from '../../api/report.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { addUp } from './add-up.ts';
import { compare, type Better, type Compared } from './direction.ts';

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

/** How many; "none" for 0. */
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

const minute = 60_000;
const hour = 60 * minute;

/** One of many durations (ms), of which there may be none; of minutes the seconds count too: "4 min 10 s". */
export function writeLength(ms: number | null): string {
  if (ms === null) return 'none';
  if (ms > 0 && ms < 1000) return 'under 1 s';
  const seconds = ms < minute || ms >= hour ? '' : formatDuration(ms % minute);
  return seconds === '' || seconds === '0 s' ? formatDuration(ms) : `${formatDuration(ms)} ${seconds}`;
}

/** Why it is not known whether an alarm sounded, as the end of a sentence. */
export function silentText({ silent }: WireFigures): string {
  switch (silent.why) {
    case 'no-alarm-source':
      return 'Plumbline reads no alarms yet';
  }
}

/** Which of two periods' figures, and how they are written. */
export interface Measure {
  readonly read: (figures: WireFigures) => number | null;
  readonly write: (value: number | null) => string;
  readonly better: Better;
  /** An amount grows with the length of the record; a share or a median does not. */
  readonly amount: boolean;
}

/** An amount of which nothing can be said where nothing was observed. */
function seen(read: (figures: WireFigures) => number): Measure['read'] {
  return (figures) => (figures.observedMs === 0 && figures.existedMs > 0 ? null : read(figures));
}

function count(read: (figures: WireFigures) => number, better: Better): Measure {
  return { read: seen(read), write: writeCount, better, amount: true };
}

function amount(read: (figures: WireFigures) => number, better: Better): Measure {
  return { read: seen(read), write: writeAmount, better, amount: true };
}

function length(read: (figures: WireFigures) => number | null): Measure {
  return { read, write: writeLength, better: 'lower', amount: false };
}

/** Everything that a report compares with the period before. */
export const measures = {
  converged: { read: (f) => f.convergedShare, write: writeShare, better: 'higher', amount: false },
  observed: { read: (f) => f.observedShare, write: writeShare, better: 'higher', amount: false },
  objects: { read: (f) => f.objects, write: writeCount, better: 'neither', amount: true },
  away: amount((f) => f.awayMs, 'lower'),
  suspended: amount((f) => f.suspendedMs, 'lower'),
  unconfirmed: amount((f) => f.unconfirmedMs, 'lower'),
  overdue: amount((f) => f.overdueMs, 'lower'),
  opened: count((f) => f.incidents.opened, 'lower'),
  closed: count((f) => f.incidents.closed, 'neither'),
  open: count((f) => f.incidents.open, 'lower'),
  noticeMedian: length((f) => f.incidents.toNotice.medianMs),
  noticeP95: length((f) => f.incidents.toNotice.p95Ms),
  convergeMedian: length((f) => f.incidents.toConverge.medianMs),
  convergeP95: length((f) => f.incidents.toConverge.p95Ms),
  arrived: count((f) => f.arrivals.count + f.arrivals.unknown, 'neither'),
  arrivalMedian: length((f) => f.arrivals.medianMs),
  arrivalP95: length((f) => f.arrivals.p95Ms),
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

/** One figure of a report beside that of the period before. */
export function compareIn({ period, figures, before }: Sides, measure: Measure): Compared {
  const whole = period.recordedMs === period.ofMs && before?.recordedMs === before?.ofMs;
  return compare(measure.read(figures), before === null ? undefined : measure.read(before.figures), {
    write: measure.write,
    better: measure.better,
    fair: whole || !measure.amount,
  });
}
