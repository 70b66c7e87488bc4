import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { WireObjectList } from '#lib/api/object.ts';
import { api } from '#lib/api/paths.ts';
import { getJson } from './get-json.ts';

/** The objects that a filter keeps, page by page. While another filter's answer is on its way the one before stays in sight. */
export function objectsQuery(params: Readonly<Record<string, string>>) {
  const query = new URLSearchParams(params).toString();
  return infiniteQueryOptions({
    queryKey: ['objects', query],
    queryFn: ({ pageParam, signal }) => {
      const asked = new URLSearchParams({ ...params, ...(pageParam === '' ? {} : { cursor: pageParam }) });
      return getJson(`${api.objects}?${asked.toString()}`, WireObjectList, signal);
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
  });
}
