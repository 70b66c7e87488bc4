import { join } from 'node:path';
import { until } from '#server/collector/clusters/testing/until.ts';
import { startMirrors } from '#server/git/mirror/mirrors.ts';
import { gitSocketPath } from '#server/git/port/socket-path.ts';
import { localGit } from '#server/git/serve/local-git.ts';
import { serveGit } from '#server/git/serve/serve-git.ts';
import { fakeClock } from '#server/runtime/fake-clock.ts';
import { silentLog } from '#server/runtime/log.ts';
import { makeFolder } from '#server/runtime/make-folder.ts';

/** The mirror of one repository behind a socket, fetched when a test says so. */
export interface DemoGit {
  readonly socketPath: string;
  /** Mirrors the repository from now on. */
  mirror(url: string): Promise<void>;
  /** Fetches until the tip of main is this commit. */
  fetchUntil(sha: string): Promise<void>;
  stop(): Promise<void>;
}

const every = 10_000;

/** Serves the mirror in a folder; nothing is mirrored at first. */
export async function startDemoGit(directory: string): Promise<DemoGit> {
  const folder = join(directory, 'git');
  const unmade = makeFolder(folder);
  if (unmade !== null) throw new Error(unmade);
  const clock = fakeClock(Date.now());
  let mirrors: Awaited<ReturnType<typeof startMirrors>> | null = null;
  const reader = localGit(
    {
      states: () => mirrors?.states() ?? [],
      keepers: () => mirrors?.keepers() ?? [],
      keeper: (url) => mirrors?.keeper(url) ?? null,
      want: () => Promise.resolve(),
    },
    clock.now,
  );
  const socketPath = gitSocketPath(directory);
  const serving = await serveGit(socketPath, reader, silentLog);
  if (serving.type !== 'serving') throw new Error('the socket is taken');

  return {
    socketPath,
    async mirror(url) {
      mirrors = await startMirrors({
        ...{
          repositories: [
            {
              url,
              from: url,
              host: null,
              mirror: true,
              access: { user: null, token: null, key: null, knownHosts: null },
            },
          ],
          found: false,
          every,
          mostBytes: 1024 ** 3,
          folder,
        },
        ...{ environment: process.env, resolve: () => Promise.reject(new Error('no network')), clock, log: silentLog },
      });
    },
    async fetchUntil(sha) {
      const isThere = (): boolean => {
        clock.advance(every);
        return mirrors?.states()[0]?.branches.some((branch) => branch.sha === sha) ?? false;
      };
      await until(`the mirror to hold ${sha}`, isThere, 30_000);
    },
    async stop() {
      await serving.stop();
      await mirrors?.stop();
    },
  };
}
