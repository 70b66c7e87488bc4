import type { WireCommitName } from '#lib/api/commit.ts';
import { commitPath } from '#lib/api/paths.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
import type { GitCommit } from '#server/git/port/shapes.ts';
import type { LinksOf } from '../wire/wire-context.ts';
import { wireTime } from '../wire/wire-time.ts';

/** A commit of the repository at `url` as a screen names it. */
export function commitName(commit: GitCommit, url: string, linksOf: LinksOf): WireCommitName {
  const { sha, subject, author, committedAt, pullRequest, signed, tags } = commit;
  const links = linksOf(url);
  return {
    sha,
    subject,
    author,
    at: wireTime(committedAt),
    pullRequest: pullRequest === null ? null : { number: pullRequest, href: links?.pullRequest(pullRequest) ?? null },
    signed,
    tags,
    href: links?.commit(sha) ?? null,
    self: commitPath(sha),
    repository: repositoryKey(url),
  };
}
