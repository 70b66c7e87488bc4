import { type FSWatcher, watch } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import { createScan, type DirectoryChange } from './directory-scan.ts';
import type { KubeconfigOptions } from './kubeconfig-access.ts';

export type KubeconfigDirectory = ReturnType<typeof startKubeconfigDirectory>;

export interface KubeconfigDirectoryDeps {
  readonly directory: string;
  /** True: its kubeconfigs may be, and may name, files outside of it. */
  readonly trusted: boolean;
  readonly options: KubeconfigOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly on: (change: DirectoryChange) => void;
  /** ms between two looks where the machine gives no notice of changes; default 30 s. */
  readonly pollEvery?: number;
}

const settle = 200;

/** Looks into a directory once: everything that is there, as changes from nothing. */
export async function readKubeconfigDirectory(
  deps: Omit<KubeconfigDirectoryDeps, 'clock' | 'on' | 'pollEvery'>,
): Promise<readonly DirectoryChange[]> {
  const found: DirectoryChange[] = [];
  await createScan(deps, resolve(deps.directory), (change) => void found.push(change))();
  return found;
}

/**
 * Watches a directory with one kubeconfig per file: by the machine's notices, and a slow poll for where there are none.
 */
export function startKubeconfigDirectory(deps: KubeconfigDirectoryDeps) {
  const { clock, pollEvery = 30_000 } = deps;
  const folder = resolve(deps.directory);
  const notices = createNotices(folder, noticed);
  let stopped = false;
  const scan = createScan({ ...deps, isEnded: () => stopped }, folder, (change) => {
    if (!stopped) deps.on(change);
  });
  let timer: Timer | null = null;
  /** True from a notice until the look that it asks for begins. */
  let wanted = false;
  let looking: Promise<void> | null = null;
  const firstScan = Promise.withResolvers<void>();

  function schedule(delay: number): void {
    timer?.cancel();
    if (stopped) return;
    timer = clock.after(delay, () => {
      timer = null;
      looking = look();
    });
  }

  /** The first notice sets the time of the next look. One that moved it could be followed by others without end. */
  function noticed(): void {
    if (wanted) return;
    wanted = true;
    if (looking === null) schedule(settle);
  }

  async function look(): Promise<void> {
    wanted = false;
    notices.listen();
    const began = clock.now();
    await scan();
    firstScan.resolve();
    looking = null;
    // A notice that came during the look must not wait for the poll. Of thousands of files a look takes long, and they may change without end.
    schedule(wanted ? Math.min(Math.max(settle, clock.now() - began), pollEvery) : pollEvery);
  }

  schedule(0);
  return {
    /** Resolves when everything that was there at the start is known. */
    scanned: firstScan.promise,
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      notices.stop();
      await looking;
    },
  };
}

/** The machine's notices of changes in a folder, where it gives them. */
function createNotices(folder: string, onNotice: () => void) {
  let watcher: FSWatcher | null = null;
  return {
    listen(): void {
      if (watcher !== null) return;
      try {
        watcher = watch(folder, { persistent: false }, onNotice);
        watcher.on('error', () => {
          watcher?.close();
          watcher = null;
        });
      } catch {
        // The poll is left; it tries to listen again.
        watcher = null;
      }
    },
    stop: (): void => watcher?.close(),
  };
}
