import { type BuildPath, sourceRulesOf } from '#lib/domain/commit/build-path.ts';
import type { ChangedFiles } from '../closure/changed-files.ts';
import type { Closure } from '../closure/closure.ts';
import type { Place } from '../index/commit-index.ts';
import { ignoreName, noNode } from '../index/name-tree.ts';
import type { Opened } from '../opened.ts';
import { byCommitAndRules, isHeld, leftOutAt } from './left-out.ts';

/** A commit with the closures of one path, as it was before and after it. */
export interface AskedTouch {
  readonly at: Place;
  readonly build: BuildPath;
  readonly closures: readonly Closure[];
}

/** The files of a commit that touch a path. A commit touches it where there is one; where there are only `maybe`, that is not known. */
export interface TouchingFiles {
  /** Those that its source holds, and the .sourceignore files that say which these are. */
  readonly sure: readonly number[];
  /** Those that its source may leave out. */
  readonly maybe: readonly number[];
}

/**
 * Tells which files of a commit touch what a path builds from: those among its sources that the commit changes, but for what the source of
 * the path leaves out at that very commit. What was left out before may not be any more where a .sourceignore changes that lies above one of
 * the sources, or beneath: it touches too.
 */
export interface TouchingOf {
  files(asked: AskedTouch): TouchingFiles;
  /** False where the commit changes no file that is left out, and no .sourceignore: then all that it changes touches. */
  leavesOut(at: Place, build: BuildPath): boolean;
}

/** The one rule of what touches. `commits`: all that will be asked about. Rejects with `Unreadable`. */
export async function touchingAt(
  opened: Opened,
  changed: ChangedFiles,
  commits: readonly Place[],
): Promise<TouchingOf> {
  const leftOut = await leftOutAt(
    opened,
    commits.map((at) => ({ at, files: at.line.changed(at.position) })),
  );
  const leaving = byCommitAndRules<boolean>();
  const changedRules = new Map<string, readonly number[]>();

  function leavesOut(at: Place, build: BuildPath): boolean {
    const rules = sourceRulesOf(build);
    return leaving(at, rules, () =>
      at.line.changed(at.position).some((file) => isIgnoreFile(opened, file) || leftOut(at, file, rules) !== false),
    );
  }

  /** The .sourceignore files that a commit changes: looked for once, however many paths are asked about. */
  function ignoreFilesOf({ line, position }: Place): readonly number[] {
    const sha = line.sha(position);
    let found = changedRules.get(sha);
    if (found === undefined) {
      found = line.changed(position).filter((file) => isIgnoreFile(opened, file));
      changedRules.set(sha, found);
    }
    return found;
  }

  function filesOf({ at, build, closures }: AskedTouch): TouchingFiles {
    const rules = sourceRulesOf(build);
    const isSure = rules.ignore !== null && rules.sparse !== null;
    const sure = new Set<number>();
    const maybe = new Set<number>();
    for (const file of changed.within(at.line, at.position, closures)) {
      const isOut = leftOut(at, file, rules);
      if (isOut === false) sure.add(file);
      if (isOut === null) maybe.add(file);
    }
    for (const file of ignoreFilesOf(at))
      if (!sure.has(file) && isHeld(opened, file, rules) && closures.some((closure) => isAbout(opened, file, closure)))
        (isSure ? sure : maybe).add(file);
    for (const file of sure) maybe.delete(file);
    return { sure: [...sure], maybe: [...maybe] };
  }

  return { files: filesOf, leavesOut };
}

function isIgnoreFile({ index: { names } }: Opened, file: number): boolean {
  return names.child(names.parent(file), ignoreName) === file;
}

/** True if a .sourceignore file lies above what is built from. */
function isAbout(opened: Opened, file: number, { whole, files, built }: Closure): boolean {
  const { names } = opened.index;
  const directory = names.parent(file);
  return [whole, files, built].some((nodes) =>
    nodes.some((node) => {
      for (let next = node; next !== noNode; next = names.parent(next)) if (next === directory) return true;
      return false;
    }),
  );
}
