import { wholeHash, type ObjectReader } from '../objects.ts';
import type { CommitIndex, NotIndexed, Place } from './commit-index.ts';

/** Commits that one question may add to the index: each of them takes git some 10 ms. */
const mostAdded = 200;

/** Places of commits for one question. */
export interface Adder {
  /** The place of a commit, which is added to the index where it is not there. */
  place(sha: string): Promise<Place | NotIndexed>;
  /** True for a commit that the repository holds. */
  holds(sha: string): boolean;
}

/** An adder for commits that are all known beforehand: those that the repository does not hold are found at once. */
export async function createAdder(
  { index, objects }: { readonly index: CommitIndex; readonly objects: ObjectReader },
  shas: Iterable<string>,
): Promise<Adder> {
  const unknown = [...new Set(shas)].filter((sha) => index.find(sha) === null);
  const types = await objects.info(unknown);
  const absent = new Set(unknown.filter((sha, number) => !wholeHash.test(sha) || types[number]?.type !== 'commit'));
  const added = new Map<string, Place | NotIndexed>();

  async function add(sha: string): Promise<Place | NotIndexed> {
    if (absent.has(sha)) return 'no-such-commit';
    if (added.size >= mostAdded) return 'too-many';
    const place = await index.add(sha);
    added.set(sha, place);
    return place;
  }

  return {
    place: async (sha) => index.find(sha) ?? added.get(sha) ?? (await add(sha)),
    holds: (sha) => !absent.has(sha),
  };
}
