import { setImmediate } from 'node:timers/promises';
import { holdsFile, type SourceRules } from '#lib/domain/commit/build-path.ts';
import { rulesKey } from '../../port/build-key.ts';
import type { Place } from '../index/commit-index.ts';
import { fileState } from '../index/line.ts';
import { ignoreName, noNode } from '../index/name-tree.ts';
import type { Opened } from '../opened.ts';
import { rawOf } from '../raw-path.ts';
import type { FileRules } from './rule-book.ts';
import { type IgnoreRule, leavesOut, readSourceIgnore } from './source-ignore.ts';
import { usualRules } from './usual-rules.ts';

/** Work of looking at the files of one question: rules times letters and depth of their paths. Beyond it nothing is known of any. */
const mostWork = 50_000_000;
/** Answers that are kept for one question, some 50 bytes each: sources of a hostile cluster may have thousands of rules, and a commit as many files as there are. */
const mostKept = 500_000;
/** Files of commits that are looked at before others get their turn. */
const slice = 50_000;
/** .sourceignore files of a repository that are looked at to tell whether there are rules at all. */
const mostIgnoreFiles = 200;

/** A commit with the files (nodes) that are asked about. */
export interface AskedFiles {
  readonly at: Place;
  readonly files: readonly number[];
}

/**
 * Tells whether the artifact of a source at a commit lacks a file, by the .sourceignore files that the commit itself holds and the rules of the
 * source. null: that is not known; where its `ignore` is not, of each file that a .sourceignore leaves out, where its `sparse` is not, of every file.
 * Of a source that holds some directories only, .sourceignore files elsewhere rule nothing: it has not got them.
 */
export type LeftOut = (at: Place, file: number, rules: SourceRules) => boolean | null;

/** True if a source holds a file, or that is not known; false where it holds only others. */
export function isHeld({ index: { names } }: Opened, file: number, { sparse }: SourceRules): boolean {
  return !sparse || sparse.length === 0 || holdsFile(rawBeginnings(sparse), names.path(file));
}

const raws = new WeakMap<readonly string[], readonly string[]>();

function rawBeginnings(sparse: readonly string[]): readonly string[] {
  let made = raws.get(sparse);
  if (made === undefined) raws.set(sparse, (made = sparse.map(rawOf)));
  return made;
}

/**
 * Makes what gives the one value of a commit and the rules of a source, made where there is none. The text of rules may be long: it is looked up
 * for each file of a commit.
 */
export function byCommitAndRules<Value>(): (at: Place, rules: SourceRules, make: () => Value) => Value {
  const known = new Map<string, Map<string, { readonly value: Value }>>();
  return ({ line, position }, rules, make) => {
    const key = rulesKey(rules);
    let ofRules = known.get(key);
    if (ofRules === undefined) known.set(key, (ofRules = new Map()));
    const sha = line.sha(position);
    let found = ofRules.get(sha);
    if (found === undefined) ofRules.set(sha, (found = { value: make() }));
    return found.value;
  };
}

/** Reads what is to be known of some commits. Rejects with `Unreadable`. */
export async function leftOutAt(opened: Opened, commits: readonly AskedFiles[]): Promise<LeftOut> {
  const look = createLook(opened, await readRules(opened, commits));
  let known = byCommitAndRules<Map<number, boolean | null>>();
  let count = 0;
  return (at, file, source) => {
    const before = known(at, source, () => new Map()).get(file);
    if (before !== undefined) return before;
    const is = look(at, file, source);
    if (count >= mostKept) [known, count] = [byCommitAndRules(), 0];
    known(at, source, () => new Map()).set(file, is);
    count += 1;
    return is;
  };
}

/** Rules that a repository has at its commits. */
interface RepositoryRules {
  /** Those of one file; null where they cannot be read, undefined where there is no such file at that commit. */
  of(at: Place, node: number): FileRules | undefined;
  /** True where there are any at that commit in the files that a source holds; null where that is not known. */
  any(at: Place, source: SourceRules): boolean | null;
}

