import type { GitHost } from '#lib/git-host/host.ts';
import type { GitPoint } from './../port/shapes.ts';
import type { ClosureBook } from './closure/closure-book.ts';
import type { CommitBook } from './commit-book.ts';
import type { Ancestry } from './index/ancestry.ts';
import type { CommitIndex, NotIndexed, Place } from './index/commit-index.ts';
import type { RuleBook } from './ignore/rule-book.ts';
import type { ObjectReader } from './objects.ts';

/** A repository as its last refresh left it. A question keeps the one that it began with. */
export interface Opened {
  readonly objects: ObjectReader;
  readonly commits: CommitBook;
  readonly index: CommitIndex;
  /** Size of the index when it was new: more was added by questions and pushes. */
  readonly sizeAtFirst: number;
  readonly ancestry: Ancestry;
  readonly closures: ClosureBook;
  readonly rules: RuleBook;
  readonly host: GitHost | null;
  readonly defaultBranch: string | null;
  readonly branches: ReadonlyMap<string, string>;
}

/** The hash of a point; null where there is no such branch. */
export function shaOf({ branches }: Opened, point: GitPoint): string | null {
  return point.type === 'commit' ? point.sha : (branches.get(point.name) ?? null);
}

/** The place of a point, or why there is none. */
export async function placeOf(opened: Opened, point: GitPoint): Promise<Place | NotIndexed | 'no-such-branch'> {
  const sha = shaOf(opened, point);
  return sha === null ? 'no-such-branch' : opened.index.add(sha);
}

/** Why a point is not known, as a sentence. */
export function unknownPoint(why: NotIndexed | 'no-such-branch'): string {
  switch (why) {
    case 'no-such-branch':
      return 'The repository has no such branch.';
    case 'no-such-commit':
      return 'The repository does not hold this commit.';
    case 'too-many':
      return 'There is too much of it to be read.';
    case 'unreadable':
      return 'The repository cannot be read.';
  }
}
