import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Longest path of a Unix socket in bytes, its end included: 104 on macOS, 108 on Linux. */
const longestPath = 103;

/**
 * The socket of the git process that belongs to a data directory: in its folder `git`, or, where that path is too long for a socket, in a
 * folder of the system's temporary ones.
 */
export function gitSocketPath(dataDirectory: string): string {
  const own = join(dataDirectory, 'git', 'ask.sock');
  if (Buffer.byteLength(own) <= longestPath) return own;
  const digest = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16);
  return join(tmpdir(), `${sharedName}${digest}`, 'ask.sock');
}

/** Begin of the name of a folder that lies among those of others. */
const sharedName = 'plumbline-git-';

/** The folder of a socket where it lies among those of others, who may make one of its name first; null where it does not. */
export function sharedFolderOf(socketPath: string): string | null {
  const folder = dirname(socketPath);
  return basename(folder).startsWith(sharedName) ? folder : null;
}

/** Tells why nobody is to be trusted who answers at a socket; null where only this user can have made it. */
export function whyNotOurs(socketPath: string): string | null {
  const folder = sharedFolderOf(socketPath);
  const uid = process.getuid?.();
  if (folder === null || uid === undefined) return null;
  return isOfAlone(folder, uid)
    ? null
    : `${folder} is not a folder of this user alone: remove it, or keep the data at a shorter path`;
}

function isOfAlone(folder: string, user: number): boolean {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
