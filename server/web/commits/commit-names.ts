import type { CommitNamesQuery, WireCommitName, WireCommitNames } from '#lib/api/commit.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { wireTime } from '../wire/wire-time.ts';
import { commitName } from './commit-name.ts';
import { inTime } from '../git/in-time.ts';
import { repositoriesOf } from './fleet-repositories.ts';

/** Repositories that are asked for a commit, those first that most objects are built from. */
const mostRepositories = 20;

/** A git process that hangs is waited for so long (ms), over all repositories. */
const longestWait = 10_000;

/** Names of commits by their whole hashes, from whichever repository of the fleet holds each. */
export async function commitNames(moment: KnownMoment, { sha }: CommitNamesQuery): Promise<WireCommitNames> {
  const now = moment.now();
  const { links } = moment.context(now);
  const found = new Map<string, WireCommitName>();
  let left = [...new Set(sha.split(','))];
  let isOver = false;
  async function askEach(): Promise<void> {
    for (const { url } of repositoriesOf(moment.fleet.all(now)).slice(0, mostRepositories)) {
      if (isOver || left.length === 0) return;
      const told = await moment.git.commits(url, left);
      if (told.type !== 'told') continue;
      for (const commit of told.answer) if (commit !== null) found.set(commit.sha, commitName(commit, url, links));
      left = left.filter((one) => !found.has(one));
    }
  }
  await inTime(moment, longestWait, askEach());
  isOver = true;
  return { asOf: wireTime(now), commits: [...found.values()], unknown: left };
}
