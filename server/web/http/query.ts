import type { z } from 'zod';
import { refuse, type Refused } from './problem.ts';

/**
 * Reads a query string by a schema: unknown and doubled parameters are named, not ignored. So a question about the past (`at`) is
 * never answered with the present. `elsewhere` names parameters that are read apart from these; `inPath` are those of the schema
 * that the path gives.
 */
export function readQuery<Query extends z.ZodObject>(
  query: URLSearchParams,
  schema: Query,
  { elsewhere = [], inPath = {} }: { elsewhere?: readonly string[]; inPath?: Readonly<Record<string, string>> } = {},
): { readonly value: z.output<Query> } | Refused {
  const own = Object.keys(schema.shape).filter((name) => !Object.hasOwn(inPath, name));
  const known = [...own, ...elsewhere];
  const takesAny = schema.def.catchall !== undefined;
  const seen = new Map<string, string>();
  for (const [name, value] of query) {
    if (!takesAny && !known.includes(name)) return refuse({ type: 'unknown-parameter', name, known });
    if (seen.has(name)) return bad(name, 'is given twice');
    seen.set(name, value);
  }
  const parsed = schema.safeParse({ ...Object.fromEntries(seen), ...inPath });
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  return bad(String(issue?.path[0] ?? ''), issue?.message ?? 'is not valid');
}

function bad(name: string, message: string): Refused {
  return refuse({ type: 'bad-parameter', name, message });
}
