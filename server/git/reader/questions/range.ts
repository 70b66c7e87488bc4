import type { GitRange } from '../../port/git-reader.ts';
import type { betweenUnknown } from '../../port/shapes.ts';
import { createAdder } from '../index/adder.ts';
import { isBehind, type Place } from '../index/commit-index.ts';
import { Unreadable } from '../objects.ts';
import { shaOf, type Opened } from '../opened.ts';

/** Commits in (start, to.position] on the line of `to`: those that the history of `from` does not hold. start -1: none of it does. */
export interface FoundRange {
  readonly from: string;
  readonly to: Place;
  readonly start: number;
  /** Place of `from` where it is not on the way along first parents: a merge brought it. */
  readonly inside: Place | null;
}

type Why = (typeof betweenUnknown)[number];

/** Finds the commits of ranges, for one question; or why they are not known. Rejects with `Unreadable`. */
export async function createRangeFinder(
  opened: Opened,
  ranges: readonly GitRange[],
): Promise<(range: GitRange) => Promise<FoundRange | Why>> {
  const { index, ancestry, objects } = opened;
  const arrival = ancestry.ask();
  const found = new Map<string, FoundRange | Why>();
  const adder = await createAdder(
    opened,
    ranges.flatMap(({ from, to }) => [from, shaOf(opened, to) ?? from]),
  );

  async function read(from: string, to: string): Promise<FoundRange | Why> {
    const end = await adder.place(to);
    if (typeof end === 'string') return end;
    if (!adder.holds(from)) return 'no-such-commit';
    const known = index.find(from);
    if (known !== null && isBehind(known, end)) return { from, to: end, start: known.position, inside: null };
    const arrived = await arrival(from, end);
    if (arrived === null) return 'rewritten';
    // It lies before the oldest commit that is known, or is brought by it.
    if (arrived === 0) return index.isCut(end.line) ? 'too-many' : 'unreadable';
    const inside = await adder.place(from);
    if (typeof inside === 'string') return inside;
    const args = ['rev-list', '--first-parent', '--count', '--end-of-options', `${from}..${to}`];
    const start = end.position - Number((await objects.run(args)).toString('latin1').trim());
    if (start < -1 || (start < 0 && index.isCut(end.line))) return 'too-many';
    return { from, to: end, start, inside };
  }

  return async (range) => {
    const to = shaOf(opened, range.to);
    if (to === null) return 'no-such-branch';
    const key = `${range.from} ${to}`;
    const known = found.get(key) ?? (await read(range.from, to).catch(whyOf));
    found.set(key, known);
    return known;
  };
}

function whyOf(error: unknown): Why {
  if (error instanceof Unreadable) return error.why;
  throw error;
}
