import type { GitRange } from '../../port/git-reader.ts';
import type { Between, Distance } from '../../port/shapes.ts';
import { createChangedFiles } from '../closure/changed-files.ts';
import type { Closure } from '../closure/closure.ts';
import { Unreadable } from '../objects.ts';
import type { Opened } from '../opened.ts';
import { askedPath } from '../raw-path.ts';
import { createRangeFinder, type FoundRange } from './range.ts';
import { createTeller, type Stretch, type Touched } from './touched.ts';
import { collectTouching, nextTurn } from '../closure/watch.ts';

/** Times that a closure may change within one range. */
const mostTurns = 300;
/** Commits that are told of one range. */
const mostListed = 20;

/** One path over one range, on its way from the older end to the newer one. */
interface Walk {
  readonly range: FoundRange;
  readonly path: string;
  at: number;
  readonly positions: number[];
  readonly stretches: Stretch[];
  state: 'under way' | 'done' | 'too-many';
}

/**
 * For each range: what lies between its ends, and what of it touches what its path builds from, at most `listed` commits of it. Rejects with
 * `Unreadable`.
 */
export async function between(
  opened: Opened,
  ranges: readonly GitRange[],
  listed = mostListed,
): Promise<readonly Between[]> {
  const find = await createRangeFinder(opened, ranges);
  const walks = new Map<string, Walk>();
  const found: (Between | { readonly range: FoundRange; readonly walk: Walk | null })[] = [];
  for (const asked of ranges) {
    const range = await find(asked);
    if (typeof range === 'string') found.push({ type: 'unknown', why: range });
    else if (asked.path === null) found.push({ range, walk: null });
    else {
      const path = askedPath(asked.path);
      if (path === null) found.push({ type: 'unknown', why: 'unreadable' });
      else found.push({ range, walk: walkOf(walks, range, path) });
    }
  }
  await walkAll(opened, [...walks.values()]);
  return tellAll(opened, found, listed);
}

/** Objects of many clusters ask the same. */
function walkOf(walks: Map<string, Walk>, range: FoundRange, path: string): Walk {
  const key = `${range.from} ${range.to.line.sha(range.to.position)} ${path}`;
  const known = walks.get(key);
  if (known !== undefined) return known;
  const made: Walk = { range, path, at: range.start, positions: [], stretches: [], state: 'under way' };
  walks.set(key, made);
  return made;
}

async function walkAll(opened: Opened, walks: readonly Walk[]): Promise<void> {
  let open = walks;
  for (let turn = 0; open.length > 0; turn += 1) {
    const asked = open.map(({ range, path, at }) => ({ at: { line: range.to.line, position: Math.max(0, at) }, path }));
    const closures = await opened.closures.find(asked);
    for (const [number, walk] of open.entries()) goOn(opened, walk, closures[number] ?? 'too-many');
    open = open.filter(({ state }) => state === 'under way');
    if (turn >= mostTurns) for (const walk of open) walk.state = 'too-many';
    if (turn >= mostTurns) return;
  }
  await fromOutside(opened, walks);
}

function goOn({ index }: Opened, walk: Walk, closure: Closure | 'too-many'): void {
  if (closure === 'too-many') {
    walk.state = 'too-many';
    return;
  }
  const { line, position: end } = walk.range.to;
  const turn = nextTurn(index, line, closure, { after: walk.at, upTo: end });
  cover(walk, index, closure, turn < 0 ? end : turn);
  if (turn < 0) walk.state = 'done';
  else walk.at = turn;
}

function cover(walk: Walk, index: Opened['index'], closure: Closure, upTo: number): void {
  collectTouching(index, walk.range.to.line, closure, { after: walk.at, upTo, into: walk.positions });
  walk.stretches.push({ closure, after: walk.at, upTo });
}

/** An object may run what a merge brought: then it builds from what the tree of that says. */
async function fromOutside({ index, closures }: Opened, walks: readonly Walk[]): Promise<void> {
  const outside = walks.filter(({ range, state }) => range.inside !== null && state === 'done');
  const asked = outside.flatMap(({ range: { inside }, path }) => (inside === null ? [] : [{ at: inside, path }]));
  for (const [number, closure] of (await closures.find(asked)).entries()) {
    const walk = outside[number];
    if (walk === undefined || closure === 'too-many') continue;
    walk.at = walk.range.start;
    cover(walk, index, closure, walk.range.to.position);
  }
}

async function tellAll(
  opened: Opened,
  found: readonly (Between | { readonly range: FoundRange; readonly walk: Walk | null })[],
  listed: number,
): Promise<readonly Between[]> {
  const changed = createChangedFiles(opened.index);
  const touched = new Map<Walk | FoundRange, Touched>();
  for (const each of found) {
    if ('type' in each) continue;
    const { range, walk } = each;
    if (walk?.state === 'too-many') continue;
    touched.set(walk ?? range, touchedOf(range, walk, listed));
  }
  const tell = await createTeller(opened, changed, [...touched.values()]);
  return found.map((each) => {
    if ('type' in each) return each;
    const of = touched.get(each.walk ?? each.range);
    return of === undefined ? { type: 'unknown', why: 'too-many' } : tell(of);
  });
}

function touchedOf(range: FoundRange, walk: Walk | null, listed: number): Touched {
  const { to, start } = range;
  if (walk === null) {
    const count = to.position - start;
    return {
      range,
      count,
      newest: descending(to.position, Math.min(count, listed)),
      oldest: start + 1,
      stretches: null,
    };
  }
  const rising = [...new Set(walk.positions)].sort((a, b) => a - b);
  const newest = listed === 0 ? [] : rising.slice(-listed).reverse();
  return { range, count: rising.length, newest, oldest: rising[0] ?? null, stretches: walk.stretches };
}

function descending(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => from - index);
}

/** Answers 'unreadable' or 'too-many' for all where the repository cannot be read. */
export async function betweenOrWhy(
  opened: Opened,
  ranges: readonly GitRange[],
  listed = mostListed,
): Promise<readonly Between[]> {
  try {
    return await between(opened, ranges, listed);
  } catch (error) {
    if (error instanceof Unreadable) return ranges.map(() => ({ type: 'unknown', why: error.why }));
    throw error;
  }
}

/** The same in numbers: no commit is read but the oldest of each range. */
export async function distancesOrWhy(opened: Opened, ranges: readonly GitRange[]): Promise<readonly Distance[]> {
  const found = await betweenOrWhy(opened, ranges, 0);
  return found.map((one) => {
    if (one.type === 'unknown') return one;
    const { to, commits, touchingCount, oldest } = one;
    return { type: 'known', to, commits, touching: touchingCount, oldest };
  });
}
