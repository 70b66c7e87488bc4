import type { WireRunningCommit, WireTouching } from '#lib/api/commit.ts';
import { countOf } from '#lib/format/number.ts';
import { lagUnknownText } from '#lib/format/git/lag-text.ts';
import { shortCommit } from '#lib/format/revision.ts';
import type { Cell } from '../grid/grid.ts';

/** px of a column in which a glyph and 7 digits have room. */
export const widthByCommit = 60;

/** One commit as the matrix colours it: its rank among those of its repository, the newest 0; null where its place is not known. */
export interface Shade {
  readonly rank: number | null;
  /** "newest of main", "3 commits behind main", "how far behind is not known: its source follows no branch" */
  readonly text: string;
  /** By cluster, where it is known which of the commits it is behind by touch what is built there. */
  readonly touching: ReadonlyMap<string, Pick<WireTouching, 'least' | 'most'>>;
  /** Commits of the branch after it; null where that is not known. */
  readonly behind: number | null;
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
    const touching = isShared ? noTouching : touchingBy(commit);
    shades.set(sha, { rank: behind === null ? null : rank, text, touching, behind });
  }
  return shades;
}

const noTouching: Shade['touching'] = new Map();

function touchingBy({ touching }: WireRunningCommit): Shade['touching'] {
  return new Map(
    touching.flatMap(({ least, most, clusters }) => clusters.map((cluster) => [cluster, { least, most }] as const)),
  );
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

/** The cluster whose paths tell which later commits count for a cell there; null where all of them do. */
export function countedOn({ source }: Pick<Cell, 'source'>, cluster: string | null): string | null {
  return source ? null : cluster;
}

/** Class of a cell at a commit: its shade, or that its place is not known. What no later commit touches is as good as the newest. */
export function shadeClass(shades: Shades, commit: string | null, cluster: string | null): string {
  const shade = commit === null ? undefined : shades.get(commit);
  if (shade === undefined || shade.rank === null) return 'm-shade-none';
  const touching = cluster === null ? undefined : shade.touching.get(cluster);
  const rank = touching?.most === 0 ? 0 : shade.rank;
  return shadeClasses[rank] ?? 'm-shade-5';
}

/** A commit in a cell, in words: "runs 2d81e55, 3 commits behind main, 2 of which touch a path built on this cluster". */
export function shadeText(shades: Shades, commit: string | null, cluster: string | null): string {
  if (commit === null) return 'which commit runs is not known';
  const shade = shades.get(commit);
  const distance = shade?.text ?? 'how far behind is not told';
  return `runs ${shortCommit(commit)}, ${distance}${shade === undefined ? '' : touchingText(shade, cluster)}`;
}

/** Which of the commits count, in words; '' where there is none. */
function touchingText({ touching, behind }: Shade, cluster: string | null): string {
  if (behind === null || behind === 0) return '';
  const known = cluster === null ? undefined : touching.get(cluster);
  if (known === undefined) return behind === 1 ? ', whatever it touches' : ', whatever they touch';
  const { least, most } = known;
  if (behind === 1) return `, which touches ${most === 0 ? 'no' : 'a'} path built on this cluster`;
  if (most === 0) return ', none of which touches a path built on this cluster';
  const number = least === most ? `${most}` : `up to ${most}`;
  return `, ${number} of which ${most === 1 ? 'touches' : 'touch'} a path built on this cluster`;
}
