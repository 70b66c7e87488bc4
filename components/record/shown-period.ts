import { addressOf } from '#lib/api/endpoint.ts';
import { historyApi } from '#lib/api/history.ts';
import { lasts, type Last } from '#lib/api/params.ts';
import type { Period } from '#lib/domain/record/span.ts';
import { momentText } from '#lib/format/moment.ts';
import { parseTime } from '#lib/format/time.ts';
import { hour, minute } from '#lib/domain/time/length.ts';
import type { AddressParams } from '../queries/address-texts.ts';

/** The period as it stands in the URL: the `last` hours or days up to `to`, or from `from`; '' for what is not set (`to`: now). */
export interface ShownPeriod {
  readonly last: Last | '';
  readonly from: string;
  readonly to: string;
}

/** Period of the page of timelines where nothing is chosen, and of the one on the page of an object or a cluster. */
export const usualHistory: Last = '7d';
export const usualHere: Last = '24h';

/** The period in an address; what cannot be read there, or ends before it begins, counts as not set. */
export function periodFrom(params: AddressParams): ShownPeriod {
  const { last } = params;
  const time = (name: 'from' | 'to'): string => {
    const value = params[name];
    return typeof value === 'string' && parseTime(value) !== null && /T.*(?:Z|[+-]\d\d:\d\d)$/.test(value) ? value : '';
  };
  const [from, to] = [time('from'), time('to')];
  const [start, end] = [parseTime(from), parseTime(to)];
  if (start !== null && end !== null && start >= end) return { last: '', from: '', to: '' };
  return { last: lasts.find((each) => each === last) ?? '', from, to };
}

/** The parts that are set, as parameters of the API. */
export function periodParams({ last, from, to }: ShownPeriod): {
  readonly last?: Last;
  readonly from?: string;
  readonly to?: string;
} {
  return {
    ...(last === '' || from !== '' ? {} : { last }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
  };
}

/**
 * The parameters of the API for a filter over a period: `usual` back where nothing is chosen; on a page of the past up to its
 * moment (`at`; absent on a page of the present).
 */
export function historyParams(
  filter: Readonly<Record<string, string>>,
  period: ShownPeriod,
  usual: Last,
  at: { readonly at?: string } = {},
): Record<string, string> {
  const { last = usual, ...rest } = periodParams(period);
  const set = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  return {
    ...set,
    ...rest,
    ...(rest.from === undefined ? { last } : {}),
    ...at,
  };
}

/** Number of rows of each lane that a page asks for: where a table stands, and where none does. */
export const tableRows = { rows: '200' } as const;
export const noRows = { rows: '0' } as const;

/** The rows that the page of timelines asks for: `table` as in its address, "1" where the table is wanted. */
export function rowsFor(table: string): typeof tableRows | typeof noRows {
  return table === '1' ? tableRows : noRows;
}

/** Where everything that timelines were asked with is to be had as a file. */
export function historyCsvPath(params: Readonly<Record<string, string>>): string {
  const asked = Object.entries(params).filter(([name]) => name !== 'rows' && name !== 'width');
  return addressOf(historyApi, { ...Object.fromEntries(asked), format: 'csv' });
}

const lengths: Readonly<Record<Last, number>> = {
  '6h': 6 * hour,
  '24h': 24 * hour,
  '7d': 7 * 24 * hour,
  '30d': 30 * 24 * hour,
  '90d': 90 * 24 * hour,
};

/** The period that an address asks for (ms), `usual` back from `now` where nothing is chosen. */
export function requestedPeriod({ last, from, to }: ShownPeriod, usual: Last, now: number): Period {
  const end = Math.min(now, parseTime(to) ?? now);
  return { from: parseTime(from) ?? end - lengths[last === '' ? usual : last], to: end };
}

const longest = 400 * 24 * 60 * minute;

/** A period that was chosen on the timeline (ms), never past `now`: where it reaches it, it goes on with it. */
export function chosen({ from, to }: Period, now: number): ShownPeriod {
  const length = Math.min(longest, Math.max(minute, to - from));
  const end = Math.min(now, (from + to) / 2 + length / 2);
  return {
    last: '',
    from: momentText(Math.round(end - length)),
    to: end >= now ? '' : momentText(Math.round(end)),
  };
}

/** The same moment in the middle, `factor` times as long; what reaches up to `now` goes on doing so. */
export function zoomed({ from, to }: Period, factor: number, now: number): ShownPeriod {
  const length = (to - from) * factor;
  if (to >= now - minute) return chosen({ from: now - length, to: now }, now);
  const middle = (from + to) / 2;
  return chosen({ from: middle - length / 2, to: middle + length / 2 }, now);
}

/** As long, and earlier (negative) or later by a share of its length. */
export function panned({ from, to }: Period, share: number, now: number): ShownPeriod {
  const by = (to - from) * share;
  return chosen({ from: from + by, to: to + by }, now);
}
