import { spawn } from 'node:child_process';
import { watchMemory } from './watch-memory.ts';

/** One run of the git program. */
export interface GitRun {
  /** Bytes for its standard input. */
  readonly input?: Buffer | string;
  /** It is ended after so long (ms). */
  readonly longest: number;
  /** It is ended where it says more than so many bytes. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal;
  /**
   * It is ended, on Linux, where it or what it has started has taken more memory than so many bytes: they keep all that a host names, and every
   * commit of a history. 512 MiB where nothing is said: 100,000 branches and tags take 60 MB.
   */
  readonly mostMemory?: number;
  /**
   * It gives up where it needs more memory than so many bytes at once: what it compares is kept in one piece before it says anything. 384 MiB where
   * nothing is said: a host can say of any object in some kilobytes that it is so large.
   */
  readonly largestAllocation?: number;
  /** Takes the output piece by piece; then the result holds none of it. */
  readonly onOutput?: (piece: Buffer) => void;
}

/** End of a run. `words` is the beginning of what it said of an error, as it said it. */
export type GitRan =
  | { readonly type: 'ok'; readonly output: Buffer }
  | {
      readonly type: 'failed';
      readonly why: 'exit' | 'too-long' | 'too-much' | 'too-large' | 'stopped' | 'no-program';
      readonly code: number | null;
      readonly words: string;
    };

/** Runs git in a directory. Never rejects. */
export type RunGit = (directory: string, args: readonly string[], run: GitRun) => Promise<GitRan>;

/** Five million objects of a pack are known to git in one piece of so many bytes. */
const usualAllocation = 384 * 1024 ** 2;
const usualMemory = 512 * 1024 ** 2;
/** Longest error that is kept, in bytes. */
const longestWords = 4_096;

/**
 * Nothing of the machine's, the user's or the repository's own settings runs a program, asks anybody, or reaches over the network. Without a
 * HOME the library by which git speaks HTTP asks the system for one, and gives any host what stands for it in ~/.netrc.
 */
const environment = {
  LC_ALL: 'C',
  HOME: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'none',
};

/** Runs git over what is on disk, without network. */
export const runGit: RunGit = (directory, args, run) => runGitWith({}, directory, args, run);

/** Runs git with more environment, which may let it use the network. Never rejects. */
export function runGitWith(
  more: Readonly<Record<string, string>>,
  directory: string,
  args: readonly string[],
  {
    input,
    longest,
    mostBytes,
    signal,
    mostMemory = usualMemory,
    largestAllocation = usualAllocation,
    onOutput,
  }: GitRun,
): Promise<GitRan> {
  const limited = { GIT_ALLOC_LIMIT: String(largestAllocation) };
  return new Promise((resolve) => {
    const child = spawn('git', ['-c', 'core.hooksPath=/dev/null', '--git-dir', directory, ...args], {
      cwd: directory,
      env: { NODE_ENV: 'production', PATH: process.env['PATH'], ...environment, ...more, ...limited },
      stdio: ['pipe', 'pipe', 'pipe'],
      // What git starts (ssh, a helper of https) ends with it.
      detached: true,
    });
    const kill = (): void => {
      try {
        process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    };
    const pieces: Buffer[] = [];
    let bytes = 0;
    let words = '';
    let why: Exclude<Extract<GitRan, { type: 'failed' }>['why'], 'exit'> | null = null;
    const end = (reason: 'too-long' | 'too-much' | 'too-large' | 'stopped'): void => {
      why ??= reason;
      kill();
    };
    const timer = setTimeout(() => end('too-long'), longest);
    const unwatch = watchMemory(child.pid, mostMemory, () => end('too-large'));
    const stop = (): void => end('stopped');
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > mostBytes) end('too-much');
      else if (onOutput === undefined) pieces.push(piece);
      else if (why === null) onOutput(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      if (words.length < longestWords) words += piece.toString('utf8').slice(0, longestWords - words.length);
    });
    child.stdin.on('error', () => undefined);
    child.on('error', () => {
      why ??= 'no-program';
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      unwatch();
      signal?.removeEventListener('abort', stop);
      if (why === null && code === 0) resolve({ type: 'ok', output: Buffer.concat(pieces) });
      else resolve({ type: 'failed', why: why ?? 'exit', code, words });
    });
    child.stdin.end(input);
  });
}
