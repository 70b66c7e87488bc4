import type { z } from 'zod';
import type { Fault } from './problem.ts';

/** A query that was read, or what is wrong with it. */
export type ReadQuery<T> =
  | { readonly type: 'ok'; readonly value: T }
  | { readonly type: 'fault'; readonly fault: Fault };

/**
 * Reads a query string by a schema: unknown and doubled parameters are named, not ignored. So a question about the past (`at`) is
 * never answered with the present. `elsewhere` names parameters that are read apart from these.
 */
export function readQuery<Shape extends z.ZodRawShape>(
  query: URLSearchParams,
  schema: z.ZodObject<Shape>,
  elsewhere: readonly string[] = [],
): ReadQuery<z.output<z.ZodObject<Shape>>> {
  const own = Object.keys(schema.shape);
  const known = [...own, ...elsewhere];
  const seen: Record<string, string> = {};
  for (const [name, value] of query) {
    if (!known.includes(name)) return fault({ type: 'unknown-parameter', name, known });
    if (Object.hasOwn(seen, name)) return fault({ type: 'bad-parameter', name, message: 'is given twice' });
    if (own.includes(name)) seen[name] = value;
    else if (query.getAll(name).length > 1) return fault({ type: 'bad-parameter', name, message: 'is given twice' });
  }
  const parsed = schema.safeParse(seen);
  if (parsed.success) return { type: 'ok', value: parsed.data };
  const [issue] = parsed.error.issues;
  return fault({
    type: 'bad-parameter',
    name: String(issue?.path[0] ?? ''),
    message: issue?.message ?? 'is not valid',
  });
}

function fault(found: Fault): { readonly type: 'fault'; readonly fault: Fault } {
  return { type: 'fault', fault: found };
}
