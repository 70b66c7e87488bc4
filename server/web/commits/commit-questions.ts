import { commitOf } from '#lib/domain/observation/revision.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { BuiltFrom, BuiltObjects } from './built-from.ts';
import { type CommitMemory, keepMemory, memoryOf } from './commit-memory.ts';

/** Answers of git about one commit, why it does not know the rest (null where it knows all), and the objects that the commit may concern. */
export interface AskedCommit {
  readonly memory: CommitMemory;
  readonly reason: string | null;
  /** False where it did not answer a question. */
  readonly isWhole: boolean;
  readonly concerned: readonly CurrentObject[];
}

/** Asks git for what is not known yet of a commit of the repository at `url`, for objects by what they are built from. */
export async function askCommit(git: GitReader, url: string, sha: string, built: BuiltFrom): Promise<AskedCommit> {
  const { builds, beyond } = built;
  const memory = memoryOf(git, url, sha);
  const { touches, contained } = memory;
  const ofPaths = await askEach([...builds.keys()], touches, mostAsked.ranges, (keys) =>
    git.touches(
      url,
      sha,
      keys.flatMap((key) => builds.get(key)?.build ?? []),
    ),
  );
  const concerned = [...builds.values()].flatMap(({ key, objects }) =>
    touches.get(key) === false ? objects.filter((object) => beyond.has(object)) : objects,
  );
  const ofCommits = await askEach(
    unique(concerned.flatMap((object) => commitsOf(object))),
    contained,
    mostAsked.commits,
    (commits) => git.contain(url, sha, commits),
  );
  const isTold = await askLater(git, url, sha, { concerned, of: built.of, memory });
  keepMemory(git, url, sha, memory);
  const reason = ofPaths ?? ofCommits;
  return { memory, reason, isWhole: isTold && reason === null, concerned };
}

/** Asks for what is not among the answers yet, in pieces of at most `most`; gives why something is not told, null where all is. */
async function askEach(
  texts: readonly string[],
  answers: Map<string, boolean>,
  most: number,
  ask: (
    texts: readonly string[],
  ) => Promise<{ type: 'told'; answer: readonly (boolean | null)[] } | { type: 'not-told'; reason: string }>,
): Promise<string | null> {
  const open = texts.filter((text) => !answers.has(text));
  let reason: string | null = null;
  for (let from = 0; from < open.length; from += most) {
    const asked = open.slice(from, from + most);
    const told = await ask(asked);
    if (told.type === 'not-told') reason = told.reason;
    else
      told.answer.forEach((answer, index) => {
        const text = asked[index];
        if (answer !== null && text !== undefined) answers.set(text, answer);
      });
  }
  return reason;
}

interface AskedLater {
  readonly concerned: readonly CurrentObject[];
  readonly of: BuiltFrom['of'];
  readonly memory: CommitMemory;
}

/**
 * Asks for the newest commit after `sha` that touches what an object is built from, by that and by what runs or first failed; where it is not
 * told, none is kept. False then.
 */
async function askLater(
  git: GitReader,
  url: string,
  sha: string,
  { concerned, of, memory: { contained, later } }: AskedLater,
): Promise<boolean> {
  const pairs = new Map<string, Pick<BuiltObjects, 'key' | 'build'> & { readonly commit: string }>();
  for (const object of concerned) {
    const built = of.get(object);
    for (const commit of [object.commit, endsOf(object).bad]) {
      if (built === undefined || commit === null || commit === sha || contained.get(commit) !== true) continue;
      const key = laterKey(built.key, commit);
      if (!later.has(key)) pairs.set(key, { key: built.key, build: built.build, commit });
    }
  }
  const all = [...pairs.values()];
  for (let from = 0; from < all.length; from += mostAsked.ranges) {
    const ranges = all.slice(from, from + mostAsked.ranges);
    const told = await git.between(
      url,
      ranges.map(({ build, commit }) => ({ path: build, from: sha, to: { type: 'commit', sha: commit } })),
    );
    if (told.type === 'not-told') return false;
    told.answer.forEach((between, index) => {
      const range = ranges[index];
      if (range === undefined || between.type === 'unknown') return;
      // A large answer leaves touches out, and still counts them.
      const [newest] = between.touching;
      if (newest !== undefined) later.set(laterKey(range.key, range.commit), newest.commit.sha);
      else if (between.touchingCount === 0) later.set(laterKey(range.key, range.commit), null);
    });
  }
  return true;
}

/** Branches that are asked about for one commit. */
const mostBranches = 50;

/** Those of some branches that do not hold a commit; of so many git is asked. */
export async function askBranches(
  git: GitReader,
  url: string,
  sha: string,
  followed: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const branches = unique(followed).slice(0, mostBranches);
  if (branches.length === 0) return new Set();
  const told = await git.onBranch(
    url,
    branches.map((branch) => ({ sha, branch })),
  );
  return new Set(told.type === 'told' ? branches.filter((_, index) => told.answer[index] === false) : []);
}

/** The commits at which an object last worked and first failed; null where they are not known. */
export function endsOf({ range, source }: CurrentObject): {
  readonly good: string | null;
  readonly bad: string | null;
} {
  const commit = (revision: string | null | undefined) => commitOf(revision ?? null, source?.kind ?? null);
  return { good: commit(range?.lastGood), bad: commit(range?.firstBad) };
}

const triedBy = new WeakMap<CurrentObject, { readonly commit: string | null }>();

/** The commit that was tried last; null where it is not known. Read once an object: a list asks it for a hundred commits. */
export function triedOf(object: CurrentObject): string | null {
  const known = triedBy.get(object);
  if (known !== undefined) return known.commit;
  const commit = commitOf(object.revision.attempted, object.source?.kind ?? null);
  triedBy.set(object, { commit });
  return commit;
}

/** Every commit by which the state of an object is known. */
export function commitsOf(object: CurrentObject): readonly (string | null)[] {
  const { good, bad } = endsOf(object);
  return [object.commit, triedOf(object), good, bad];
}

function unique(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}

/** The key under which the newest later commit is kept, of what is built from (`buildKey`) and another commit. */
export function laterKey(key: string, commit: string): string {
  return `${commit} ${key}`;
}
