import { z } from 'zod';
import { verdicts } from '../domain/verdict.ts';

const verdictNames: ReadonlySet<string> = new Set(verdicts);

function isVerdictList(text: string): boolean {
  return text.split(',').every((word) => word.trim() === '' || verdictNames.has(word.trim()));
}

/** Query of GET /api/v1/objects, '' meaning "any". Lists come worst first; `cursor` is the `nextCursor` of the answer before. */
export const ObjectFilter = z.object({
  cluster: z.string().default('').meta({ description: 'Name of a cluster; several with commas.' }),
  reconciler: z.string().default(''),
  group: z.string().default('').meta({ description: 'API group; "-" for the core group.' }),
  kind: z.string().default(''),
  namespace: z.string().default('').meta({ description: 'Namespace; "-" for cluster-scoped objects.' }),
  name: z.string().default(''),
  verdict: z
    .string()
    .refine(isVerdictList, { error: `must be verdicts, comma-separated: ${verdicts.join(', ')}` })
    .default('')
    .meta({ description: `Verdicts, comma-separated: ${verdicts.join(', ')}.` }),
  silent: z
    .enum(['', 'true', 'false'])
    .default('')
    .meta({ description: 'Away past the alarm deadline with nobody called.' }),
  q: z.string().default('').meta({ description: 'Free text over cluster, kind, namespace, name, reason and commit.' }),
  limit: z.coerce.number().int().min(1).max(2000).default(200),
  cursor: z.string().default(''),
});
export type ObjectFilter = z.infer<typeof ObjectFilter>;
