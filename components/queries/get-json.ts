import { z } from 'zod';

/** Why an answer could not be had: what the server said (RFC 9457), or what stood in the way. */
export class AnswerError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'AnswerError';
    this.status = status;
  }
}

const Problem = z.object({ title: z.string(), detail: z.string().optional() });

/** GETs a path of this server and reads it by its schema. Throws an AnswerError, as queries expect. */
export async function getJson<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
  signal: AbortSignal,
): Promise<z.output<Shape>> {
  const response = await fetch(path, { signal, headers: { accept: 'application/json' } });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const problem = Problem.safeParse(body);
    throw new AnswerError(
      problem.success ? (problem.data.detail ?? problem.data.title) : `The server answered ${response.status}.`,
      response.status,
    );
  }
  const read = shape.safeParse(body);
  if (read.success) return read.data;
  throw new AnswerError('The server answered in a shape that this page does not know; reload it.', response.status);
}
