import type { Period } from '../record/span.ts';
import { day } from './length.ts';
import { dayOf } from './utc-day.ts';

/** Periods that are asked for by name. "last n days" are today and the n - 1 days before it. All days and months are UTC. */
export const periodPresets = ['last-month', 'this-month', 'last-7-days', 'last-30-days', 'last-90-days'] as const;
export type PeriodPreset = (typeof periodPresets)[number];

/** Period that is reported on where nothing else is asked for. */
export const usualPeriod: PeriodPreset = 'last-30-days';

/** The longest period that is reported on: three leap years would not fit, and nobody keeps a record that long. */
const longest = 1_100 * day;

/** The stretch of time that a report is about (ms since the epoch, half-open), cut at the moment at which it is made. */
export interface ReportPeriod extends Period {
  /** Where it would end if it were over: later than `to` where it still lasts. */
  readonly end: number;
}

/** A period, or which part of the question is wrong and how. */
export type ReadPeriod =
  | { readonly type: 'period'; readonly period: ReportPeriod }
  | { readonly type: 'wrong'; readonly name: 'from' | 'to' | 'period'; readonly message: string };

/** Period as it is asked for: by name, or from one time to another; '' for what is not said. */
export interface PeriodQuestion {
  readonly period: PeriodPreset | '';
  readonly from: string;
  readonly to: string;
}

function monthOf(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}

/** A day such as 2026-10-01 (its midnight UTC) or an RFC 3339 time, in ms since the epoch; null where the text is neither. */
export function parseDayOrTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  // Date.parse takes 31 February for a day in March.
  const [year = 0, month = 0, date = 0] = text.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date)).getUTCDate() === date ? at : null;
}

/** The period of a preset at `now` (ms). */
function presetPeriod(preset: PeriodPreset, now: number): Period {
  switch (preset) {
    case 'last-month':
      return { from: monthOf(now, -1), to: monthOf(now, 0) };
    case 'this-month':
      return { from: monthOf(now, 0), to: monthOf(now, 1) };
    case 'last-7-days':
      return { from: dayOf(now) - 6 * day, to: dayOf(now) + day };
    case 'last-30-days':
      return { from: dayOf(now) - 29 * day, to: dayOf(now) + day };
    case 'last-90-days':
      return { from: dayOf(now) - 89 * day, to: dayOf(now) + day };
  }
}

/** The period that is asked for, cut at `now` (ms). Without `to` it lasts until now; without anything it is the usual one. */
export function readPeriod({ period, from, to }: PeriodQuestion, now: number): ReadPeriod {
  if (from === '' && to === '') return cut(presetPeriod(period === '' ? usualPeriod : period, now), now);
  if (period !== '') return wrong('period', 'does not go with from and to');
  if (from === '') return wrong('from', 'is missing: a period has a beginning');
  const begin = parseDayOrTime(from);
  if (begin === null) return wrong('from', 'must be a day such as 2026-10-01 or a time such as 2026-10-01T00:00:00Z');
  const end = to === '' ? now : parseDayOrTime(to);
  if (end === null) return wrong('to', 'must be a day such as 2026-11-01 or a time such as 2026-11-01T00:00:00Z');
  if (begin >= now) return wrong('from', 'lies in the future');
  if (end <= begin) return wrong('to', 'must be later than from');
  if (end - begin > longest) return wrong('from', 'at most 1,100 days can be reported on at once');
  return cut({ from: begin, to: end }, now);
}

function cut({ from, to }: Period, now: number): ReadPeriod {
  return { type: 'period', period: { from, to: Math.min(to, now), end: to } };
}

function wrong(name: 'from' | 'to' | 'period', message: string): ReadPeriod {
  return { type: 'wrong', name, message };
}

/** True if a period is one whole month of the calendar, in UTC. */
function isMonth({ from, to }: Period): boolean {
  return from === monthOf(from, 0) && to === monthOf(from, 1);
}

/** Period that a period is compared with: a whole month with the month before it, anything else with as much time directly before it. */
export function periodBefore({ from, to }: Period): Period {
  return isMonth({ from, to }) ? { from: monthOf(from, -1), to: from } : { from: from - (to - from), to: from };
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** The last moment of a period on the wire (ms): a time of another year is told with its year. */
export function lastMoment({ to }: { readonly to: string }): number {
  return Date.parse(to) - 1;
}

/** "October 2026", "24 Oct to 22 Nov 2026", "3 Oct 2026", with the time of day where it begins or ends within a day. */
export function periodName(period: Period): string {
  const { from, to } = period;
  const begin = new Date(from);
  if (isMonth(period)) return `${months[begin.getUTCMonth()]} ${begin.getUTCFullYear()}`;
  // Half-open: what ends at midnight ends with the day before.
  const last = to === dayOf(to) ? to - 1 : to;
  const sameYear = begin.getUTCFullYear() === new Date(last).getUTCFullYear();
  const first = moment(from, from === dayOf(from), !sameYear);
  if (from === dayOf(from) && dayOf(from) === dayOf(last) && to === dayOf(to)) return moment(from, true, true);
  return `${first} to ${moment(last, to === dayOf(to), true)}`;
}

function moment(at: number, wholeDay: boolean, withYear: boolean): string {
  const date = new Date(at);
  const name = months[date.getUTCMonth()]?.slice(0, 3) ?? '';
  const text = `${date.getUTCDate()} ${name}${withYear ? ` ${date.getUTCFullYear()}` : ''}`;
  return wholeDay ? text : `${text} ${date.toISOString().slice(11, 16)}`;
}
