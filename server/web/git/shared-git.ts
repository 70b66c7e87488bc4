import type { GitReader } from '#server/git/port/git-reader.ts';
import { keptCommits } from '../commits/kept-commits.ts';
import { keptDistances } from './kept-distances.ts';
import { sharedStates } from './shared-states.ts';

/** The same answers, with what is known already given without a question. `now` in ms. */
export function sharedGit(git: GitReader, now: () => number): GitReader {
  return keptDistances(sharedStates(keptCommits(git, now), now), now);
}
