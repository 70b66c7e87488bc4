import { setImmediate } from 'node:timers/promises';
import { type BuildPath, componentsOfBuild, pathOfBuild, sourceRulesOf } from '#lib/domain/commit/build-path.ts';
import { mostAsked, type GitBuild } from '../../port/git-reader.ts';
import type { BuildClosure, GitPoint } from '../../port/shapes.ts';
import { notTold, told, type Answered } from '../answered.ts';
import { createChangedFiles } from '../closure/changed-files.ts';
import type { Closure } from '../closure/closure.ts';
import { leftOutAt } from '../ignore/left-out.ts';
import { touchingAt } from '../ignore/touching.ts';
import { fileState } from '../index/line.ts';
import { noNode, root } from '../index/name-tree.ts';
import type { Place } from '../index/commit-index.ts';
import { wholeHash } from '../objects.ts';
import { placeOf, unknownPoint, type Opened } from '../opened.ts';
import { askedPath, pathForPeople } from '../raw-path.ts';

/** Paths that are looked at for files before others get their turn: each may have rules of its own. */
const slice = 20_000;
const outside = 'This path leads out of the repository.';

/** Directories and files that a path builds from. */
export async function closureOf(opened: Opened, { at, path: build }: GitBuild): Promise<Answered<BuildClosure>> {
  const place = await placeOf(opened, at);
  const raw = askedPath(pathOfBuild(build));
  if (typeof place === 'string') return notTold(unknownPoint(place));
  if (raw === null) return notTold(outside);
  const [closure] = await opened.closures.find([{ at: place, path: raw, components: componentsOfBuild(build) }]);
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

/** For each file: the indexes of those paths that build from it; not of those whose source leaves it out. */
export async function builtFrom(
  opened: Opened,
  point: GitPoint,
  asked: { readonly paths: readonly BuildPath[]; readonly files: readonly string[] },
): Promise<Answered<readonly (readonly number[])[]>> {
  const at = await placeOf(opened, point);
  if (typeof at === 'string') return notTold(unknownPoint(at));
  const builds = asked.paths.slice(0, mostAsked.ranges);
  const paths = builds.map((build) => askedPath(pathOfBuild(build)));
  const inside = builds.flatMap((build, number) => {
    const path = paths[number] ?? null;
    return path === null ? [] : [{ at, path, components: componentsOfBuild(build) }];
  });
  const closures = await opened.closures.find(inside);
  const usersByNode = new Map<number, number[]>();
  let next = 0;
  for (const [number, path] of paths.entries()) {
    const closure = path === null ? undefined : closures[next++];
    if (closure === undefined || closure === 'too-many') continue;
    for (const node of new Set([...closure.whole, ...closure.files])) {
      const list = usersByNode.get(node);
      if (list === undefined) usersByNode.set(node, [number]);
      else list.push(number);
    }
  }
  const files = asked.files.slice(0, mostAsked.files);
  const nodes = files.map((file) => opened.index.names.find(askedPath(file) ?? ''));
  const leftOut = await leftOutAt(opened, [{ at, files: nodes.filter((node) => node !== noNode) }]);
  const found: (readonly number[])[] = [];
  let looked = 0;
  for (const [index, file] of files.entries()) {
    const node = nodes[index] ?? noNode;
    const users = usersOf(opened, usersByNode, file);
    const isOut = (build: BuildPath | undefined): boolean =>
      build !== undefined && node > root && leftOut(at, node, sourceRulesOf(build)) === true;
    found.push(users.filter((number) => !isOut(builds[number])));
    looked += users.length;
    if (looked < slice) continue;
    looked = 0;
    await setImmediate();
  }
  return told(found);
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
  builds: readonly BuildPath[],
): Promise<Answered<readonly (boolean | null)[]>> {
  const { index, closures, commits } = opened;
  if (!wholeHash.test(sha)) return notTold(unknownPoint('no-such-commit'));
  const at = await index.add(sha);
  if (typeof at === 'string') return notTold(unknownPoint(at));
  const asked = builds.slice(0, mostAsked.ranges).map((build) => ({ build, path: askedPath(pathOfBuild(build)) }));
  const { line, position } = at;
  if (position === 0) {
    const parents = (await commits.read([sha])).get(sha)?.parents.length ?? 1;
    // Everything of the first commit is new; of one whose parent is not known, nothing is.
    if (parents > 0) return told(asked.map(() => null));
  }
  const before = { line, position: Math.max(0, position - 1) };
  const inside = asked.flatMap(({ build, path }) => {
    const components = componentsOfBuild(build);
    return path === null ? [] : [at, before].map((place) => ({ at: place, path, components }));
  });
  const found = await closures.find(inside);
  const touching = await touchingAt(opened, createChangedFiles(index), [at]);
  let next = 0;
  const touched = ({ build, path }: (typeof asked)[number]): boolean | null => {
    if (path === null) return null;
    const [after, earlier] = [found[next], found[next + 1]];
    next += 2;
    if (after === undefined || earlier === undefined || after === 'too-many' || earlier === 'too-many') return null;
    if (position === 0) return holdsAnything(at, after);
    const files = touching.files({ at, build, closures: [after, earlier] });
    if (files === null) return null;
    if (files.sure.length > 0) return true;
    return files.maybe.length > 0 ? null : false;
  };
  const answers: (boolean | null)[] = [];
  for (const one of asked) {
    answers.push(touched(one));
    await touching.rest();
  }
  return told(answers);
}

function holdsAnything({ line, position }: Place, { whole, files }: Closure): boolean {
  return (
    whole.some((node) => line.directories.state(node, position) > 0) ||
    files.some((node) => line.files.state(node, position) !== fileState.absent)
  );
}
