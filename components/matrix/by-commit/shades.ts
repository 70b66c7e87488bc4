import type { WireRunningCommit } from '#lib/api/commit.ts';
import { countOf } from '#lib/format/number.ts';
import { lagUnknownText } from '#lib/format/git/lag-text.ts';
import { shortCommit } from '#lib/format/revision.ts';

/** px of a column in which a glyph and 7 digits have room. */
export const widthByCommit = 60;

/** One commit as the matrix colours it: its rank among those of its repository, the newest 0; null where its place is not known. */
export interface Shade {
  readonly rank: number | null;
  /** "newest of main", "3 commits behind main", "how far behind is not known: its source follows no branch" */
  readonly text: string;
}

/** Shades of commits by their whole hash. */
export type Shades = ReadonlyMap<string, Shade>;

/** Classes of the shades that can be told apart; older commits share the last. */
const shadeClasses = ['m-shade-0', 'm-shade-1', 'm-shade-2', 'm-shade-3', 'm-shade-4', 'm-shade-5'] as const;

/** Shades of the commits that run. Only commits whose distance is known have a rank. */
export function shadesOf(commits: readonly WireRunningCommit[]): Shades {
  const shades = new Map<string, Shade>();
  const ranks = new Map<string, number>();
  const holders = Map.groupBy(commits, ({ sha }) => sha);
  for (const commit of commits) {
    const { sha, repository, behind } = commit;
    const rank = ranks.get(repository) ?? 0;
    if (behind !== null) ranks.set(repository, rank + 1);
    const known = shades.get(sha);
    if (known !== undefined && (behind === null || known.rank !== null)) continue;
    // Forks share commits: then the place of one is told with whose branch it is counted on.
    const isShared = (holders.get(sha)?.length ?? 0) > 1;
    const text =
      isShared && behind !== null ? `${distanceText(commit)} of ${lastSegment(repository)}` : distanceText(commit);
    shades.set(sha, { rank: behind === null ? null : rank, text });
  }
  return shades;
}

/** Name of a repository by its key: the last part of its path. */
function lastSegment(key: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return name.endsWith('.git') ? name.slice(0, -4) : name;
}

function distanceText({ behind, branch, why }: WireRunningCommit): string {
  if (behind === null) return `how far behind is not known: ${lagUnknownText(why ?? 'not-told', branch)}`;
  return behind === 0 ? `newest of ${branch ?? 'its branch'}` : `${countOf(behind, 'commit')} behind ${branch ?? ''}`;
}

/** Class of a cell at a commit: its shade, or that its place is not known. */
export function shadeClass(shades: Shades, commit: string | null): string {
  const rank = commit === null ? null : (shades.get(commit)?.rank ?? null);
  return rank === null ? 'm-shade-none' : (shadeClasses[rank] ?? 'm-shade-5');
}

/** A commit in a cell, in words: "runs 2d81e55, 3 commits behind main". */
export function shadeText(shades: Shades, commit: string | null): string {
  if (commit === null) return 'which commit runs is not known';
  return `runs ${shortCommit(commit)}, ${shades.get(commit)?.text ?? 'how far behind is not told'}`;
}
