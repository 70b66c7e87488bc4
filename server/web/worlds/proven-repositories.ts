import { LRUCache } from 'lru-cache';
import { refKey, type RefKey } from '#lib/domain/observation/ref.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import { second } from '#lib/domain/time/length.ts';
import type { Verdict } from '#lib/domain/verdict/verdict.ts';
import { repositoryKey } from '#lib/git-host/repository-key.ts';
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

/** The objects of one cluster that prove a repository. */
interface ProvenList {
  /** Those of the cluster that name it: another list once something changes there. */
  readonly of: FleetRepository['lists'][number];
  /** The fetch that they were looked at after. */
  readonly fetchedAt: number | null;
  /** It holds for as long as these are the same. */
  readonly isTold: boolean;
  readonly refs: ReadonlySet<RefKey>;
  readonly directories: BuiltDirectories;
}

/**
 * Tells the repositories from which something that is seen is built, and not only said to be: who may write an object can name any repository in
 * it, also one that is mirrored for others alone. An object proves its repository where its source has fetched what is asked for now from there, and it runs, or
 * has tried, a commit that the mirror holds. What was proven once holds as long as the object names the same repository: a source may fail for a while.
 */
export function provenRepositories(deps: ProofDeps): () => Promise<ProvenRepositories> {
  const { git, fleet, now } = deps;
  /** By repository and cluster. */
  let proven: ReadonlyMap<string, ProvenList> = new Map();
  const kept = new LRUCache<string, Promise<ProvenRepositories>>({ max: 2 });

  async function read(fetched: ReadonlyMap<string, number | null>): Promise<ProvenRepositories> {
    const before = proven;
    const repositories = repositoriesOf(fleet.all(now()));
    const all = await Promise.all(
      repositories.map(({ key, lists }) => provenIn(deps, { key, lists, fetchedAt: fetched.get(key) ?? null }, before)),
    );
    proven = new Map(all.flat());
    return new Map(
      repositories.flatMap(({ key }, at) => {
        const built = new Set(all[at]?.flatMap(([, { directories }]) => [...directories]));
        return built.size === 0 ? [] : [[key, built] as const];
      }),
    );
  }

  return async () => {
    const told = await git.repositories();
    const states = told.type === 'told' ? told.answer : [];
    const fetched = new Map(states.map(({ key, fetchedAt }) => [key, fetchedAt]));
    const key = JSON.stringify([fleet.stamp(now()), ...fetched]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const answer = read(fetched);
    kept.set(key, answer);
    const forget = (): void => void (kept.peek(key) === answer && kept.delete(key));
    answer.then(() => ([...proven.values()].every(({ isTold }) => isTold) ? undefined : forget()), forget);
    return answer;
  };
}

/** The repositories of these keys, of which no directory is told. */
export function namedRepositories(keys: readonly string[]): () => Promise<ProvenRepositories> {
  const named = new Map(keys.map((key) => [key, new Set<string>()] as const));
  return () => Promise.resolve(named);
}

/** The lists of a repository, those that have not changed since a fetch as they were. */
async function provenIn(
  deps: ProofDeps,
  { key, lists, fetchedAt }: Pick<FleetRepository, 'key' | 'lists'> & Pick<ProvenList, 'fetchedAt'>,
  before: ReadonlyMap<string, ProvenList>,
): Promise<readonly (readonly [string, ProvenList])[]> {
  const isOf = sourcesOf(key, deps.find);
  const looked = lists.map((of) => {
    const place = `${key} ${of[0]?.ref.cluster ?? ''}`;
    const last = before.get(place);
    const isSame = last?.of === of && last.isTold && last.fetchedAt === fetchedAt;
    const open = isSame ? [] : of.filter((object) => last?.refs.has(refKey(object.ref)) !== true);
    const fetched = Map.groupBy(
      open.filter((object) => commitsOf(object).length > 0),
      (object) => isFetched(object, isOf, deps),
    );
    return { place, of, last, isSame, open: fetched.get(true) ?? [], isLater: fetched.has(null) };
  });
  const shas = [...new Set(looked.flatMap(({ open }) => open.flatMap(commitsOf)))];
  const { held, isTold } = await heldOf(deps.git, key, shas.slice(0, mostCommits));
  return looked.map(({ place, of, last, isSame, open, isLater }) => {
    if (last !== undefined && isSame) return [place, last] as const;
    const fresh = new Set(open.filter((object) => commitsOf(object).some((sha) => held.has(sha))));
    const objects = of.filter((object) => fresh.has(object) || last?.refs.has(refKey(object.ref)) === true);
    const refs = new Set(objects.map(({ ref }) => refKey(ref)));
    return [
      place,
      { of, fetchedAt, isTold: isTold && !isLater, refs, directories: builtDirectories(objects) },
    ] as const;
  });
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

/** Sources behind a source that are looked at: a generator has some. */
const mostBehind = 12;
/** For so long (ms) after it was turned to another source an object may still be told as it was: nobody has looked, or been told, yet. */
const lookedWithin = 15 * second;

/**
 * True if what an object is built from was fetched, as it asks for it now, from the repository of this key: a source that was turned elsewhere still offers
 * what it had before, and one that its reconciler refuses the object offers it nothing. What an artifact of a registry says of its origin proves nothing, for
 * whoever pushes one writes what he likes. Where its source lies outside of what is seen, only the whole fleet tells which it is. null where that is told
 * a moment later.
 */
function isFetched(
  { ref }: CurrentObject,
  isOf: (source: CurrentObject) => boolean,
  { find, now }: Pick<ProofDeps, 'find' | 'now'>,
): boolean | null {
  const object = find(ref);
  if (object === null) return false;
  if (object.source === null) return isGood.has(object.verdict);
  const source = find(object.source);
  if (source === null || !isOf(source)) return false;
  if (source.ref.namespace === ref.namespace) return true;
  if (hasTried(object, source)) return true;
  if (!isGood.has(object.verdict)) return false;
  return now() - object.observedAt >= lookedWithin ? true : null;
}

/**
 * True if an object has tried the very commit that its source offers, which lies in another namespace and could be refused it. What was switched off may
 * have been turned to it since anybody looked.
 */
function hasTried(object: CurrentObject, source: CurrentObject): boolean {
  const { verdict, was, reason } = object;
  const isRefused = verdict === 'suspended' || was === 'diverged' || reason === 'AccessDenied';
  return !isRefused && source.commit !== null && triedOf(object) === source.commit;
}

/** Tells of sources whether they have what they offer from the repository of a key, by themselves or by what they are made from: each is looked at once. */
function sourcesOf(key: string, find: Find): (source: CurrentObject) => boolean {
  const known = new Map<RefKey, boolean>();
  return (source) => {
    const name = refKey(source.ref);
    const told = known.get(name) ?? isFrom(source, key, find);
    known.set(name, told);
    return told;
  };
}

function isFrom(source: CurrentObject, key: string, find: Find): boolean {
  const behind = new Map<RefKey, CurrentObject>([[refKey(source.ref), source]]);
  for (const one of behind.values()) {
    if (!isGood.has(one.verdict)) continue;
    if (one.ref.kind === 'GitRepository') {
      if (one.repository !== null && repositoryKey(one.repository) === key) return true;
      continue;
    }
    for (const ref of [one.source, ...one.upstreams.sources]) {
      const found = ref === null || behind.size >= mostBehind ? null : find(ref);
      if (found !== null) behind.set(refKey(found.ref), found);
    }
  }
  return false;
}

/** Verdicts of what says that it is as it should be, whether its loop is proven or not. */
const isGood: ReadonlySet<Verdict> = new Set(['converged', 'unconfirmed']);
