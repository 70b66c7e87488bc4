import { causeTitle } from '#lib/domain/cause/cause.ts';
import { type FailingFacts, fateOf, holdsUp, type Fate } from '#lib/domain/commit/fate.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import type { Find } from './build-of.ts';
import { builtFrom, type BuiltFrom, type BuiltObjects } from './built-from.ts';
import { branchOf } from './fleet-repositories.ts';
import { type CommitMemory, keepMemory, memoryOf } from './commit-memory.ts';

/** An object with its state for one commit. */
export interface ObjectFate {
  readonly object: CurrentObject;
  readonly fate: Fate;
}

/** It may be newer than the last fetch, or of a history that was rewritten. */
const notHeld = 'the mirror does not hold the commit that it runs';

/** Answers of git about one commit, why it does not know the rest (null where it knows all), and the objects that the commit may concern. */
interface Asked {
  readonly memory: CommitMemory;
  readonly reason: string | null;
  /** False where it did not answer a question. */
  readonly isWhole: boolean;
  readonly concerned: readonly CurrentObject[];
}

/**
 * The states of objects that are built from the repository at `url` for one of its commits. What git does not tell is unknown. `find`: any object
 * of the fleet, for those that wait for one.
 */
export async function fatesOf(
  git: GitReader,
  url: string,
  sha: string,
  objects: readonly CurrentObject[],
  find: Find,
): Promise<readonly ObjectFate[]> {
  const { concerned } = await concernedFates(git, url, sha, objects, find);
  const without = await branchesWithout(git, url, sha, concerned);
  const fates = new Map(concerned.map(({ object, fate }) => [object, withBranch(fate, object, without)]));
  return objects.map((object) => ({ object, fate: fates.get(object) ?? notConcerned }));
}

/** Objects that a commit concerns, or may concern. */
export interface Concerned {
  readonly concerned: readonly ObjectFate[];
  /** False where git did not answer a question. */
  readonly isWhole: boolean;
  /** True if git knows all that the state of one of them follows from: no fetch changes it. */
  readonly isSettled: (one: ObjectFate) => boolean;
  /** Paths and objects that were looked at. */
  readonly lookedAt: number;
}

/** The same, of those objects alone that the commit concerns, or may concern. */
export async function concernedFates(
  git: GitReader,
  url: string,
  sha: string,
  objects: readonly CurrentObject[],
  find: Find,
): Promise<Concerned> {
  const built = builtFrom(objects, find);
  const { memory, reason, isWhole, concerned } = await ask(git, url, sha, built);
  const alone = (object: CurrentObject, held: string | null): Fate =>
    fateAlone(
      { memory, untold: reason, key: built.of.get(object)?.key ?? null, beyond: built.beyond.get(object) ?? null },
      sha,
      object,
      held,
    );
  const fates = concerned.map((object) => ({ object, fate: alone(object, null) }));
  const isSettled = (one: ObjectFate): boolean =>
    one.fate.state !== 'unknown' && isKnown(built, memory, sha, one.object);
  const told = { isWhole, isSettled, lookedAt: built.builds.size + concerned.length };
  // Of tens of thousands few wait, and only those ask what has become of another.
  if (concerned.every(({ verdict }) => verdict !== 'waiting')) return { ...told, concerned: fates };
  const own = new Map(fates.map(({ object, fate }) => [refKey(object.ref), fate]));
  const held = fates.map(({ object, fate }) => {
    const why = object.verdict === 'waiting' ? heldBy(object, own, find) : null;
    return { object, fate: why === null ? fate : alone(object, why) };
  });
  return { ...told, concerned: held };
}

/** True if git has told of every commit by which the state of an object is known, and of what came after. */
function isKnown({ of }: BuiltFrom, { contained, later }: CommitMemory, sha: string, object: CurrentObject): boolean {
  const key = of.get(object)?.key;
  const isTold = (commit: string | null): boolean =>
    commit === null ||
    commit === sha ||
    contained.get(commit) === false ||
    (key !== undefined && later.has(pairKey(key, commit)));
  return (
    commitsOf(object).every((commit) => commit === null || contained.has(commit)) &&
    [object.commit, endsOf(object).bad].every(isTold)
  );
}

/** Branches that are asked about: those that objects follow which the commit is on its way to. */
const mostBranches = 50;

/** The branches that do not hold a commit, of those that objects follow to which it is on its way. */
async function branchesWithout(
  git: GitReader,
  url: string,
  sha: string,
  concerned: readonly ObjectFate[],
): Promise<ReadonlySet<string>> {
  const waiting = concerned.filter(({ fate }) => fate.state === 'on-its-way');
  const branches = unique(waiting.map(({ object }) => branchOf(object))).slice(0, mostBranches);
  if (branches.length === 0) return new Set();
  const told = await git.onBranch(
    url,
    branches.map((branch) => ({ sha, branch })),
  );
  return new Set(told.type === 'told' ? branches.filter((_, index) => told.answer[index] === false) : []);
}

