import { join } from 'node:path';
import { readProcessSettings } from '#server/config/process-settings.ts';
import { selectedConfig } from '#server/config/selected-config.ts';
import { systemClock } from '#server/runtime/clock.ts';
import { exitCode } from '#server/runtime/exit-code.ts';
import { createLog } from '#server/runtime/log.ts';
import { makeFolder } from '#server/runtime/make-folder.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { systemResolve } from './mirror/fetch-plan.ts';
import { type MirrorLock, takeMirrorLock } from './mirror/mirror-lock.ts';
import { type Mirrors, startMirrors } from './mirror/mirrors.ts';
import type { GitReader } from './port/git-reader.ts';
import { gitSocketPath } from './port/socket-path.ts';
import { localGit } from './serve/local-git.ts';
import { type Attempt, ownTurn } from './serve/own-turn.ts';
import { type GitServing, serveGit } from './serve/serve-git.ts';

const log = createLog('git');

/** Runs the git process until it is asked to end; gives the code to end with where it cannot begin. */
async function main(): Promise<number | null> {
  const read = readProcessSettings(process.env);
  if (read.type === 'invalid') {
    log.error({ reason: read.message }, 'settings cannot be used');
    return read.code;
  }
  const { selection, dataDirectory } = read.settings;
  const loaded = await selectedConfig(selection, 'not-read');
  if (loaded.type === 'invalid') {
    log.error({ problems: loaded.problems }, 'configuration cannot be used');
    return exitCode.config;
  }
  const folder = join(dataDirectory, 'git');
  const socketPath = gitSocketPath(dataDirectory);
  const ending = new AbortController();
  let mirrors: Mirrors | null = null;
  let begun: Begun | null = null;
  const child = runAsChild({
    log,
    async onShutdown() {
      ending.abort();
      await begun?.serving.stop();
      await mirrors?.stop();
      begun?.lock.release();
    },
  });
  const { repositories, git } = loaded.config;
  const asked = localGit(
    {
      states: () => mirrors?.states() ?? [],
      keepers: () => mirrors?.keepers() ?? [],
      keeper: (url) => mirrors?.keeper(url) ?? null,
      want: async (wanted) => mirrors?.want(wanted),
    },
    systemClock.now,
  );
  // Nothing else keeps a process alive that waits and has no supervisor: timers of the clock do not.
  const alive = setInterval(() => undefined, 60_000);
  begun = await ownTurn(() => begin(folder, socketPath, asked), { clock: systemClock, log, ending: ending.signal });
  clearInterval(alive);
  if (begun === null) return null;
  mirrors = await startMirrors({
    ...{ repositories, found: git.found, every: git.every, mostBytes: git.mostBytes, folder },
    ...{ environment: process.env, resolve: systemResolve, clock: systemClock, log },
  });
  child.ready();
  return null;
}

/** Whatever one process alone may have. */
interface Begun {
  readonly lock: Extract<MirrorLock, { readonly type: 'taken' }>;
  readonly serving: Extract<GitServing, { readonly type: 'serving' }>;
}

async function begin(folder: string, socketPath: string, asked: GitReader): Promise<Attempt<Begun>> {
  const unmade = makeFolder(folder);
  if (unmade !== null) return { type: 'refused', reason: `${folder} ${unmade}` };
  const lock = takeMirrorLock(folder);
  if (lock.type === 'held') return { type: 'taken' };
  if (lock.type === 'unusable') return { type: 'refused', reason: lock.reason };
  const serving = await serveGit(socketPath, asked, log);
  if (serving.type === 'serving') return { type: 'begun', begun: { lock, serving } };
  lock.release();
  return serving.type === 'taken'
    ? serving
    : { type: 'refused', reason: `questions cannot be answered: ${serving.message}` };
}

const ended = await main();
if (ended !== null) process.exit(ended);
