'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryStates } from 'nuqs';
import { alarmsApi, type WireAlarms } from '#lib/api/alarm/alarms.ts';
import { endpointQuery } from '../queries/endpoint-query.ts';
import { useRefetch } from '../queries/use-refetch.ts';
import { useFrames } from '../shell/live/live.tsx';
import { useAtParam } from '../shell/moment/moment.tsx';
import { alarmsParams, filterFrom, type AlarmsFilter } from './alarms-filter.ts';

/** The answer as the server sent it with the page, and the parameters that it answers. */
export interface SentAlarms {
  readonly params: Readonly<Record<string, string>>;
  readonly answer: WireAlarms;
}

const text = parseAsString.withDefault('');
const parsers = { cluster: text, group: text, kind: text, source: text, finding: text };

export type ChangeFilter = (change: Partial<AlarmsFilter>) => void;

/** The filter in the URL, without what cannot be read there, and how to change it. */
export function useAlarmsFilter(): readonly [AlarmsFilter, ChangeFilter] {
  const [filter, setFilter] = useQueryStates(parsers, { history: 'replace' });
  return [filterFrom(filter), (change) => void setFilter(change)];
}

/** Alarms for a filter; asked for again when the fleet changes, and every 10 s: what sources tell changes without it. */
export function useAlarms(filter: AlarmsFilter, sent: SentAlarms) {
  const params = alarmsParams(filter, useAtParam());
  const options = endpointQuery(alarmsApi, params);
  const same = JSON.stringify(params) === JSON.stringify(sent.params);
  const query = useQuery({
    ...options,
    initialData: () => (same ? sent.answer : undefined),
    placeholderData: keepPreviousData,
  });
  const refetch = useRefetch(options.queryKey, 5_000);
  useFrames(({ type }) => {
    if (type === 'summary' || type === 'reset' || type === 'tick') refetch();
  });
  return {
    answer: query.data ?? sent.answer,
    waiting: query.isPlaceholderData || query.data === undefined,
    error: query.error,
  };
}