async function readRules(opened: Opened, commits: readonly AskedFiles[]): Promise<RepositoryRules> {
  const { index, rules } = opened;
  const all = index.names.ignoreFiles();
  const isTooMany = all.length > mostIgnoreFiles;
  const blobs = new Set<string>();
  let looked = 0;
  for (const { at, files } of commits) {
    if (looked > slice) {
      looked = 0;
      await setImmediate();
    }
    looked += isTooMany ? files.length : all.length;
    const nodes = isTooMany ? files.flatMap((file) => ignoreFilesAbove(opened, file)) : all;
    for (const node of nodes) {
      const blob = index.blob(at.line.files.state(node, at.position));
      if (blob !== null) blobs.add(blob);
    }
  }
  const read = await rules.read(blobs);

  function of({ line, position }: Place, node: number): FileRules | undefined {
    const state = line.files.state(node, position);
    return state === fileState.absent ? undefined : (read.get(index.blob(state) ?? '') ?? null);
  }

  return {
    of,
    any(at, source) {
      if (isTooMany) return null;
      const each = all.filter((node) => isHeld(opened, node, source)).map((node) => of(at, node));
      if (each.some((one) => one !== undefined && one !== null && one.length > 0)) return true;
      return each.includes(null) ? null : false;
    },
  };
}

function createLook(opened: Opened, rules: RepositoryRules): LeftOut {
  const { names } = opened.index;
  const usual = usualRules();
  const own = new Map<string, FileRules>();
  let work = 0;

  function ofSource(ignore: string): FileRules {
    let found = own.get(ignore);
    if (found === undefined) own.set(ignore, (found = readSourceIgnore(rawOf(ignore))));
    return found;
  }

  /** The last rule for a file decides; `before` where there is none. */
  function by(list: FileRules, path: readonly string[], before: boolean | null): boolean | null {
    if (list === null || work > mostWork) return null;
    work += weightOf(list) * path.reduce((sum, { length }) => sum + length + 1, 0) * path.length;
    return work > mostWork ? null : (leavesOut(list, path) ?? before);
  }

  /** By the rules that source-controller has of its own. */
  function usually(at: Place, ignore: string, path: readonly string[], source: SourceRules): boolean | null {
    if (!usual.mayName(path)) return false;
    const always = by(usual.always, path, false);
    const own = ofSource(ignore);
    // Who says what is left out says all of it.
    if (always !== false || own === null || own.length > 0) return always;
    const unlessSaid = by(usual.unlessSaid, path, false);
    const said = unlessSaid === false ? true : rules.any(at, source);
    return said === null ? null : !said && unlessSaid;
  }

  return (at, file, source) => {
    const { ignore, sparse } = source;
    if (sparse === null) return null;
    if (!isHeld(opened, file, source)) return true;
    const path = names.path(file).split('/');
    let isOut: boolean | null = ignore === null ? false : usually(at, ignore, path, source);
    for (const node of ignoreFilesAbove(opened, file)) {
      const list = isHeld(opened, node, source) ? rules.of(at, node) : undefined;
      if (list !== undefined) isOut = by(list, path.slice(depthOf(opened, node)), isOut);
    }
    if (ignore === null) return isOut === false ? false : null;
    return ignore === '' ? isOut : by(ofSource(ignore), path, isOut);
  };
}

/** Nodes of the .sourceignore files of the directories above a file, there or not, the root's first. */
function ignoreFilesAbove({ index: { names } }: Opened, file: number): readonly number[] {
  const found: number[] = [];
  for (let next = names.parent(file); next !== noNode; next = names.parent(next)) {
    const node = names.child(next, ignoreName);
    if (node !== noNode) found.push(node);
  }
  return found.toReversed();
}

/** Number of directories above a file, the root not counted. */
function depthOf({ index: { names } }: Opened, file: number): number {
  let depth = -1;
  for (let next = names.parent(file); next !== noNode; next = names.parent(next)) depth += 1;
  return depth;
}

function weightOf(rules: readonly IgnoreRule[]): number {
  return rules.reduce((sum, { glob }) => sum + glob.reduce((all, tokens) => all + 1 + (tokens?.length ?? 0), 0), 0);
}
