'use client';

import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { lasts } from '#lib/api/history.ts';
import { periodFrom, type ShownPeriod } from './shown-period.ts';

const text = parseAsString.withDefault('');
const parsers = { last: parseAsStringLiteral(lasts), from: text, to: text };

/** The period in the URL and how to choose another; choosing replaces the entry in the history. */
export function usePeriod(): readonly [ShownPeriod, (period: ShownPeriod) => void] {
  const [found, set] = useQueryStates(parsers, { history: 'replace' });
  return [
    periodFrom({ ...found, last: found.last ?? '' }),
    ({ last, from, to }) => void set({ last: last === '' ? null : last, from: from || null, to: to || null }),
  ];
}
