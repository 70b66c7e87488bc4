import { z } from 'zod';
import { guarantees } from '../domain/guarantee/guarantee.ts';
import { parseLabels } from '../domain/matrix/matrix-view.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import { endpoint } from './endpoint.ts';
import { WireObjectList } from './object.ts';

const verdictNames: ReadonlySet<string> = new Set(verdicts);

const guaranteeNames: ReadonlySet<string> = new Set(guarantees);

function isListOf(names: ReadonlySet<string>): (text: string) => boolean {
  return (text) => text.split(',').every((word) => word.trim() === '' || names.has(word.trim()));
}

/** Which clusters by their labels. */
export const labelFilter = z
  .string()
  .refine((text) => parseLabels(text) !== null, { error: 'must be key=value, comma-separated' })
  .default('');

/** Query of GET /api/v1/objects, '' meaning "any". Lists come worst first; `cursor` is the `nextCursor` of the answer before. */
export const ObjectFilter = z.object({
  cluster: z.string().default('').meta({ description: 'Name of a cluster; several with commas.' }),
  label: labelFilter.meta({ description: 'Labels of clusters: key=value, comma-separated.' }),
  reconciler: z.string().default(''),
  group: z.string().default('').meta({ description: 'API group; "-" for the core group.' }),
  kind: z.string().default(''),
  namespace: z.string().default('').meta({ description: 'Namespace; "-" for cluster-scoped objects.' }),
  name: z.string().default(''),
  verdict: z
    .string()
    .refine(isListOf(verdictNames), { error: `must be verdicts, comma-separated: ${verdicts.join(', ')}` })
    .default('')
    .meta({ description: `Verdicts, comma-separated: ${verdicts.join(', ')}.` }),
  silent: z
    .enum(['', 'true', 'false'])
    .default('')
    .meta({ description: 'Away past the alarm deadline with nobody called.' }),
  guarantee: z
    .string()
    .refine(isListOf(guaranteeNames), { error: `must be guarantees, comma-separated: ${guarantees.join(', ')}` })
    .default('')
    .meta({ description: `What the sentence comes to for the object, comma-separated: ${guarantees.join(', ')}.` }),
  drift: z
    .enum(['', 'not-measured'])
    .default('')
    .meta({ description: 'not-measured: objects that could drift and whose drift nobody measures.' }),
  q: z
    .string()
    .default('')
    .meta({ description: 'Free text over cluster, folder, kind, namespace, name, reason and commit.' }),
  limit: z.coerce.number().int().min(1).max(2000).default(200),
  cursor: z.string().default(''),
});
export type ObjectFilter = z.infer<typeof ObjectFilter>;

export const objectsApi = endpoint({
  path: '/api/v1/objects',
  summary: 'Objects, filtered, worst first',
  query: ObjectFilter,
  answer: WireObjectList,
  name: 'ObjectList',
  at: true,
});
