import { z } from 'zod';
import {
  Between,
  BuildClosure,
  CommitFiles,
  CommitLog,
  Comparison,
  Distance,
  FileDiff,
  FoundCommit,
  GitCommit,
  RepositoryState,
} from './shapes.ts';

function told<Answer extends z.ZodType>(answer: Answer) {
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('told'), asOf: z.number(), answer }),
    z.object({ type: z.literal('not-told'), reason: z.string() }),
  ]);
}

const yesNoOrUnknown = z.array(z.boolean().nullable());

/** The answer of each method of `GitReader` as it crosses from the git process. */
export const gitAnswers = {
  repositories: told(z.array(RepositoryState)),
  commits: told(z.array(GitCommit.nullable())),
  find: told(z.array(FoundCommit)),
  log: told(CommitLog),
  between: told(z.array(Between)),
  distances: told(z.array(Distance)),
  touches: told(yesNoOrUnknown),
  contain: told(yesNoOrUnknown),
  onBranch: told(yesNoOrUnknown),
  files: told(CommitFiles),
  closure: told(BuildClosure),
  builtFrom: told(z.array(z.array(z.number()))),
  compare: told(Comparison),
  diff: told(FileDiff),
  owners: told(z.array(z.array(z.string()))),
} as const;
