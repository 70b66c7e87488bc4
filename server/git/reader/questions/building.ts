import { mostAsked, type GitPlace } from '../../port/git-reader.ts';
import type { BuildClosure, GitPoint } from '../../port/shapes.ts';
import { notTold, told, type Answered } from '../answered.ts';
import { createChangedFiles } from '../closure/changed-files.ts';
import type { Closure } from '../closure/closure.ts';
import { isAbout, leftOutAt } from '../ignore/left-out.ts';
import { fileState } from '../index/line.ts';
import { noNode } from '../index/name-tree.ts';
import type { Place } from '../index/commit-index.ts';
import { wholeHash } from '../objects.ts';
import { placeOf, unknownPoint, type Opened } from '../opened.ts';
import { askedPath, pathForPeople } from '../raw-path.ts';

const outside = 'This path leads out of the repository.';

/** Directories and files that a path builds from. */
export async function closureOf(opened: Opened, { at, path }: GitPlace): Promise<Answered<BuildClosure>> {
  const place = await placeOf(opened, at);
  const raw = askedPath(path);
  if (typeof place === 'string') return notTold(unknownPoint(place));
  if (raw === null) return notTold(outside);
  const [closure] = await opened.closures.find([{ at: place, path: raw }]);
  if (closure === undefined || closure === 'too-many') return notTold(unknownPoint('too-many'));
  return told(toldClosure(opened, place, closure));
}

function toldClosure({ index: { names } }: Opened, at: Place, closure: Closure): BuildClosure {
  const { line, position } = at;
  const whole = new Set(closure.whole.filter((node) => line.directories.state(node, position) > 0));
  const isBeneath = (node: number): boolean => {
    for (let above = names.parent(node); above !== noNode; above = names.parent(above)) {
      if (whole.has(above)) return true;
    }
    return false;
  };
  const files = closure.files.filter((node) => line.files.state(node, position) !== fileState.absent);
  const words = (nodes: Iterable<number>): string[] =>
    [...nodes]
      .filter((node) => !isBeneath(node))
      .map((node) => pathForPeople(names.path(node)))
      .sort();
  return { directories: words(whole), files: words(files), missing: [...closure.missing] };
}

/** For each file: the indexes of those paths that build from it. */
export async function builtFrom(
  opened: Opened,
  point: GitPoint,
  asked: { readonly paths: readonly string[]; readonly files: readonly string[] },
): Promise<Answered<readonly (readonly number[])[]>> {
  const at = await placeOf(opened, point);
  if (typeof at === 'string') return notTold(unknownPoint(at));
  const paths = asked.paths.slice(0, mostAsked.ranges).map(askedPath);
  const closures = await opened.closures.find(paths.flatMap((path) => (path === null ? [] : [{ at, path }])));
  const users = new Map<number, number[]>();
  let next = 0;
  for (const [number, path] of paths.entries()) {
    const closure = path === null ? undefined : closures[next++];
    if (closure === undefined || closure === 'too-many') continue;
    for (const node of new Set([...closure.whole, ...closure.files])) {
      const list = users.get(node);
      if (list === undefined) users.set(node, [number]);
      else list.push(number);
    }
  }
  return told(asked.files.slice(0, mostAsked.files).map((file) => usersOf(opened, users, file)));
}

/** Paths that build from a file or from a directory above it. A file is no directory: what is kept for it is the file itself. */
function usersOf({ index: { names } }: Opened, users: ReadonlyMap<number, readonly number[]>, file: string): number[] {
  const raw = askedPath(file);
  const found = new Set<number>();
  // A file that nobody knows is beneath directories that somebody may.
  for (
    let path: string | null = raw;
    path !== null;
    path = path === '' ? null : path.slice(0, Math.max(0, path.lastIndexOf('/')))
  ) {
    const node = names.find(path);
    for (const number of node === noNode ? [] : (users.get(node) ?? [])) found.add(number);
  }
  return [...found].sort((a, b) => a - b);
}

/** For each path: whether a commit touches what it builds from, at that commit or before it; null where that is not known. */
export async function touches(
  opened: Opened,
  sha: string,
  paths: readonly string[],
): Promise<Answered<readonly (boolean | null)[]>> {
  const { index, closures, commits } = opened;
  if (!wholeHash.test(sha)) return notTold(unknownPoint('no-such-commit'));
  const at = await index.add(sha);
  if (typeof at === 'string') return notTold(unknownPoint(at));
  const asked = paths.slice(0, mostAsked.ranges).map(askedPath);
  const { line, position } = at;
  if (position === 0) {
    const parents = (await commits.read([sha])).get(sha)?.parents.length ?? 1;
    // Everything of the first commit is new; of one whose parent is not known, nothing is.
    if (parents > 0) return told(asked.map(() => null));
  }
  const before = { line, position: Math.max(0, position - 1) };
  const inside = asked.flatMap((path) =>
    path === null
      ? []
      : [
          { at, path },
          { at: before, path },
        ],
  );
  const found = await closures.find(inside);
  const changed = createChangedFiles(index);
  let next = 0;
  const touching = asked.map((path): Touching => {
    if (path === null) return 'not known';
    const [after, earlier] = [found[next], found[next + 1]];
    next += 2;
    if (after === undefined || earlier === undefined || after === 'too-many' || earlier === 'too-many')
      return 'not known';
    return { after, files: position === 0 ? [] : changed.within(line, position, [after, earlier]) };
  });
  const files = new Set(touching.flatMap((one) => (one === 'not known' ? [] : one.files)));
  const mayBeLeftOut = await leftOutAt(opened, at, [...files]);
  const rules = line.changed(position);
  return told(
    touching.map((one) => {
      if (one === 'not known') return null;
      if (position === 0) return holdsAnything(at, one.after);
      if (one.files.some((file) => !mayBeLeftOut(file))) return true;
      const { whole, files: named, built } = one.after;
      // What was left out may not be any more.
      const isOther = rules.some((node) => isAbout(opened, node, [...whole, ...named, ...built]));
      return one.files.length > 0 || isOther ? null : false;
    }),
  );
}

/** Sources of a path, and those of its files that a commit changes. */
type Touching = { readonly after: Closure; readonly files: readonly number[] } | 'not known';

function holdsAnything({ line, position }: Place, { whole, files }: Closure): boolean {
  return (
    whole.some((node) => line.directories.state(node, position) > 0) ||
    files.some((node) => line.files.state(node, position) !== fileState.absent)
  );
}
