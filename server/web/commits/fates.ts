import { causeTitle } from '#lib/domain/cause/cause.ts';
import { type Beyond, beyondText } from '#lib/domain/commit/beyond.ts';
import { type FailingFacts, fateOf, holdsUp, type Fate } from '#lib/domain/commit/fate.ts';
import { refKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { Find } from './build-of.ts';
import { builtFrom, type BuiltFrom } from './built-from.ts';
import { askBranches, askCommit, commitsOf, endsOf, laterKey, triedOf } from './commit-questions.ts';
import { branchOf } from './fleet-repositories.ts';
import type { CommitMemory } from './commit-memory.ts';

/** An object with its state for one commit. */
export interface ObjectFate {
  readonly object: CurrentObject;
  readonly fate: Fate;
}

/** It may be newer than the last fetch, or of a history that was rewritten. */
const notHeld = 'the mirror does not hold the commit that it runs';

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
  const waiting = concerned.filter(({ fate }) => fate.state === 'on-its-way');
  const without = await askBranches(
    git,
    url,
    sha,
    waiting.map(({ object }) => branchOf(object)),
  );
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
  const { memory, reason, isWhole, concerned } = await askCommit(git, url, sha, built);
  const alone = (object: CurrentObject, held: string | null): Fate =>
    fateAlone(
      { memory, untold: reason, key: built.of.get(object)?.key ?? null, beyond: built.beyond.get(object) ?? null },
      sha,
      object,
      held,
    );
  const fates = concerned.map((object) => ({ object, fate: alone(object, null) }));
  // Not known it may be for the object's own sake, too: nobody looks at it any more.
  const isSettled = ({ fate, object }: ObjectFate): boolean =>
    (fate.state !== 'unknown' || memory.touches.get(built.of.get(object)?.key ?? '') === true) &&
    isKnown(built, memory, sha, object);
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
    (key !== undefined && later.has(laterKey(key, commit)));
  return (
    commitsOf(object).every((commit) => commit === null || contained.has(commit)) &&
    [object.commit, endsOf(object).bad].every(isTold)
  );
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
  readonly beyond: Beyond | null;
}

function fateAlone(known: KnownOf, sha: string, object: CurrentObject, held: string | null): Fate {
  const { memory, untold, key, beyond } = known;
  const { commit, verdict, was, reason, driftedLater = false } = object;
  const tried = triedOf(object);
  const runs = commit === null ? null : (memory.contained.get(commit) ?? null);
  const touches = key === null ? false : (memory.touches.get(key) ?? null);
  const unheld = commit !== null && runs === null ? notHeld : null;
  return fateOf({
    ...{ verdict, was, reason, held, runs, driftedLater },
    ...laterThan(known, sha, commit),
    touches: touches === false && beyond !== null ? null : touches,
    tried: tried === null ? null : (memory.contained.get(tried) ?? null),
    failing: failingOf(known, sha, object),
    unknown: untold ?? unheld ?? (beyond === null ? null : beyondText(beyond)),
  });
}

/** The newest commit after `sha` up to another one that touches what it builds from, as far as git has told it. */
function laterThan(
  { memory, key, beyond }: KnownOf,
  sha: string,
  commit: string | null,
): Pick<FailingFacts, 'later' | 'laterKnown'> {
  const told = key === null || commit === null ? undefined : memory.later.get(laterKey(key, commit));
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
