/** The number at the end of a subject or behind a fixed beginning, by the convention of each host. */
const subjects: readonly RegExp[] = [
  // Bitbucket
  /\(pull request #(\d{1,9})\)$/i,
  // GitHub, Gitea, Forgejo: squashed and rebased
  /\(#(\d{1,9})\)$/,
  // GitHub, Bitbucket Data Center
  /^Merge pull request #(\d{1,9}) (?:from|in) /,
  // Bitbucket Data Center, squashed
  /^Pull request #(\d{1,9}): /,
  // Gitea, Forgejo
  /^Merge pull request '.{0,1000}' \(#(\d{1,9})\) from /,
  // Azure DevOps
  /^Merged PR (\d{1,9}):/,
];

/** GitLab writes it into the last lines of a merge commit. */
const gitlab = /^See merge request (?:[\w./~-]{1,300})?!(\d{1,9})$/m;

/**
 * Number of the pull request that brought a commit, as its host writes it into the subject ("Fix it (#12)", "Merge pull request #12
 * from ...", "Merged PR 12: ...") or the body ("See merge request group/project!12"); null where neither shows one.
 */
export function pullRequestOf(subject: string, body: string): number | null {
  for (const pattern of subjects) {
    const found = pattern.exec(subject)?.[1];
    if (found !== undefined) return Number(found);
  }
  const found = gitlab.exec(body)?.[1];
  return found === undefined ? null : Number(found);
}
