import { z } from 'zod';
import { clusterName, labels, text } from './field-schemas.ts';

const tools = ['terraform', 'opentofu', 'cdk', 'pulumi', 'ansible', 'other'] as const;

const rowName = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9 ._:@-]*[A-Za-z0-9._:@-])?$/,
    'must be letters, digits, spaces and . _ : @ - and start with a letter or digit',
  )
  .max(200);

/** One line of `stacks` as it is written. */
export const stackEntry = z
  .strictObject({
    name: clusterName.meta({ description: 'How the stack is called on every page and in every link.' }),
    tool: z.enum(tools).meta({ description: 'What applies it, when somebody runs it.' }),
    cluster: clusterName.optional().meta({ description: 'The cluster in whose row it stands.' }),
    row: rowName.optional().meta({ description: 'The row of its own in which it stands, where it is on no cluster.' }),
    labels: labels.default({}).meta({ description: 'Labels of its own row, for grouping and filtering.' }),
    repository: text.optional().meta({ description: 'Where its code lies, as git takes it.' }),
    path: text.optional().meta({ description: 'The folder in that repository.' }),
    reason: text.max(300).optional().meta({ description: 'Why nothing reports on it, in a clause.' }),
  })
  .superRefine((entry, context) => {
    if (entry.cluster === undefined) return;
    if (entry.row !== undefined)
      context.addIssue({ code: 'custom', path: ['row'], message: 'row does not go with cluster' });
    if (Object.keys(entry.labels).length > 0)
      context.addIssue({ code: 'custom', path: ['labels'], message: 'labels do not go with cluster: it has its own' });
  });

/** Something that no loop reports on, declared so that it is not forgotten. */
export interface DeclaredStack {
  readonly name: string;
  /** Tool that applies it, when somebody runs it. */
  readonly tool: (typeof tools)[number];
  /** The row in which it stands: a cluster's, or one of its own. */
  readonly row: string;
  /** Labels of its own row; {} on a cluster. */
  readonly labels: Readonly<Record<string, string>>;
  readonly repository: string | null;
  readonly path: string | null;
  /** Why nothing reports on it, a clause. */
  readonly reason: string | null;
}

/** The rows in which stacks stand, each with the labels that its stacks give it. */
export function declaredRows(stacks: readonly DeclaredStack[]): ReadonlyMap<string, DeclaredStack['labels']> {
  const rows = new Map<string, DeclaredStack['labels']>();
  for (const { row, labels } of stacks) rows.set(row, { ...rows.get(row), ...labels });
  return rows;
}

/** The row of a stack: a cluster's, one of its own, or that of all that are on no cluster. */
export function rowOf({ cluster, row }: Pick<z.output<typeof stackEntry>, 'cluster' | 'row'>): string {
  return cluster ?? row ?? 'not on a cluster';
}
