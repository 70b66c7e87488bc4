import type { ObjectReader } from '../objects.ts';
import { Unreadable } from '../objects.ts';
import { createLine, fileState, type Line } from './line.ts';
import { createNameTree, ignoreName, noNode, type NameTree } from './name-tree.ts';
import { readChanges, type FileAfter } from './read-changes.ts';

/** A commit along first parents. */
export interface Place {
  readonly line: Line;
  readonly position: number;
}

/** Why commits are not indexed: not in the repository, more than are kept, or the repository cannot be read. */
export type NotIndexed = 'no-such-commit' | 'too-many' | 'unreadable';

/** Most that is kept of one repository. Of what is older nothing is known. */
export interface IndexBounds {
  /** Commits along the first parents of one tip. */
  readonly commits: number;
  /** Names of files, and of the directories of each, that the commits of one tip change. */
  readonly names: number;
  /** Entries of all histories, to which questions may add; tips of branches may add as many again. */
  readonly entries: number;
  /** Memory (bytes) up to which questions may add; tips of branches may add as much again. */
  readonly bytes: number;
  /** Tips that went ways of their own. */
  readonly lines: number;
}

/** Bounds of a repository of a fleet: some 120 MB, 240 MB at most. */
export const usualBounds: IndexBounds = {
  ...{ commits: 200_000, names: 3_000_000, entries: 6_000_000, bytes: 120_000_000, lines: 2_000 },
};
/** Each name has a history, and each change of a file goes into three books. */
const weights = { name: 2.5, change: 60 } as const;

/** Commits that are asked for at first: a fetch brings few. */
const firstLook = 200;
/** Tips that are known to be too much. */
const mostRefused = 1_000;

/** All commits of one repository that are known with the files that each changes against its first parent. It only grows. */
export interface CommitIndex {
  readonly names: NameTree;
  /** Place of a commit that is indexed. */
  find(sha: string): Place | null;
  /** Reads a commit with all its first parents. `isTip`: it is the tip of a branch, which goes before questions. */
  add(sha: string, isTip?: boolean): Promise<Place | NotIndexed>;
  /** Hash of the blob behind a state of a kustomization or .sourceignore file; null for any other. */
  blob(state: number): string | null;
  /** True if commits before the oldest that is indexed exist, and were left out. */
  isCut(line: Line): boolean;
  /** Entries of all histories. */
  size(): number;
  /** Memory that it takes, in bytes and about. */
  weight(): number;
  /** Nothing more is added for questions: a new one may have room. */
  isFull(): boolean;
}

