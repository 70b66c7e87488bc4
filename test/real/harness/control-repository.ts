import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** File contents by path; null removes the file. */
export type Changes = { readonly [path: string]: string | null };

/** A git repository that is written to on this machine and served by the git server. */
export interface ControlRepository {
  /** The folder's name below the server's root, e.g. control.git */
  readonly folder: string;
  /** Commits the changes on main as an author (Ada where none is named) and publishes them; gives the commit's hash (40 hex). */
  commit(subject: string, changes: Changes, author?: string): Promise<string>;
  /** Makes another commit of the last one, with the changes, and publishes it by force: the last one is on no branch any more. */
  rewrite(subject: string, changes: Changes): Promise<string>;
}

/** Makes a bare repository `folder` below `root` and a work tree for it in `work`. */
export async function createControlRepository(root: string, work: string, folder: string): Promise<ControlRepository> {
  const bare = join(root, folder);
  const tree = join(work, folder);
  await mkdir(tree, { recursive: true });
  await git(work, ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  await git(tree, ['init', '--quiet', '--initial-branch=main', '.']);
  await git(tree, ['remote', 'add', 'origin', bare]);

  async function publish(changes: Changes, commit: readonly string[], push: readonly string[]): Promise<string> {
    for (const [path, content] of Object.entries(changes)) {
      const file = join(tree, path);
      if (content === null) await rm(file, { force: true });
      else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    }
    await git(tree, ['add', '--all']);
    await git(tree, ['commit', '--quiet', ...commit]);
    await git(tree, ['push', '--quiet', ...push, 'origin', 'main']);
    return (await git(tree, ['rev-parse', 'HEAD'])).trim();
  }

  return {
    folder,
    commit: (subject, changes, author = 'Ada') =>
      publish(changes, ['--author', `${author} <${author.toLowerCase()}@example.org>`, '--message', subject], []),
    rewrite: (subject, changes) => publish(changes, ['--amend', '--message', subject], ['--force']),
  };
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, {
    cwd,
    env: {
      // The compiler's view of an environment, widened by Next, wants NODE_ENV in each.
      NODE_ENV: 'production',
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  });
  return stdout;
}
