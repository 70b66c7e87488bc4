import { z } from 'zod';
import { WireCommitName } from '../commit.ts';
import { endpoint } from '../endpoint.ts';
import { Time, VerdictName } from '../object.ts';

/** Files of a comparison that are listed: by default those that are not equal. */
export const comparedStates = ['different', 'left-only', 'right-only', 'equal'] as const;
export type ComparedState = (typeof comparedStates)[number];

const path = z.string().max(1_024).default('');

/** Query of GET /api/v1/compare. */
export const CompareQuery = z.object({
  repository: z.string().max(2_048).default('').meta({
    description: 'Key or address of a repository; the one that most objects are built from where absent.',
  }),
  left: path.meta({
    description: 'A directory, from the root of the repository; absent with `right`: only the pairs.',
  }),
  right: path.meta({ description: 'The directory that it is compared with; `left` where absent.' }),
  leftAt: path.meta({
    description: 'A commit, by 7 of its digits or more, or a branch; the default branch where absent.',
  }),
  rightAt: path.meta({ description: 'The same of the right side; that of the left where absent.' }),
  only: z
    .enum(['', ...comparedStates])
    .default('')
    .meta({
      description: `Only files that are so: ${comparedStates.join(', ')}; all but the equal ones where absent.`,
    }),
  file: path.meta({ description: 'A file, from both directories: its lines are told.' }),
});
export type CompareQuery = z.infer<typeof CompareQuery>;

/** An object that is built from a file at the commit of its side. */
export const WireBuiltObject = z.object({
  cluster: z.string(),
  name: z.string(),
  kind: z.string(),
  href: z.string(),
  verdict: VerdictName,
});
export type WireBuiltObject = z.infer<typeof WireBuiltObject>;

/** One file, `path` from both directories. */
export const WireComparedFile = z.object({
  path: z.string(),
  status: z.enum(comparedStates),
  content: z.enum(['text', 'binary', 'too-large', 'link', 'submodule']),
  /** Objects that are built from it on either side, at most 20, those away from git first; null where that is not told. */
  objects: z.array(WireBuiltObject).nullable(),
  /** Number of all of them. */
  objectCount: z.number(),
});
export type WireComparedFile = z.infer<typeof WireComparedFile>;

const WireSide = z.object({
  path: z.string(),
  commit: WireCommitName,
  /** False where the commit has no such directory. */
  exists: z.boolean(),
});

/** Two directories, file by file. */
export const WireComparison = z.object({
  left: WireSide,
  right: WireSide,
  /** Of all files; more than are listed where there are over 2,000 of them, or over 500 of those that are asked for. */
  counts: z.object({ equal: z.number(), different: z.number(), leftOnly: z.number(), rightOnly: z.number() }),
  files: z.array(WireComparedFile),
  /** Number of files that are asked for. */
  asked: z.number(),
});
export type WireComparison = z.infer<typeof WireComparison>;

/** Lines of one file on both sides with some around each difference; `cut`: there are more. */
export const WireFileDiff = z.object({
  file: z.string(),
  content: z.enum(['text', 'binary', 'too-large', 'link', 'submodule']),
  hunks: z.array(
    z.object({
      lines: z.array(
        z.object({
          type: z.enum(['same', 'left', 'right']),
          left: z.number().nullable(),
          right: z.number().nullable(),
          text: z.string(),
        }),
      ),
    }),
  ),
  cut: z.boolean(),
});
export type WireFileDiff = z.infer<typeof WireFileDiff>;

/** Answer of GET /api/v1/compare. */
export const WireComparePage = z.object({
  asOf: Time,
  /** Keys of the repositories that may be asked for. */
  repositories: z.array(z.string()),
  /** The one that is; null where there is none. */
  repository: z.string().nullable(),
  /** Directories that are the same thing in two environments: those that plumbline.yaml names, then those that are found. */
  pairs: z.array(
    z.object({
      left: z.string(),
      right: z.string(),
      configured: z.boolean(),
      /** Key of the repository that it is of: of the one that was asked for, else also of others; null where there is none. */
      repository: z.string().nullable(),
    }),
  ),
  /** There are more pairs than are told. */
  morePairs: z.boolean(),
  /** null where none is asked for, or it is not told. */
  comparison: WireComparison.nullable(),
  diff: WireFileDiff.nullable(),
  /** Why not all is told, as a sentence; null where all is. */
  reason: z.string().nullable(),
  /** When the mirror was last fetched: git is told as of then; null where it tells nothing. */
  mirroredAt: Time.nullable(),
});
export type WireComparePage = z.infer<typeof WireComparePage>;

export const compareApi = endpoint({
  path: '/api/v1/compare',
  summary:
    'Two directories of a repository, or one at two commits, file by file, with the objects that are built from each',
  query: CompareQuery,
  answer: WireComparePage,
  name: 'ComparePage',
  at: false,
});
