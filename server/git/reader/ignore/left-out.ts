import type { Place } from '../index/commit-index.ts';
import { fileState } from '../index/line.ts';
import { noNode } from '../index/name-tree.ts';
import { Unreadable } from '../objects.ts';
import type { Opened } from '../opened.ts';
import { type IgnoreRule, leavesOut, readSourceIgnore } from './source-ignore.ts';

const ignoreName = '.sourceignore';
const largest = 65_536;
/** Such files that are read of one commit. */
const mostFiles = 20;
/** Work of looking at the files of one commit: rules times letters and depth of their paths. Beyond it any file may be left out. */
const mostWork = 20_000_000;

/** Tells whether a file (by its node) may be left out of what the sources of a repository hold, by the .sourceignore files above it. */
export type MayBeLeftOut = (file: number) => boolean;

/** Reads the .sourceignore files of a commit that are above any of some files. Rejects with `Unreadable`. */
export async function leftOutAt(opened: Opened, at: Place, files: readonly number[]): Promise<MayBeLeftOut> {
  const { names } = opened.index;
  const above = (node: number): readonly number[] => {
    const directories: number[] = [];
    for (let next = names.parent(node); next !== noNode; next = names.parent(next)) directories.push(next);
    return directories.toReversed();
  };
  const directories = new Set(files.flatMap(above).filter((node) => hasRules(opened, at, node)));
  if (directories.size === 0) return () => false;
  if (directories.size > mostFiles) throw new Unreadable('too-many');
  const rules = new Map<number, readonly IgnoreRule[] | null>();
  for (const directory of directories) rules.set(directory, await rulesOf(opened, at, directory));
  const known = new Map<number, boolean>();
  let work = 0;

  function look(file: number): boolean {
    const text = names.path(file);
    const path = text.split('/');
    let isOut = false;
    for (const [depth, directory] of above(file).entries()) {
      const own = rules.get(directory);
      if (own === undefined) continue;
      // Nobody knows what a file says that cannot be read.
      work += (own === null ? 0 : weightOf(own)) * text.length * path.length;
      if (own === null || work > mostWork) return true;
      isOut = leavesOut(own, path.slice(depth)) ?? isOut;
    }
    return isOut;
  }

  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const is = look(file);
    known.set(file, is);
    return is;
  };
}

function weightOf(rules: readonly IgnoreRule[]): number {
  return rules.reduce((sum, { glob }) => sum + glob.reduce((all, tokens) => all + 1 + (tokens?.length ?? 0), 0), 0);
}

/** True if a commit changes what is left out of what lies in or beneath a directory. */
export function isAbout(opened: Opened, changed: number, nodes: readonly number[]): boolean {
  const { names } = opened.index;
  const directory = names.parent(changed);
  if (directory === noNode || names.child(directory, ignoreName) !== changed) return false;
  return nodes.some((node) => {
    for (let next = node; next !== noNode; next = names.parent(next)) if (next === directory) return true;
    return false;
  });
}

function hasRules({ index: { names } }: Opened, { line, position }: Place, directory: number): boolean {
  const file = names.child(directory, ignoreName);
  return file !== noNode && line.files.state(file, position) !== fileState.absent;
}

async function rulesOf(
  { objects, index: { names } }: Opened,
  { line, position }: Place,
  directory: number,
): Promise<readonly IgnoreRule[] | null> {
  const path = names.path(names.child(directory, ignoreName));
  const entry = await objects.entryAt(line.sha(position), path);
  if (entry === null || !entry.mode.startsWith('100')) return null;
  const bytes = (await objects.contents([entry.id], largest, largest)).get(entry.id);
  return bytes === undefined ? null : readSourceIgnore(bytes.toString('latin1'));
}
