import type { RunGit } from '../program/run-git.ts';
import { parentOf } from './raw-path.ts';
import { readTokens } from './tokens.ts';

/** Type and size of an object. */
export interface ObjectInfo {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

/** Reads objects of one repository. Every function rejects with `Unreadable` where that is not possible. */
export interface ObjectReader {
  /** For each whole hash what it is; null where there is none. */
  info(ids: readonly string[]): Promise<readonly (ObjectInfo | null)[]>;
  /** Hands out the entries of a tree or commit by its hash: its own, or (`isWhole`) all files beneath it. */
  eachEntry(treeish: string, isWhole: boolean, take: (entry: TreeEntry) => void): Promise<void>;
  /** All files beneath a tree or commit; `too-many` where there are more than 100,000. */
  filesBeneath(treeish: string): Promise<readonly TreeEntry[]>;
  /** Hash of the directory at a raw path of a commit ('' for the root); null where there is none. */
  treeAt(commit: string, path: string): Promise<string | null>;
  /** Entry at a raw path of a commit. */
  entryAt(commit: string, path: string): Promise<TreeEntry | null>;
  /** Contents by hash, of those that are there and no larger than `largest` bytes. Of all that it finds at most `most` bytes are read. */
  contents(ids: readonly string[], largest: number, most: number): Promise<ReadonlyMap<string, Buffer>>;
  /** Runs git and gives what it says. */
  run(args: readonly string[], options?: RunOptions): Promise<Buffer>;
}

/** Entry of a directory: a file, or a directory or submodule. `path` is raw. */
export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly id: string;
  readonly path: string;
}

/** Input and bounds of one run. */
export interface RunOptions {
  readonly input?: Buffer | string;
  readonly longest?: number;
  readonly mostBytes?: number;
  readonly largestAllocation?: number;
  readonly onOutput?: (piece: Buffer) => void;
}

/** The repository, or a part of it that is needed, cannot be read. Caught where a question is answered. */
export class Unreadable extends Error {
  readonly why: 'unreadable' | 'too-many';
  /** The next time it may be another. */
  readonly passing: boolean;
  constructor(why: 'unreadable' | 'too-many', passing = false) {
    super(why);
    this.why = why;
    this.passing = passing;
  }
}

/** A whole hash. Nothing else becomes an argument of git as the name of an object. */
export const wholeHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Longest run (ms) and most bytes of one answer, where nothing else is said. */
const longest = 9_000;
const mostBytes = 64 * 1024 * 1024;
const beyondBounds: ReadonlySet<string> = new Set(['too-much', 'too-large', 'too-long']);
/** Files of one answer, of which all are known at once, and bytes of what git says of them: a tree of some kilobytes may hold millions. */
const mostBeneath = 100_000;
const mostBytesBeneath = 16 * 1024 * 1024;
/** Bytes of contents that one run of git is asked for. */
const batchBytes = 32 * 1024 * 1024;

