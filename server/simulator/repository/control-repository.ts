import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Who makes a commit. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

/** A commit to be made. Time in ms since the epoch, whole seconds count. */
export interface Draft {
  readonly subject: string;
  readonly author: Author;
  readonly time: number;
  /** Paths and their new content; null removes a file. */
  readonly files: ReadonlyMap<string, string | null>;
}

/** A commit that was made. */
export interface Commit extends Omit<Draft, 'files'> {
  readonly sha: string;
  readonly paths: readonly string[];
}

/** The control repository of the simulated fleet: a bare git repository in a directory. */
export interface ControlRepository {
  /** The directory of the repository. */
  readonly path: string;
  /** file:// URL of it. */
  readonly url: string;
  commits(): readonly Commit[];
  head(): Commit;
  /** Commits to main at once. */
  commit(draft: Draft): Commit;
  /** Digest of what lies under a directory at a commit: equal for two commits between which nothing there changed. */
  digestAt(directory: string, sha: string): string;
}

/** A revision as GitRepository names it. */
export function revisionOf(commit: Pick<Commit, 'sha'>): string {
  return `main@sha1:${commit.sha}`;
}

/** The commit of a revision; the whole text where it is none. */
export function shaOf(revision: string): string {
  return revision.replace(/^.*@sha1:/, '');
}

/** Runs git with fixed arguments, an environment of its own and no configuration of the user's; gives what it prints. */
function git(directory: string, args: readonly string[], input = ''): string {
  // The compiler's view of an environment, widened by Next, wants NODE_ENV in each.
  const env = {
    NODE_ENV: 'production' as const,
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    HOME: directory,
  };
  const done = spawnSync('git', [...args], {
    cwd: directory,
    input,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status !== 0) throw new Error(`git ${args[0]} failed: ${done.stderr || (done.error?.message ?? '')}`);
  return done.stdout;
}

/** A commit in the language of fast-import; within one import each follows the one before, a new import names its parent. */
function fastImport(draft: Draft, newImport: boolean): string {
  const seconds = Math.floor(draft.time / 1000);
  const who = `${draft.author.name} <${draft.author.email}> ${seconds} +0000`;
  const message = Buffer.byteLength(draft.subject);
  let text = `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata ${message}\n${draft.subject}\n`;
  if (newImport) text += 'from refs/heads/main^0\n';
  for (const [path, content] of draft.files) {
    text +=
      content === null ? `D ${path}\n` : `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  }
  return `${text}\n`;
}

/** Makes the repository `control-repo.git` in `directory` with a past, in place of one that is there. Every draft becomes a real commit. */
export function createControlRepository(directory: string, past: readonly Draft[]): ControlRepository {
  const path = join(directory, 'control-repo.git');
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  git(path, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  git(path, ['fast-import', '--quiet'], past.map((draft) => fastImport(draft, false)).join(''));
  const shas = git(path, ['rev-list', '--reverse', 'main']).trim().split('\n');
  const commits: Commit[] = past.map((draft, index) => made(draft, shas[index] ?? ''));
  const order = new Map(commits.map((commit, index) => [commit.sha, index]));

  function made(draft: Draft, sha: string): Commit {
    return { sha, subject: draft.subject, author: draft.author, time: draft.time, paths: [...draft.files.keys()] };
  }

  function head(): Commit {
    const last = commits.at(-1);
    if (!last) throw new Error('the control repository has no commit');
    return last;
  }

  return {
    path,
    url: pathToFileURL(path).href,
    commits: () => commits,
    head,
    commit(draft) {
      git(path, ['fast-import', '--quiet'], fastImport(draft, true));
      const commit = made(draft, git(path, ['rev-parse', 'refs/heads/main']).trim());
      order.set(commit.sha, commits.length);
      commits.push(commit);
      return commit;
    },
    digestAt(under, sha) {
      const hash = createHash('sha256').update(under);
      const last = order.get(sha) ?? commits.length - 1;
      for (let index = last; index >= 0; index--) {
        const commit = commits[index];
        if (commit?.paths.some((file) => file.startsWith(`${under}/`)))
          return `sha256:${hash.update(commit.sha).digest('hex')}`;
      }
      return `sha256:${hash.digest('hex')}`;
    },
  };
}
