import type { ApiTime } from './api-time.ts';

/** When an API server says that it answered, beside our own clock: it did between `sentAt` and `receivedAt` (ms). */
export interface DateSample {
  readonly date: ApiTime;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A clock is ahead of ours by at least and at most so much (ms; negative where it is behind). */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Reading of the clock of one API server from its answers. */
export interface ClockReading {
  readonly bounds: Bounds;
  /** When the last sample came (ms). */
  readonly at: number;
  /** A sample that contradicts the others: two that agree with each other mean that a clock was set. */
  readonly doubt: Bounds | null;
  /** By how much it is ahead of ours, in whole seconds (ms); null before two samples agree. Times of the API stay whole with it. */
  readonly ahead: number | null;
}

/** Whole seconds cannot tell less apart; with it an estimate that still fits is kept as it is (ms). */
const slack = 1_000;
/** Drift at most of two clocks that nobody sets, ms per ms: NTP slews by 500 ppm. */
const drift = 0.0005;
/** A clock that is off by more than this is named (ms). */
const namedBeyond = 5_000;

function boundsOf({ date, sentAt, receivedAt }: DateSample): Bounds {
  // Date is cut to its second, and was written at some moment of the exchange.
  return { least: date - receivedAt, most: date + 1_000 - sentAt };
}

function common(a: Bounds, b: Bounds): Bounds | null {
  const least = Math.max(a.least, b.least);
  const most = Math.min(a.most, b.most);
  return least <= most ? { least, most } : null;
}

function estimate({ least, most }: Bounds, before: number | null): number {
  const known = before ?? 0;
  if (known >= least - slack && known <= most + slack) return known;
  return Math.round((least + most) / 2_000) * 1_000;
}

/** Takes another sample. One alone says nothing yet, and one that contradicts the others changes nothing. */
export function readClock(before: ClockReading | null, sample: DateSample): ClockReading {
  const bounds = boundsOf(sample);
  const at = sample.receivedAt;
  if (before === null) return { bounds, at, doubt: null, ahead: null };
  const apart = Math.max(0, at - before.at) * drift;
  const agreed = common({ least: before.bounds.least - apart, most: before.bounds.most + apart }, bounds);
  if (agreed) return { bounds: agreed, at, doubt: null, ahead: estimate(agreed, before.ahead) };
  const anew = before.doubt && common(before.doubt, bounds);
  if (anew) return { bounds: anew, at, doubt: null, ahead: estimate(anew, before.ahead) };
  return { ...before, doubt: bounds };
}

/** True if a clock that is so much ahead of ours (ms, null where it is not known) is off by so much that it is named. */
export function isClockOff(ahead: number | null): ahead is number {
  return ahead !== null && Math.abs(ahead) > namedBeyond;
}
