import { z } from 'zod';
import type { ObjectRef } from '../../domain/observation/ref.ts';
import { WireCommitName } from '../commit.ts';
import { endpoint } from '../endpoint.ts';
import { Time } from '../object.ts';
import { wordsOf } from '../params.ts';
import { refFromSegments } from '../paths.ts';

/** Most incidents or objects of one question. */
export const mostSuspected = 100;
/** So long (ms) an answer waits for git at most. */
export const longestWait = 1_500;

/** An object as a parameter: cluster/group/kind/namespace/name, each escaped; "-" for the core group and for no namespace. */
export function objectWords({ cluster, group, kind, namespace, name }: ObjectRef): string {
  return [cluster, group, kind, namespace, name]
    .map((part) => (part === '' ? '-' : encodeURIComponent(part)))
    .join('/');
}

/** The reference of such a parameter; null where it is none. */
export function refOfWords(words: string): ObjectRef | null {
  const [cluster, group, kind, namespace, name, ...rest] = words.split('/');
  if (!cluster || !group || !kind || !namespace || !name || rest.length > 0) return null;
  try {
    return refFromSegments({ cluster, group, kind, namespace, name });
  } catch {
    return null;
  }
}

const objects = z
  .string()
  .max(65_536)
  .refine((text) => wordsOf(text).length <= mostSuspected && wordsOf(text).every((one) => refOfWords(one) !== null), {
    error: `must be cluster/group/kind/namespace/name, escaped, with commas, at most ${mostSuspected}`,
  });

/** Query of GET /api/v1/suspects. */
export const SuspectsQuery = z.object({
  incident: z
    .string()
    .max(8_192)
    .refine((text) => wordsOf(text).length <= mostSuspected, { error: `must be ids, at most ${mostSuspected}` })
    .default('')
    .meta({ description: `Ids of incidents with commas, at most ${mostSuspected}.` }),
  object: objects.default('').meta({
    description:
      'Objects as cluster/group/kind/namespace/name with commas, "-" for the core group and for no namespace.',
  }),
  wait: z.coerce.number().int().min(0).max(longestWait).default(longestWait).meta({
    description: 'Milliseconds: what git has not told by then is not told.',
  }),
});
export type SuspectsQuery = z.infer<typeof SuspectsQuery>;

/** A commit that touches what is built from, with those of its files that do: at most 20, `fileCount` of them. */
export const WireSuspect = WireCommitName.extend({ files: z.array(z.string()), fileCount: z.number() });
export type WireSuspect = z.infer<typeof WireSuspect>;

/**
 * Conclusion on the range of commits in which something broke. culprit: one commit, and no other, touches what it builds from, and the range
 * is wholly known; suspects: these may be it; none: git did not change it, but for what the sentence says; not-told: nothing is concluded.
 */
export const WireSuspicion = z.object({
  type: z.enum(['culprit', 'suspects', 'none', 'not-told']),
  /** In words, without the names of the commits. */
  sentence: z.string(),
  /** Git has not answered yet: ask again. */
  late: z.boolean(),
  /** Number of commits in the range; null where that is not told. */
  commits: z.number().nullable(),
  /** The newest first, at most 20; `more`: there are others. */
  suspects: z.array(WireSuspect),
  more: z.boolean(),
  /** Who owns the path by the CODEOWNERS of the host; empty where nobody does, null where it is not told: ranges of more than 5 last commits were asked. */
  owners: z.array(z.string()).nullable(),
  /** Everything here is as of the last fetch of the mirror; null where nothing is told. */
  asOf: Time.nullable(),
});
export type WireSuspicion = z.infer<typeof WireSuspicion>;

/** Answer of GET /api/v1/suspects: a row for each that was asked, in order. `suspicion` is null where it did not break in a range of commits. */
export const WireSuspects = z.object({
  asOf: Time,
  rows: z.array(z.object({ of: z.string(), suspicion: WireSuspicion.nullable() })),
});
export type WireSuspects = z.infer<typeof WireSuspects>;

const whole = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, { error: 'must be a whole hash' });

/** Query of GET /api/v1/commits-between. */
export const CommitsBetweenQuery = z.object({
  object: objects
    .refine((text) => wordsOf(text).length === 1, { error: 'must be one object' })
    .meta({
      description: 'The object, as cluster/group/kind/namespace/name.',
    }),
  from: whole.meta({ description: 'The commit after which the range begins.' }),
  to: whole.meta({ description: 'The last commit of the range.' }),
});
export type CommitsBetweenQuery = z.infer<typeof CommitsBetweenQuery>;

/** Answer of GET /api/v1/commits-between: those that touch what the object builds from, and the others; the newest 20 of each. */
export const WireCommitsBetween = z.object({
  asOf: Time,
  touching: z.array(WireSuspect),
  touchingCount: z.number(),
  others: z.array(WireCommitName),
  othersCount: z.number(),
  /** Why some of the others may touch it too, in a few words: it builds from more than is known; null where none does. */
  beyond: z.string().nullable(),
  /** Why nothing is told, as a sentence; null where it is. */
  reason: z.string().nullable(),
});
export type WireCommitsBetween = z.infer<typeof WireCommitsBetween>;

export const suspectsApi = endpoint({
  path: '/api/v1/suspects',
  summary: 'Which commits of the range in which something broke touch what it builds from, and whose they are',
  query: SuspectsQuery,
  answer: WireSuspects,
  name: 'Suspects',
  at: true,
});

export const commitsBetweenApi = endpoint({
  path: '/api/v1/commits-between',
  summary: 'Commits between two, those first that touch what an object builds from',
  query: CommitsBetweenQuery,
  answer: WireCommitsBetween,
  name: 'CommitsBetween',
  at: true,
});
