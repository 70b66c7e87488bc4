import { type FateName, fates } from '#lib/domain/commit/fate.ts';
import type { CurrentObject } from '#lib/domain/record/current.ts';
import type { GitReader } from '#server/git/port/git-reader.ts';
import type { Find } from './build-of.ts';
import { worstOf } from './commit-memory.ts';
import { concernedFates, type ObjectFate } from './fates.ts';

/** A commit of a repository, and as of which fetch it is asked about; '' where that is not known. */
export interface AskedCommit {
  readonly repository: string;
  readonly sha: string;
  readonly fetchedAt: string;
}

/** Worst states of one commit, and how many paths and objects were looked at for them. */
interface WorstStates {
  readonly worst: readonly (FateName | null)[];
  readonly lookedAt: number;
}

/**
 * The worst state of a commit on each cluster, by the lists of their objects: null where it concerns none of them. Only clusters that have changed
 * are looked at again, and those of which git did not know all once it was fetched.
 */
export async function worstStates(
  git: GitReader,
  { repository, sha, fetchedAt }: AskedCommit,
  lists: readonly (readonly CurrentObject[])[],
  find: Find,
): Promise<WorstStates> {
  const kept = worstOf(git, repository, sha);
  const known = lists.map((list) => {
    const there = kept.get(list);
    return there !== undefined && (there.asOf === null || there.asOf === fetchedAt) ? there : null;
  });
  const open = lists.filter((_, index) => known[index] === null);
  if (open.length === 0) return { worst: known.map((there) => there?.state ?? null), lookedAt: 0 };
  const { concerned, isWhole, isSettled, lookedAt } = await concernedFates(git, repository, sha, flat(open), find);
  const byCluster = Map.groupBy(concerned, ({ object }) => object.ref.cluster);
  const worst = lists.map((list, index) => {
    const before = known[index];
    if (before) return before.state;
    const there = byCluster.get(list[0]?.ref.cluster ?? '') ?? [];
    const state = worstAmong(there);
    const isForEver = there.every(isSettled);
    if (isWhole && !there.some(waitsElsewhere)) kept.set(list, { state, asOf: isForEver ? null : fetchedAt });
    return state;
  });
  return { worst, lookedAt };
}

function worstAmong(all: readonly ObjectFate[]): FateName | null {
  const states = new Set(all.map(({ fate }) => fate.state));
  return fates.find((state) => states.has(state)) ?? null;
}

/** True where it waits for something on another cluster, which changes without a word here. */
function waitsElsewhere({ object: { verdict, ref, rootCause } }: ObjectFate): boolean {
  return verdict === 'waiting' && rootCause?.type === 'object' && rootCause.ref.cluster !== ref.cluster;
}

type Lists = readonly (readonly CurrentObject[])[];

const flattened = new WeakMap<
  readonly CurrentObject[],
  { readonly of: Lists; readonly flat: readonly CurrentObject[] }
>();

/** Commit after commit is asked about the same clusters: the same lists give the same one, which is looked through once. */
function flat(lists: Lists): readonly CurrentObject[] {
  const [first] = lists;
  if (first === undefined || lists.length === 1) return first ?? [];
  const known = flattened.get(first);
  if (known?.of.length === lists.length && known.of.every((list, index) => list === lists[index])) return known.flat;
  const made = lists.flat();
  flattened.set(first, { of: lists, flat: made });
  return made;
}
