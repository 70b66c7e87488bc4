import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Endpoint } from '#lib/api/endpoint.ts';
import { getJson } from './get-json.ts';

/** Answer of an endpoint to these parameters, as a query of the browser's cache. */
export function endpointQuery<Answer extends z.ZodType>(
  endpoint: Endpoint<z.ZodObject, Answer>,
  params: Readonly<Record<string, string>>,
) {
  return queryOptions({
    queryKey: [endpoint.path, new URLSearchParams(params).toString()],
    queryFn: ({ signal }) => getJson(endpoint, params, signal),
  });
}
