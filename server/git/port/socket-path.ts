import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  return join(tmpdir(), `plumbline-git-${digest}`, 'ask.sock');
}