/** An empty index. */
export function createCommitIndex(objects: ObjectReader, bounds: IndexBounds): CommitIndex {
  const names = createNameTree();
  const places = new Map<string, Place>();
  const cut = new Set<Line>();
  const blobs: string[] = [];
  const note = noting(names, blobs);
  const refused = new Set<string>();
  const lines: Line[] = [];
  let adding: Promise<unknown> = Promise.resolve();

  /** The line that goes on behind a place. */
  function lineBehind(place: Place | null): Line {
    if (place !== null && place.line.last() === place.position) return place.line;
    const line = createLine(names, place, lines.length);
    lines.push(line);
    return line;
  }

  async function read(tip: string, left: number): Promise<Place | NotIndexed> {
    const [info] = await objects.info([tip]);
    if (info?.type !== 'commit') return 'no-such-commit';
    const { shas, base, more } = await newCommits({ objects, places, most: bounds.commits }, tip);
    const asked = { shas, base: base?.line.sha(base.position) ?? null, most: bounds.names };
    const named = names.weight();
    const hasRoom = (changes: number): boolean =>
      (names.weight() - named) * weights.name + changes * weights.change <= left;
    const { commits, isCut } = await readChanges(objects, asked, { note, hasRoom });
    const line = lineBehind(isCut ? null : base);
    if (more || isCut) cut.add(line);
    for (const commit of commits) {
      await line.append(commit.sha, commit.changes);
      places.set(commit.sha, { line, position: line.last() });
    }
    return places.get(tip) ?? 'unreadable';
  }

  const size = (): number => lines.reduce((sum, line) => sum + line.size(), 0);
  const weight = (): number => lines.reduce((sum, line) => sum + line.weight(), names.weight() + blobs.length * 64);
  const isOver = (times: number): boolean =>
    lines.length >= bounds.lines * times ||
    names.isFull() ||
    size() >= bounds.entries * times ||
    weight() >= bounds.bytes * times;

  async function add(sha: string, isTip: boolean): Promise<Place | NotIndexed> {
    const times = isTip ? 2 : 1;
    try {
      if (refused.has(sha) || isOver(times)) return places.get(sha) ?? 'too-many';
      return places.get(sha) ?? (await read(sha, bounds.bytes * times - weight()));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      // It will be too much the next time, too.
      if (error.why === 'too-many' && !error.passing && refused.size < mostRefused) refused.add(sha);
      return error.why;
    }
  }

  return {
    names,
    find: (sha) => places.get(sha) ?? null,
    add(sha, isTip = false) {
      const known = places.get(sha);
      if (known !== undefined) return Promise.resolve(known);
      // One after the other: each goes on behind what the one before read.
      const added = adding.then(() => add(sha, isTip));
      adding = added.catch(() => undefined);
      return added;
    },
    blob: (state) => blobs[state - fileState.firstBlob] ?? null,
    isCut: (line) => cut.has(oldest(line)),
    size,
    weight,
    isFull: () => isOver(1),
  };
}

/** Makes the pair of a file after a commit: its node, and its state; null where there is no room for its name. */
function noting(names: NameTree, blobs: string[]): (file: FileAfter) => readonly [number, number] | null {
  function stateOf(node: number, mode: string, id: string): number {
    if (mode === '000000') return fileState.absent;
    if (mode === '120000') return fileState.link;
    if (mode === '160000') return fileState.submodule;
    if (names.kustomizes(node) === noNode && names.child(names.parent(node), ignoreName) !== node)
      return fileState.file;
    blobs.push(id);
    return fileState.firstBlob + blobs.length - 1;
  }

  return ({ mode, id, path }) => {
    const node = names.intern(path);
    return node === noNode ? null : [node, stateOf(node, mode, id)];
  };
}

/** New commits of a tip, the newest first, and the indexed commit behind them; `more`: older ones are left out. */
async function newCommits(
  {
    objects,
    places,
    most,
  }: { readonly objects: ObjectReader; readonly places: ReadonlyMap<string, Place>; readonly most: number },
  tip: string,
): Promise<{ readonly shas: readonly string[]; readonly base: Place | null; readonly more: boolean }> {
  for (let looked = firstLook; ; looked *= 10) {
    const count = Math.min(looked, most) + 1;
    const args = ['rev-list', '--first-parent', `--max-count=${count}`, '--end-of-options', tip];
    const all = (await objects.run(args, { longest: 60_000 })).toString('latin1').split('\n').filter(Boolean);
    const known = all.findIndex((sha) => places.has(sha));
    if (known >= 0) return { shas: all.slice(0, known), base: places.get(all[known] ?? '') ?? null, more: false };
    if (all.length < count) return { shas: all, base: null, more: false };
    if (count > most) return { shas: all.slice(0, most), base: null, more: true };
  }
}

/** The line with the first commit. */
function oldest(line: Line): Line {
  let first = line;
  while (first.base !== null) first = first.base.line;
  return first;
}

/** True if the commit at `earlier` is on the way along first parents from `later`, or the same. */
export function isBehind(earlier: Place, later: Place): boolean {
  let position = later.position;
  for (let line = later.line; ;) {
    if (line === earlier.line) return earlier.position <= position;
    if (line.base === null) return false;
    position = Math.min(position, line.base.position);
    line = line.base.line;
  }
}
