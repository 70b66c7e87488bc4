import { LRUCache } from 'lru-cache';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { type GitReader, mostAsked } from '#server/git/port/git-reader.ts';
import type { KnownCluster } from '../cache/known-cluster.ts';
import type { Find } from '../commits/build-of.ts';
import { triedOf } from '../commits/commit-questions.ts';
import { type FleetRepository, repositoriesOf } from '../commits/fleet-repositories.ts';
import { type BuiltDirectories, builtDirectories } from './built-directories.ts';

/** Sources of the proof. `fleet`: what is seen; `find`: any object of the whole fleet; `now` in ms. */
export interface ProofDeps {
  readonly git: Pick<GitReader, 'repositories' | 'commits'>;
  readonly fleet: {
    all(now: number): readonly Pick<KnownCluster, 'objects'>[];
    stamp(now: number): number;
  };
  readonly find: Find;
  readonly now: () => number;
}

/** Commits of one repository that are looked for: what is seen may name as many as it has objects. */
const mostCommits = 5_000;

/** Directories from which something that is seen is proven to be built, by the key of their repository. */
export type ProvenRepositories = ReadonlyMap<string, BuiltDirectories>;

/**
 * Tells the repositories from which something that is seen is built, and not only said to be: who may write an object can name any repository in
 * it, also one that is mirrored for others alone. An object proves its repository where its source has fetched what is asked for now, and it runs, or
 * has tried, a commit that the mirror holds. What was proven once holds as long as the object names the same repository: a source may fail for a while.
 */
export function provenRepositories(deps: ProofDeps): () => Promise<ProvenRepositories> {
  const { git, fleet, now } = deps;
  let proven: ReadonlyMap<RefKey, string> = new Map();
  const kept = new LRUCache<string, Promise<ProvenRepositories>>({ max: 2 });

  async function read(): Promise<{ readonly found: ProvenRepositories; readonly isWhole: boolean }> {
    const before = proven;
    const all = await Promise.all(
      repositoriesOf(fleet.all(now())).map(async (repository) => ({
        key: repository.key,
        ...(await provenOf(deps, repository, before)),
      })),
    );
    proven = new Map(all.flatMap(({ key, objects }) => objects.map(({ ref }) => [refKey(ref), key] as const)));
    const found = all.filter(({ objects }) => objects.length > 0);
    return {
      found: new Map(found.map(({ key, objects }) => [key, builtDirectories(objects)])),
      isWhole: all.every(({ isTold }) => isTold),
    };
  }

  return async () => {
    const states = await git.repositories();
    const fetched = states.type === 'told' ? states.answer.map(({ key, fetchedAt }) => [key, fetchedAt]) : null;
    const key = JSON.stringify([fleet.stamp(now()), fetched]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = read();
    const answer = made.then(({ found }) => found);
    kept.set(key, answer);
    const forget = (): void => void (kept.peek(key) === answer && kept.delete(key));
    made.then(({ isWhole }) => (isWhole ? undefined : forget()), forget);
    return answer;
  };
}

/** The objects that prove a repository. `isTold`: git has said which commits it holds. */
async function provenOf(
  { git, find }: ProofDeps,
  { key, objects }: FleetRepository,
  before: ReadonlyMap<RefKey, string>,
): Promise<{ readonly objects: readonly CurrentObject[]; readonly isTold: boolean }> {
  const isKnown = (object: CurrentObject): boolean => before.get(refKey(object.ref)) === key;
  const asking = objects.filter((object) => !isKnown(object) && isFetched(object, find));
  const { held, isTold } = await heldOf(git, key, [...new Set(asking.flatMap(commitsOf))].slice(0, mostCommits));
  const fresh = new Set(asking.filter((object) => commitsOf(object).some((sha) => held.has(sha))));
  return { objects: objects.filter((object) => isKnown(object) || fresh.has(object)), isTold };
}

/** The commits that an object runs, and has tried: it need not have worked. */
function commitsOf(object: CurrentObject): readonly string[] {
  return [object.commit, triedOf(object)].flatMap((sha) => sha ?? []);
}

/** Those of some commits that a mirror holds. */
async function heldOf(
  git: ProofDeps['git'],
  key: string,
  shas: readonly string[],
): Promise<{ readonly held: ReadonlySet<string>; readonly isTold: boolean }> {
  const held = new Set<string>();
  for (let from = 0; from < shas.length; from += mostAsked.commits) {
    const told = await git.commits(key, shas.slice(from, from + mostAsked.commits));
    if (told.type === 'not-told') return { held, isTold: false };
    for (const commit of told.answer) if (commit !== null) held.add(commit.sha);
  }
  return { held, isTold: true };
}

/**
 * True if what an object is built from was fetched as it asks for it now: a source that was turned elsewhere still offers what it had before. Where its
 * source lies outside of what is seen, only the whole fleet tells which it is.
 */
function isFetched({ ref }: CurrentObject, find: Find): boolean {
  const object = find(ref);
  const from = object === null || object.source === null ? object : find(object.source);
  return from !== null && isGood.has(from.verdict);
}

/** Verdicts of what says that it is as it should be, whether its loop is proven or not. */
const isGood: ReadonlySet<Verdict> = new Set(['converged', 'unconfirmed']);
