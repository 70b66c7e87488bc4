import { Unreadable, type ObjectReader } from '../objects.ts';
import { readRawChanges } from '../raw-changes.ts';

/** A file with what it is after a commit. Its mode is '000000' where it is not there any more. */
export interface FileAfter {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** A commit and what it changes against the one before, as pairs; of the first of all, everything that it holds. */
export interface ChangedCommit {
  readonly sha: string;
  readonly changes: number[];
}

/** Commits that git is asked for at first and then at once, and the longest time (ms) and most bytes that it may take for them. */
const firstChunk = 200;
const chunk = 5_000;
const longest = 60_000;
const mostBytes = 512 * 1024 * 1024;
/** Memory at once (bytes) for the changes of one commit: half a million of them, which take some 120 MB in all. */
const largestAllocation = 4 * 1024 * 1024;

/** Commits to be read. `shas`: the newest first; `base`: the commit before the last of them, null where that is the first that is known. */
interface Asked {
  readonly shas: readonly string[];
  readonly base: string | null;
  /** Most names that are kept, those of the directories of each file counted. */
  readonly most: number;
}

/** Keeps files. */
export interface Noting {
  /** Makes a pair of a file; null where there is no room for its name. */
  note(file: FileAfter): readonly [number, number] | null;
  /** False where so many changes, with the names that they brought, take more memory than there is for them. */
  hasRoom(changes: number): boolean;
}

/** Names that were noted, of all that there may be. */
interface Room {
  readonly most: number;
  used: number;
  changes: number;
  /** A name had no room: nothing is known. */
  isFull: boolean;
}

/**
 * Changes of commits that follow each other, the oldest first; `noting` keeps each. Where there are more than `most` the oldest
 * commits are left out (`isCut`), and so where there is no room for them: then the first of the rest holds everything. Rejects with `Unreadable`.
 */
export async function readChanges(
  objects: ObjectReader,
  { shas, base, most }: Asked,
  noting: Noting,
): Promise<{ readonly commits: readonly ChangedCommit[]; readonly isCut: boolean }> {
  const commits: ChangedCommit[] = [];
  const pairs = shas.flatMap((sha, index) => {
    const before = shas[index + 1] ?? base;
    return before === null ? [] : [`${sha} ${before}`];
  });
  const room: Room = { most, used: 0, changes: 0, isFull: false };
  let isCut = false;
  for (let from = 0; from < pairs.length && !isCut; from += from === 0 ? firstChunk : chunk) {
    const read = await readChunk(objects, pairs.slice(from, from === 0 ? firstChunk : from + chunk), room, noting);
    commits.push(...read.commits);
    isCut = read.isCut;
  }
  const first = shas[commits.length];
  if (first !== undefined && (base === null || isCut)) {
    commits.push({ sha: first, changes: await everything(objects, first, room, noting) });
  }
  return { commits: commits.reverse(), isCut };
}

/** The commits up to the first that has no room. */
async function readChunk(
  objects: ObjectReader,
  pairs: readonly string[],
  room: Room,
  noting: Noting,
): Promise<{ readonly commits: readonly ChangedCommit[]; readonly isCut: boolean }> {
  const commits: ChangedCommit[] = [];
  let isCut = false;
  const reader = readRawChanges({
    onCommit: (sha) => void (isCut || commits.push({ sha, changes: [] })),
    onChange: (change) => {
      if (isCut) return;
      room.used += namesIn(change.path);
      room.changes += 1;
      const pair = noting.note(change);
      if (pair !== null) commits.at(-1)?.changes.push(...pair);
      room.isFull ||= pair === null;
      isCut = room.used > room.most || !noting.hasRoom(room.changes);
      if (isCut) commits.pop();
    },
  });
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--always'];
  const input = `${pairs.join('\n')}\n`;
  const run = { input, longest, mostBytes, largestAllocation, onOutput: (piece: Buffer) => reader.take(piece) };
  try {
    await objects.run(args, run);
  } catch (error) {
    if (!(error instanceof Unreadable) || error.why !== 'too-many') throw error;
    // The last one may be a part.
    if (!isCut) commits.pop();
    isCut = true;
  }
  if (room.isFull) throw new Unreadable('too-many');
  return { commits, isCut };
}

async function everything(objects: ObjectReader, sha: string, room: Room, noting: Noting): Promise<number[]> {
  const changes: number[] = [];
  let [used, isOver] = [0, false];
  await objects.eachEntry(sha, true, (file) => {
    used += namesIn(file.path);
    room.changes += 1;
    isOver ||= used > room.most || !noting.hasRoom(room.changes);
    const pair = isOver ? null : noting.note(file);
    if (pair === null) isOver = true;
    else changes.push(...pair);
  });
  if (isOver) throw new Unreadable('too-many');
  return changes;
}

function namesIn(path: string): number {
  let count = 1;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}
