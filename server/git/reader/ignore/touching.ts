import { setImmediate } from 'node:timers/promises';
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
  /** null where more files were looked at than one question may. */
  files(asked: AskedTouch): TouchingFiles | null;
  /** False where the commit changes no file that is left out, and no .sourceignore: then all that it changes touches. null as for `files`. */
  leavesOut(at: Place, build: BuildPath): boolean | null;
  /** Lets others have their turn where much was looked at since the last. To be waited for between any two questions. */
  rest(): Promise<void>;
}

/**
 * Files of commits that are looked at for one question, each for every source and every path, below 1 µs each; and of them before others get their turn. A
 * cluster may have thousands of sources of one repository, each with rules of its own.
 */
const mostFiles = 5_000_000;
const slice = 50_000;

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
  const leaving = byCommitAndRules<boolean | null>();
  let looked = 0;
  let restedAt = 0;
  const changedRules = new Map<string, readonly number[]>();

  function leavesOut(at: Place, build: BuildPath): boolean | null {
    const rules = sourceRulesOf(build);
    looked += 1;
    if (looked > mostFiles) return null;
    return leaving(at, rules, () => {
      const files = at.line.changed(at.position);
      looked += files.length;
      if (looked > mostFiles) return null;
      return files.some((file) => isIgnoreFile(opened, file) || leftOut(at, file, rules) !== false);
    });
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

  function filesOf({ at, build, closures }: AskedTouch): TouchingFiles | null {
    if (looked > mostFiles) return null;
    const rules = sourceRulesOf(build);
    const isSure = rules.ignore !== null && rules.sparse !== null;
    const sure = new Set<number>();
    const maybe = new Set<number>();
    const within = changed.within(at.line, at.position, closures);
    looked += 1 + within.length;
    if (looked > mostFiles) return null;
    for (const file of within) {
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

  async function rest(): Promise<void> {
    if (looked - restedAt < slice) return;
    restedAt = looked;
    await setImmediate();
  }

  return { files: filesOf, leavesOut, rest };
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
