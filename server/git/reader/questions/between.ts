import { setImmediate } from 'node:timers/promises';
import { type BuildPath, componentsOfBuild, pathOfBuild } from '#lib/domain/commit/build-path.ts';
import { buildKey } from '../../port/build-key.ts';
import type { GitRange } from '../../port/git-reader.ts';
import type { Between, Distance } from '../../port/shapes.ts';
import { createChangedFiles } from '../closure/changed-files.ts';
import type { Closure } from '../closure/closure.ts';
import type { Place } from '../index/commit-index.ts';
import { Unreadable } from '../objects.ts';
import type { Opened } from '../opened.ts';
import { askedPath } from '../raw-path.ts';
import { createRangeFinder, type FoundRange } from './range.ts';
import { type TouchingOf, touchingAt } from '../ignore/touching.ts';
import { closuresAt, createTeller, type Stretch, type Touched } from './touched.ts';
import { collectTouching, nextTurn } from '../closure/watch.ts';

/** Times that a closure may change within one range. */
const mostTurns = 300;
/** Commits that are told of one range. */
const mostListed = 20;
/** Sources that are looked at for the turns of all ranges of one question, some 0.4 µs each, with the commits that touch them, and of both before others get their turn. */
const mostWalked = 12_000_000;
const slice = 100_000;

/** One path over one range, on its way from the older end to the newer one. */
interface Walk {
  readonly range: FoundRange;
  readonly build: BuildPath;
  readonly path: string;
  at: number;
  positions: number[];
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
      const path = askedPath(pathOfBuild(asked.path));
      if (path === null) found.push({ type: 'unknown', why: 'unreadable' });
      else found.push({ range, walk: walkOf(walks, range, asked.path, path) });
    }
  }
  await walkAll(opened, [...walks.values()]);
  return tellAll(opened, found, { listed, touching: await keepTouching(opened, [...walks.values()]) });
}

/** Objects of many clusters ask the same. */
function walkOf(walks: Map<string, Walk>, range: FoundRange, build: BuildPath, path: string): Walk {
  const key = `${range.from} ${range.to.line.sha(range.to.position)} ${buildKey(build)}`;
  const known = walks.get(key);
  if (known !== undefined) return known;
  const made: Walk = { range, build, path, at: range.start, positions: [], stretches: [], state: 'under way' };
  walks.set(key, made);
  return made;
}

async function walkAll(opened: Opened, walks: readonly Walk[]): Promise<void> {
  let open = walks;
  let [walked, turnedAt] = [0, 0];
  for (let turn = 0; open.length > 0; turn += 1) {
    const asked = open.map(({ range, build, path, at }) => ({
      at: { line: range.to.line, position: Math.max(0, at) },
      path,
      components: componentsOfBuild(build),
    }));
    const closures = await opened.closures.find(asked);
    for (const [number, walk] of open.entries()) {
      const closure = closures[number] ?? 'too-many';
      walked += closure === 'too-many' ? 1 : sizeOf([closure]);
      const known = walk.positions.length;
      goOn(opened, walk, walked > mostWalked ? 'too-many' : closure);
      walked += 2 * (walk.positions.length - known);
      if (walked - turnedAt < slice) continue;
      turnedAt = walked;
      await setImmediate();
    }
    open = open.filter(({ state }) => state === 'under way');
    if (turn >= mostTurns) for (const walk of open) walk.state = 'too-many';
    if (turn >= mostTurns) return;
  }
  await fromOutside(opened, walks, mostWalked - walked);
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
async function fromOutside({ index, closures }: Opened, walks: readonly Walk[], most: number): Promise<void> {
  const outside = walks.filter(({ range, state }) => range.inside !== null && state === 'done');
  const asked = outside.flatMap(({ range: { inside }, build, path }) =>
    inside === null ? [] : [{ at: inside, path, components: componentsOfBuild(build) }],
  );
  let left = most;
  for (const [number, closure] of (await closures.find(asked)).entries()) {
    const walk = outside[number];
    if (walk === undefined || closure === 'too-many') continue;
    if (left < 0) {
      walk.state = 'too-many';
      continue;
    }
    const known = walk.positions.length;
    walk.at = walk.range.start;
    cover(walk, index, closure, walk.range.to.position);
    left -= 2 * (walk.positions.length - known);
  }
}

/** Sources of which it is looked at whether a commit touches them, for one question. */
const mostLookedAt = 5_000_000;

/** Lets go of the commits that change nothing but what the source leaves out. */
async function keepTouching(opened: Opened, all: readonly Walk[]): Promise<TouchingOf> {
  const walks = all.filter(({ state }) => state !== 'too-many');
  const places = new Map<string, Place>();
  let seen = 0;
  for (const { range, positions } of walks)
    for (const position of positions) {
      places.set(range.to.line.sha(position), { line: range.to.line, position });
      if ((seen += 1) % slice === 0) await setImmediate();
    }
  const touching = await touchingAt(opened, createChangedFiles(opened.index), [...places.values()]);
  let left = mostLookedAt;
  for (const walk of walks) {
    const { line } = walk.range.to;
    const { build, stretches } = walk;
    const kept: number[] = [];
    for (const position of new Set(walk.positions)) {
      const at = { line, position };
      await touching.rest();
      const leaves = touching.leavesOut(at, build);
      if (leaves === false) {
        kept.push(position);
        continue;
      }
      const closures = closuresAt(stretches, position);
      left -= sizeOf(closures);
      const files = leaves === null || left < 0 ? null : touching.files({ at, build, closures });
      if (files === null) {
        walk.state = 'too-many';
        break;
      }
      if (files.sure.length + files.maybe.length > 0) kept.push(position);
    }
    walk.positions = kept;
  }
  return touching;
}

function sizeOf(closures: readonly Closure[]): number {
  return closures.reduce((sum, { whole, files, built }) => sum + 1 + whole.length + files.length + built.length * 3, 0);
}

async function tellAll(
  opened: Opened,
  found: readonly (Between | { readonly range: FoundRange; readonly walk: Walk | null })[],
  { listed, touching }: { readonly listed: number; readonly touching: TouchingOf },
): Promise<readonly Between[]> {
  const touched = new Map<Walk | FoundRange, Touched>();
  for (const each of found) {
    if ('type' in each) continue;
    const { range, walk } = each;
    if (walk?.state === 'too-many') continue;
    touched.set(walk ?? range, touchedOf(range, walk, listed));
  }
  const tell = await createTeller(opened, touching, [...touched.values()]);
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
    const newest = descending(to.position, Math.min(count, listed));
    return { range, count, newest, oldest: start + 1, of: null };
  }
  const rising = [...new Set(walk.positions)].sort((a, b) => a - b);
  const newest = listed === 0 ? [] : rising.slice(-listed).reverse();
  return { range, count: rising.length, newest, oldest: rising[0] ?? null, of: walk };
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
