import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { type Endpoint, addressOf } from '#lib/api/endpoint.ts';

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

/** Why an answer could not be had: what the server said (RFC 9457), or what stood in the way. */
class AnswerError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'AnswerError';
    this.status = status;
  }
}

const Problem = z.object({ title: z.string(), detail: z.string().optional() });

/** Asks an endpoint and reads its answer by its schema. Throws an AnswerError, as queries expect. */
export async function getJson<Answer extends z.ZodType>(
  endpoint: Pick<Endpoint<z.ZodObject, Answer>, 'path' | 'answer' | 'header'>,
  params: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<z.output<Answer>> {
  const { header } = endpoint;
  const headers = { accept: 'application/json', ...(header && { [header.name]: header.value }) };
  const response = await fetch(addressOf(endpoint, params), { signal, headers });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const problem = Problem.safeParse(body);
    throw new AnswerError(
      problem.success ? (problem.data.detail ?? problem.data.title) : `The server answered ${response.status}.`,
      response.status,
    );
  }
  const read = endpoint.answer.safeParse(body);
  if (read.success) return read.data;
  throw new AnswerError('The server answered in a shape that this page does not know; reload it.', response.status);
}
