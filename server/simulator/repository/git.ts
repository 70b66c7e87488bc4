import { spawnSync } from 'node:child_process';
import { devNull } from 'node:os';

/** Runs git with fixed arguments, an environment of its own and no configuration of the user's; gives what it prints. */
export function git(directory: string, args: readonly string[], input = ''): string {
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