/** A commit that nobody has brought to the branch yet comes only once somebody does. */
function withBranch(fate: Fate, object: CurrentObject, without: ReadonlySet<string>): Fate {
  const branch = branchOf(object);
  if (fate.state !== 'on-its-way' || branch === null || !without.has(branch)) return fate;
  return { ...fate, why: `the commit is not on ${branch}, which it follows` };
}

const notConcerned: Fate = { state: 'not-concerned', why: '', by: null };

/** For what an object waits in vain, and why; null where that may come. */
function heldBy({ rootCause }: CurrentObject, own: ReadonlyMap<string, Fate>, find: Find): string | null {
  if (rootCause === null) return null;
  const title = `waits for ${causeTitle(rootCause)}`;
  if (rootCause.type !== 'object') return title;
  const fate = own.get(refKey(rootCause.ref));
  // What fails may be mended by this very commit.
  if (fate?.state === 'on-its-way') return null;
  const cause = find(rootCause.ref);
  if (cause === null || !holdsUp(cause)) return null;
  return `${title}: ${cause.reason === '' ? cause.verdict : cause.reason}`;
}

interface KnownOf {
  readonly memory: CommitMemory;
  readonly untold: string | null;
  /** Of what it builds from; null where that is nothing. */
  readonly key: string | null;
  /** Why it builds from more than its path; null where it does not. */
  readonly beyond: string | null;
}

function fateAlone(known: KnownOf, sha: string, object: CurrentObject, held: string | null): Fate {
  const { memory, untold, key, beyond } = known;
  const { commit, verdict, was, reason } = object;
  const tried = triedOf(object);
  const runs = commit === null ? null : (memory.contained.get(commit) ?? null);
  const touches = key === null ? false : (memory.touches.get(key) ?? null);
  return fateOf({
    ...{ verdict, was, reason, held, runs },
    ...laterThan(known, sha, commit),
    touches: touches === false && beyond !== null ? null : touches,
    tried: tried === null ? null : (memory.contained.get(tried) ?? null),
    failing: failingOf(known, sha, object),
    unknown: untold ?? (commit !== null && runs === null ? notHeld : beyond),
  });
}

/** The newest commit after `sha` up to another one that touches what it builds from, as far as git has told it. */
function laterThan(
  { memory, key, beyond }: KnownOf,
  sha: string,
  commit: string | null,
): Pick<FailingFacts, 'later' | 'laterKnown'> {
  const told = key === null || commit === null ? undefined : memory.later.get(pairKey(key, commit));
  const isNone = told === null && beyond === null;
  return { later: told ?? null, laterKnown: commit === sha || isNone || typeof told === 'string' };
}

/** The range in which an object began to fail, for one commit; null where it does not fail by an attempt of its own. */
function failingOf(known: KnownOf, sha: string, object: CurrentObject): FailingFacts | null {
  const { range } = object;
  const { contained } = known.memory;
  if (range === null) return null;
  const { good, bad } = endsOf(object);
  const never = range.lastGood === null && range.watched ? false : null;
  const worked = good === null ? never : (contained.get(good) ?? null);
  // It went back to an older commit: none that came later did it.
  if (bad !== null && contained.get(bad) === false) return { worked, later: null, laterKnown: true };
  return { worked, ...laterThan(known, sha, bad) };
}

/** The commits at which an object last worked and first failed; null where they are not known. */
function endsOf({ range, source }: CurrentObject): { readonly good: string | null; readonly bad: string | null } {
  const commit = (revision: string | null | undefined) => commitOf(revision ?? null, source?.kind ?? null);
  return { good: commit(range?.lastGood), bad: commit(range?.firstBad) };
}

/** Asks git for what is not known of a commit yet. */
async function ask(git: GitReader, url: string, sha: string, built: BuiltFrom): Promise<Asked> {
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

const triedBy = new WeakMap<CurrentObject, { readonly commit: string | null }>();

/** The commit that was tried last; null where it is not known. Read once an object: a list asks it for a hundred commits. */
function triedOf(object: CurrentObject): string | null {
  const known = triedBy.get(object);
  if (known !== undefined) return known.commit;
  const commit = commitOf(object.revision.attempted, object.source?.kind ?? null);
  triedBy.set(object, { commit });
  return commit;
}

/** Every commit by which the state of an object is known. */
function commitsOf(object: CurrentObject): readonly (string | null)[] {
  const { good, bad } = endsOf(object);
  return [object.commit, triedOf(object), good, bad];
}

function unique(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}

function pairKey(key: string, commit: string): string {
  return `${commit} ${key}`;
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
      const key = pairKey(built.key, commit);
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
      if (newest !== undefined) later.set(pairKey(range.key, range.commit), newest.commit.sha);
      else if (between.touchingCount === 0) later.set(pairKey(range.key, range.commit), null);
    });
  }
  return true;
}

/** Any object of the fleet as it is known at `now` (ms). */
export function objectsAt(moment: KnownMoment, now: number): Find {
  return (ref) => moment.find(ref, now);
}