/** Reads objects of the repository in a directory. */
export function createObjectReader(directory: string, runGit: RunGit, signal: AbortSignal): ObjectReader {
  async function run(args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
    const ran = await runGit(directory, args, { longest, mostBytes, signal, ...options });
    if (ran.type === 'ok') return ran.output;
    const isMuch = beyondBounds.has(ran.why) || ran.words.includes('attempting to allocate');
    throw new Unreadable(isMuch ? 'too-many' : 'unreadable', ran.why === 'too-long');
  }

  /** Those that were left out of a partial clone end git where it is asked for one: it may not fetch it. */
  async function present(ids: readonly string[]): Promise<readonly string[]> {
    const args = ['rev-list', '--objects', '--no-walk', '--missing=allow-promisor', '--ignore-missing', '--stdin'];
    const output = await run(args, { input: linesOf(ids) });
    const held = new Set(
      output
        .toString('latin1')
        .split('\n')
        .map((line) => line.split(' ', 1)[0] ?? ''),
    );
    return ids.filter((id) => held.has(id));
  }

  async function info(ids: readonly string[]): Promise<readonly (ObjectInfo | null)[]> {
    const asked = ids.filter((id) => wholeHash.test(id));
    if (asked.length === 0) return ids.map(() => null);
    const output = await run(['cat-file', '--batch-check'], { input: linesOf(asked) }).catch(async (error: unknown) => {
      if (!(error instanceof Unreadable) || error.why !== 'unreadable') throw error;
      return run(['cat-file', '--batch-check'], { input: linesOf(await present(asked)) });
    });
    const found = new Map<string, ObjectInfo>();
    for (const line of output.toString('latin1').split('\n')) {
      const [, id, type, size] = /^([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
      if (id !== undefined && type !== undefined) found.set(id, { id, type, size: Number(size) });
    }
    return ids.map((id) => found.get(id) ?? null);
  }

  async function treeAt(commit: string, path: string): Promise<string | null> {
    const input = Buffer.from(`${commit}:${path}\0`, 'latin1');
    const output = await run(['cat-file', '--batch-check', '-z'], { input });
    // What is not there is echoed: it begins with "<hash>:".
    return /^([0-9a-f]{40,64}) tree \d+\n$/.exec(output.toString('latin1'))?.[1] ?? null;
  }

  async function entryAt(commit: string, path: string): Promise<TreeEntry | null> {
    const directory = await treeAt(commit, parentOf(path));
    if (directory === null) return null;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const found: TreeEntry[] = [];
    await eachEntry(run, directory, false, (entry) => {
      if (entry.path === name && found.length === 0) found.push(entry);
    });
    return found[0] ?? null;
  }

  return {
    run,
    info,
    contents: async (ids, largest, most) => contentsOf(run, await info([...new Set(ids)]), largest, most),
    eachEntry: (treeish, isWhole, take) => eachEntry(run, treeish, isWhole, take),
    filesBeneath: (treeish) => filesBeneath(run, treeish),
    treeAt,
    entryAt,
  };
}

type Run = ObjectReader['run'];

async function eachEntry(
  run: Run,
  treeish: string,
  isWhole: boolean,
  take: (entry: TreeEntry) => void,
  most = mostBytes,
): Promise<void> {
  const reader = readTokens((text) => {
    const tab = text.indexOf('\t');
    const [mode, type, id] = text.slice(0, tab).split(' ');
    if (tab < 0 || mode === undefined || type === undefined || id === undefined) return;
    take({ mode, type, id, path: text.slice(tab + 1) });
  });
  const deep = isWhole ? ['-r'] : [];
  const args = ['ls-tree', '-z', '--full-tree', ...deep, '--end-of-options', treeish];
  await run(args, { mostBytes: most, onOutput: (piece) => reader.take(piece) });
}

async function filesBeneath(run: Run, treeish: string): Promise<readonly TreeEntry[]> {
  const found: TreeEntry[] = [];
  let count = 0;
  const take = (entry: TreeEntry): void => void ((count += 1) <= mostBeneath && found.push(entry));
  await eachEntry(run, treeish, true, take, mostBytesBeneath);
  if (count > mostBeneath) throw new Unreadable('too-many');
  return found;
}

/** Contents of objects, as many as lie within the bounds. */
async function contentsOf(
  run: Run,
  known: readonly (ObjectInfo | null)[],
  largest: number,
  most: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  let left = most;
  let batch: ObjectInfo[] = [];
  let bytes = 0;
  const read = async (): Promise<void> => {
    const input = batch.map(({ id }) => `${id}\n`).join('');
    const output = await run(['cat-file', '--batch'], { input, mostBytes: bytes + batch.length * 128 });
    split(output, found);
    [batch, bytes] = [[], 0];
  };
  for (const each of known) {
    if (each === null || each.size > largest || each.size > left) continue;
    if (bytes > 0 && bytes + each.size > batchBytes) await read();
    batch.push(each);
    bytes += each.size;
    left -= each.size;
  }
  if (batch.length > 0) await read();
  return found;
}

function linesOf(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

/** Takes "<hash> <type> <size>\n<content>\n" apart. */
function split(output: Buffer, into: Map<string, Buffer>): void {
  let start = 0;
  while (start < output.length) {
    const end = output.indexOf(10, start);
    if (end < 0) return;
    const [id, , size] = output.toString('latin1', start, end).split(' ');
    const length = Number(size);
    start = end + 1;
    if (id === undefined || !Number.isInteger(length)) continue;
    into.set(id, output.subarray(start, start + length));
    start += length + 1;
  }
}
