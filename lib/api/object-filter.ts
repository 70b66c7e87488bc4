import { z } from 'zod';
import { guarantees } from '../domain/guarantee/guarantee.ts';
import { verdicts } from '../domain/verdict/verdict.ts';
import { alarmLinks, alarmStates } from '../domain/alarm/link.ts';
import { reachAnswers } from '../domain/alarm/reach.ts';
import { endpoint } from './endpoint.ts';
import { WireObjectList } from './object.ts';
import { labelFilter, ListFormat, pageShape, recordShape, someOf, searchText } from './params.ts';

/** Query of GET /api/v1/objects, '' meaning "any". Lists come worst first; `cursor` is the `nextCursor` of the answer before. */
export const ObjectFilter = z.object({
  cluster: recordShape.cluster,
  label: labelFilter.meta({ description: 'Labels of clusters: key=value, comma-separated.' }),
  reconciler: z.string().default(''),
  group: z.string().default('').meta({ description: 'API group; "-" for the core group.' }),
  kind: z.string().default(''),
  namespace: recordShape.namespace,
  name: z.string().default(''),
  verdict: someOf(verdicts, 'verdicts').meta({ description: `Verdicts, comma-separated: ${verdicts.join(', ')}.` }),
  silent: z
    .enum(['', 'true', 'false'])
    .default('')
    .meta({ description: 'Away past the alarm deadline with nobody called.' }),
  guarantee: someOf(guarantees, 'guarantees').meta({
    description: `What the sentence comes to for the object, comma-separated: ${guarantees.join(', ')}.`,
  }),
  alarm: someOf(alarmStates, 'states of alarms').meta({
    description: `State of its alarm, comma-separated: ${alarmStates.join(', ')}.`,
  }),
  link: someOf(alarmLinks, 'links of the alarm chain').meta({
    description: `The first broken link of its alarm chain, comma-separated: ${alarmLinks.join(', ')}.`,
  }),
  reach: z
    .enum(['', ...reachAnswers])
    .default('')
    .meta({
      description:
        'How far its alarm chain goes, away or not: exported (a metric of it), ruled (a rule reads it), routed (somebody would be called); not-: it does not; unknown-: that is not known.',
    }),
  cause: z.string().max(1_100).default('').meta({
    description:
      'Key of a cause, as in causes of GET /api/v1/fleet: those beneath it, of all that the filter keeps but for the verdict. What fails alike is beneath one.',
  }),
  drift: z
    .enum(['', 'not-measured'])
    .default('')
    .meta({ description: 'not-measured: objects that could drift and whose drift nobody measures.' }),
  q: searchText.meta({ description: 'Free text over cluster, folder, kind, namespace, name, reason and commit.' }),
  suspects: z.enum(['', 'true']).default('').meta({
    description:
      'true: which commit broke it, of the first 100 causes of the page or file; git is waited for 1.5 s at most. Else it is not looked at.',
  }),
  format: ListFormat,
  ...pageShape(2000, 200),
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
