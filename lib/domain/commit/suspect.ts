import { commitOf } from '../observation/revision.ts';
import type { CommitRange } from '../record/commit-range.ts';
import { sameRevisionFailed } from '../record/commit-range-text.ts';

/**
 * Reasons why nothing is concluded of a range.
 * - never-worked, good-unknown, bad-unknown, no-commits: the range itself has no two commits
 * - no-path, several-repositories: what was built, and from where, is not known as one thing
 * - another-cause: the range was found while another cause was thought to be at fault
 * - not-mirrored: the reader tells nothing, with a reason of its own
 * - no-such-commit, no-such-branch, rewritten, too-many, unreadable: as the reader says of the range
 * - late: git did not answer in time
 */
export const untold = [
  'never-worked',
  'good-unknown',
  'bad-unknown',
  'no-commits',
  'no-path',
  'several-repositories',
  'another-cause',
  'not-mirrored',
  'no-such-commit',
  'no-such-branch',
  'rewritten',
  'too-many',
  'unreadable',
  'late',
] as const;
export type Untold = (typeof untold)[number];

/**
 * Doubts that keep a commit from being named, or git from being cleared.
 * - at-least: not every attempt between the two ends was seen
 * - elsewhere: it builds from what the repository does not hold, or whether it does is not known
 * - edited: its spec was edited about when it broke, or since, so that its path may have been another
 * - returned: it was over and came back, and the range is of the first time
 * - some-unknown: what some of the objects were built from is not known
 * - not-all: the commit does not touch what every one of the objects builds from
 */
export type Doubt = 'at-least' | 'elsewhere' | 'edited' | 'returned' | 'some-unknown' | 'not-all';

/** The two commits of a range, or why there are none; same: it failed where it had worked. */
export type RangeEnds =
  | { readonly type: 'ends'; readonly from: string; readonly to: string }
  | { readonly type: 'same' }
  | { readonly type: 'not-told'; readonly why: Untold };

/** The ends of a range as commits, by the kind of the source (null: any). */
export function rangeEnds(range: CommitRange, sourceKind: string | null): RangeEnds {
  const { lastGood, firstBad, watched } = range;
  if (firstBad === null) return { type: 'not-told', why: 'bad-unknown' };
  if (lastGood === null) return { type: 'not-told', why: watched ? 'never-worked' : 'good-unknown' };
  const [from, to] = [commitOf(lastGood, sourceKind), commitOf(firstBad, sourceKind)];
  if (from === null || to === null) return { type: 'not-told', why: 'no-commits' };
  return sameRevisionFailed(range) || from === to ? { type: 'same' } : { type: 'ends', from, to };
}

/** Commits of a range that touch what one path builds from, as the repository tells it. */
export type PathTold<Commit extends { readonly sha: string }> =
  | {
      readonly type: 'told';
      /** Number of commits in the range. */
      readonly commits: number;
      /** The newest first; `count` of them in all. */
      readonly touching: readonly Commit[];
      readonly count: number;
      /** Names at the older end that the repository does not hold; null where that is not known. */
      readonly elsewhere: readonly string[] | null;
    }
  | { readonly type: 'not-told'; readonly why: Untold };

/** Facts beside what git tells. */
export interface SuspectFacts {
  readonly watched: boolean;
  readonly edited: boolean;
  readonly returned: boolean;
  /** Number of objects of the same range of which it is not known what they were built from, or not all of it. */
  readonly unknownPaths: number;
}

/** Conclusion on a range. `shas` the newest first; `more`: there are others that are not listed. */
export type Suspicion =
  | { readonly type: 'culprit'; readonly sha: string; readonly commits: number }
  | {
      readonly type: 'suspects';
      readonly shas: readonly string[];
      readonly more: boolean;
      readonly commits: number;
      readonly doubts: readonly Doubt[];
    }
  | { readonly type: 'none'; readonly commits: number; readonly doubts: readonly Doubt[] }
  | { readonly type: 'not-told'; readonly why: Untold };

/**
 * Concludes from one range over the paths of the objects that broke in it: docs/design/suspects.md. One commit is the culprit only where
 * it alone touches any of the paths, touches all of them, and nothing is in doubt.
 */
export function suspicionOf<Commit extends { readonly sha: string }>(
  { watched, edited, returned, unknownPaths }: SuspectFacts,
  paths: readonly PathTold<Commit>[],
): Suspicion {
  const told = paths.filter((path) => path.type === 'told');
  const untoldPath = paths.find((path) => path.type === 'not-told');
  if (untoldPath !== undefined) return { type: 'not-told', why: untoldPath.why };
  if (told.length === 0) return { type: 'not-told', why: 'no-path' };
  const shas = [...new Set(told.flatMap(({ touching }) => touching.map(({ sha }) => sha)))];
  const more = told.some(({ touching, count }) => count > touching.length);
  const commits = Math.max(...told.map((path) => path.commits));
  const doubts: Doubt[] = [];
  if (told.some(({ elsewhere }) => elsewhere === null || elsewhere.length > 0)) doubts.push('elsewhere');
  if (edited) doubts.push('edited');
  if (returned) doubts.push('returned');
  if (unknownPaths > 0) doubts.push('some-unknown');
  // Whatever was not seen lies between the two ends: where nothing touches, nothing did then either.
  if (shas.length === 0 && !more) return { type: 'none', commits, doubts };
  if (!watched) doubts.unshift('at-least');
  const [only] = shas;
  if (only === undefined || shas.length > 1 || more) return { type: 'suspects', shas, more, commits, doubts };
  if (!told.every(({ touching }) => touching.some(({ sha }) => sha === only))) doubts.push('not-all');
  if (doubts.length > 0) return { type: 'suspects', shas, more, commits, doubts };
  return { type: 'culprit', sha: only, commits };
}
