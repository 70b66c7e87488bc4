import { causeTitle } from '#lib/domain/cause/cause.ts';
import { fateOf, holdsUp, type Fate } from '#lib/domain/commit/fate.ts';
import { commitOf } from '#lib/domain/observation/revision.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { KnownMoment } from '../fleet/known-moment.ts';
import { builtFrom, type BuiltFrom, type Find } from './built-from.ts';
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
    fateAlone({ memory, untold: reason, beyond: built.beyond.get(object) ?? null }, sha, object, held);
  const own = new Map(concerned.map((object) => [refKey(object.ref), alone(object, null)]));
  const fates = concerned.map((object) => {
    const held = object.verdict === 'waiting' ? heldBy(object, own, find) : null;
    return { object, fate: (held === null ? own.get(refKey(object.ref)) : undefined) ?? alone(object, held) };
  });
  const isSettled = ({ object, fate }: ObjectFate): boolean =>
    fate.state !== 'unknown' &&
    [object.commit, triedOf(object)].every((commit) => commit === null || memory.contained.has(commit));
  return { concerned: fates, isWhole, isSettled };
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
  /** Why it builds from more than its path; null where it does not. */
  readonly beyond: string | null;
}

function fateAlone({ memory, untold, beyond }: KnownOf, sha: string, object: CurrentObject, held: string | null): Fate {
  const { path, commit, verdict, was, reason } = object;
  const tried = triedOf(object);
  const runs = commit === null ? null : (memory.contained.get(commit) ?? null);
  const later = path === null || commit === null ? undefined : memory.later.get(pairKey(path, commit));
  const touches = path === null ? false : (memory.touches.get(path) ?? null);
  const isNone = later === null && beyond === null;
  return fateOf({
    ...{ verdict, was, reason, held, runs },
    touches: touches === false && beyond !== null ? null : touches,
    tried: tried === null ? null : (memory.contained.get(tried) ?? null),
    later: later ?? null,
    laterKnown: commit === sha || isNone || typeof later === 'string',
    unknown: untold ?? (commit !== null && runs === null ? notHeld : beyond),
  });
}

/** Asks git for what is not known of a commit yet. */
async function ask(git: GitReader, url: string, sha: string, { byPath, beyond }: BuiltFrom): Promise<Asked> {
  const memory = memoryOf(git, url, sha);
  const { touches, contained } = memory;
  const ofPaths = await askEach([...byPath.keys()], touches, mostAsked.ranges, (paths) => git.touches(url, sha, paths));
  const concerned = [...byPath].flatMap(([path, built]) =>
    touches.get(path) === false ? built.filter((object) => beyond.has(object)) : built,
  );
  const ofCommits = await askEach(
    unique(concerned.flatMap((object) => [object.commit, triedOf(object)])),
    contained,
    mostAsked.commits,
    (commits) => git.contain(url, sha, commits),
  );
  const isTold = await askLater(git, url, sha, concerned, memory);
  keepMemory(git, url, sha, memory);
  const reason = ofPaths ?? ofCommits;
  return { memory, reason, isWhole: isTold && reason === null, concerned };
}

/** The commit that was tried last; null where it is not known. */
function triedOf({ revision, source }: CurrentObject): string | null {
  return commitOf(revision.attempted, source?.kind ?? null);
}

function unique(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}

function pairKey(path: string, commit: string): string {
  return `${commit} ${path}`;
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

/** Asks for the newest commit after `sha` that touches what an object is built from, by path and by what runs; where it is not told, none is kept. False then. */
async function askLater(
  git: GitReader,
  url: string,
  sha: string,
  objects: readonly CurrentObject[],
  { contained, later }: CommitMemory,
): Promise<boolean> {
  const pairs = new Map<string, { readonly path: string; readonly commit: string }>();
  for (const { path, commit } of objects) {
    if (path === null || commit === null || commit === sha || contained.get(commit) !== true) continue;
    const key = pairKey(path, commit);
    if (!later.has(key)) pairs.set(key, { path, commit });
  }
  const all = [...pairs.values()];
  for (let from = 0; from < all.length; from += mostAsked.ranges) {
    const ranges = all.slice(from, from + mostAsked.ranges);
    const told = await git.between(
      url,
      ranges.map(({ path, commit }) => ({ path, from: sha, to: { type: 'commit', sha: commit } })),
    );
    if (told.type === 'not-told') return false;
    told.answer.forEach((between, index) => {
      const range = ranges[index];
      if (range === undefined || between.type === 'unknown') return;
      // A large answer leaves touches out, and still counts them.
      const [newest] = between.touching;
      if (newest !== undefined) later.set(pairKey(range.path, range.commit), newest.commit.sha);
      else if (between.touchingCount === 0) later.set(pairKey(range.path, range.commit), null);
    });
  }
  return true;
}

/** Any object of the fleet as it is known at `now` (ms). */
export function objectsAt(moment: KnownMoment, now: number): Find {
  return (ref) => moment.find(ref, now);
}
