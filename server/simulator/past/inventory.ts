// What the simulator tells of its fleet so that a past can be made up for it: the objects as they are, and the commits.
import { z } from 'zod';
import type { ObjectRef } from '#lib/domain/observation/ref.ts';
import { roles } from '#lib/domain/observation/observation.ts';
import { verdicts } from '#lib/domain/verdict/verdict.ts';

const ref = z.object({
  cluster: z.string(),
  group: z.string(),
  kind: z.string(),
  namespace: z.string(),
  name: z.string(),
}) satisfies z.ZodType<ObjectRef>;

const pastObject = z.object({
  ref,
  uid: z.string(),
  reconciler: z.string(),
  role: z.enum(roles),
  /** ms since the epoch */
  createdAt: z.number(),
  generation: z.number(),
  /** Source it applies from. */
  source: ref.nullable(),
  /** The Kustomization whose labels it carries. */
  deliveredBy: ref.nullable(),
  /** Whole that it is a part of, or made from: its composite, its claim's composite, the chart of a release. */
  partOf: ref.nullable(),
  path: z.string().nullable(),
  /** Revision that it runs, or offers. */
  revision: z.string().nullable(),
  commit: z.string().nullable(),
  /** Its loop, by the name of its controller or provider. */
  controller: z.string(),
  /** Who switched it off, and by which field, where it is. */
  suspended: z.object({ by: z.string(), field: z.string() }).nullable(),
  /** True if somebody has opted it out on the live cluster. */
  optedOut: z.boolean(),
  /** State now, and since when (ms since the epoch). */
  verdict: z.enum(verdicts),
  since: z.number(),
});

const pastCommit = z.object({
  sha: z.string(),
  subject: z.string(),
  /** ms since the epoch */
  time: z.number(),
  paths: z.array(z.string()),
});

const inventory = z.object({
  /** ms since the epoch */
  at: z.number(),
  repository: z.string(),
  clusters: z.array(z.object({ name: z.string(), labels: z.record(z.string(), z.string()), version: z.string() })),
  objects: z.array(pastObject),
  commits: z.array(pastCommit),
});

/** One object as the past ends with it. */
export type PastObject = z.infer<typeof pastObject>;
/** One commit of the control repository. */
export type PastCommit = z.infer<typeof pastCommit>;
/** A fleet as its past ends with it. */
export type Inventory = z.infer<typeof inventory>;

/** Message of an object that is well. */
export function goodSummary({ ref: { kind }, role }: PastObject): {
  readonly reason: string;
  readonly message: string;
} {
  if (kind === 'Kustomization') return { reason: 'ReconciliationSucceeded', message: '' };
  if (kind === 'HelmRelease') return { reason: 'UpgradeSucceeded', message: '' };
  if (kind === 'HelmChart') return { reason: 'ChartPullSucceeded', message: '' };
  return { reason: role === 'source' ? 'Succeeded' : 'Available', message: '' };
}

/** Reads what `JSON.stringify` made of an inventory; throws where it is none, which only a fault of our own can make. */
export function parseInventory(text: string): Inventory {
  return inventory.parse(JSON.parse(text));
}
