import { dirname, join } from 'node:path';
import { readProcessSettings } from '#server/config/process-settings.ts';
import { selectedConfig } from '#server/config/selected-config.ts';
import { type Clock, systemClock } from '#server/runtime/clock.ts';
import { exitCode } from '#server/runtime/exit-code.ts';
import { createLog } from '#server/runtime/log.ts';
import { makeFolder } from '#server/runtime/make-folder.ts';
import { runAsChild } from '#server/runtime/process.ts';
import { systemResolve } from './mirror/fetch-plan.ts';
import { startMirrors } from './mirror/mirrors.ts';
import { gitSocketPath } from './port/socket-path.ts';
import { localGit } from './serve/local-git.ts';
import { type GitServing, serveGit } from './serve/serve-git.ts';

const log = createLog('git');
/** Another process that mirrors into the same folder is waited for (ms). */
const triedEvery = 5_000;

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
  const unmade = makeFolder(folder);
  if (unmade !== null) {
    log.error({ reason: `${folder} ${unmade}` }, 'the folder of the mirrors cannot be used');
    return exitCode.config;
  }
  let stop = (): Promise<void> => Promise.resolve();
  const child = runAsChild({ log, onShutdown: () => stop() });
  const { repositories, git } = loaded.config;
  const socketPath = gitSocketPath(dataDirectory);
  let mirrors: Awaited<ReturnType<typeof startMirrors>> | null = null;
  let serving: GitServing | null = null;
  stop = async () => {
    if (serving?.type === 'serving') await serving.stop();
    await mirrors?.stop();
  };
  const asked = localGit(
    {
      states: () => mirrors?.states() ?? [],
      keepers: () => mirrors?.keepers() ?? [],
      keeper: (url) => mirrors?.keeper(url) ?? null,
      want: async (wanted) => mirrors?.want(wanted),
    },
    systemClock.now,
  );
  serving = await inTurn(() => serveGit(socketPath, asked, log), systemClock);
  if (serving.type === 'refused') {
    log.error({ socket: dirname(socketPath), reason: serving.message }, 'questions about git cannot be answered');
    return exitCode.unavailable;
  }
  mirrors = await startMirrors({
    ...{ repositories, found: git.found, every: git.every, mostBytes: git.mostBytes, folder },
    ...{ environment: process.env, resolve: systemResolve, clock: systemClock, log },
  });
  child.ready();
  return null;
}

/** Tries until no other process answers there. */
async function inTurn(serve: () => Promise<GitServing>, clock: Clock): Promise<GitServing> {
  for (let isFirst = true; ; isFirst = false) {
    const found = await serve();
    if (found.type !== 'taken') return found;
    if (isFirst) log.warn({}, 'another process mirrors repositories into this data directory; this one waits');
    await new Promise<void>((resolve) => void clock.after(triedEvery, resolve));
  }
}

const ended = await main();
if (ended !== null) process.exit(ended);
