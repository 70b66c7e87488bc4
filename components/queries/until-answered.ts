import type { z } from 'zod';
import type { Endpoint } from '#lib/api/endpoint.ts';
import { endpointQuery } from './endpoint-query.ts';

/** Pause (ms) before a question that was not answered is asked again. */
const pause = 5_000;

/** The same as `endpointQuery`, asked again and again until there is an answer. */
export function untilAnswered<Answer extends z.ZodType>(
  endpoint: Endpoint<z.ZodObject, Answer>,
  params: Readonly<Record<string, string>>,
) {
  const options = endpointQuery(endpoint, params);
  return {
    ...options,
    refetchInterval: ({ state }: { readonly state: { readonly data: unknown } }): number | false =>
      state.data === undefined ? pause : false,
  };
}
