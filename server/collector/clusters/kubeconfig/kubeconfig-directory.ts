import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { ClusterAccess } from '../access.ts';
import type { KubeconfigOptions } from './kubeconfig-access.ts';
import { openKubeconfig } from './open-kubeconfig.ts';
import { saying } from '../redact.ts';

/** A change in the directory. `name`: the file's name without .yaml, .yml, .conf, .kubeconfig. */
export type DirectoryChange =
  | { readonly type: 'added' | 'changed'; readonly name: string; readonly file: string; readonly access: ClusterAccess }
  | { readonly type: 'removed'; readonly name: string; readonly file: string }
  /** The file is there and cannot be used; a cluster that ran from its former content runs on until `changed` or `removed`. */
  | { readonly type: 'invalid'; readonly name: string; readonly file: string; readonly message: string };

export type KubeconfigDirectory = ReturnType<typeof startKubeconfigDirectory>;

export interface KubeconfigDirectoryDeps {
  readonly directory: string;
  /** `filesWithin` is the directory itself where absent. */
  readonly options: KubeconfigOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly on: (change: DirectoryChange) => void;
  /** ms between two looks where the machine gives no notice of changes; default 30 s. */
  readonly pollEvery?: number;
}

const settle = 200;

/**
 * Watches a directory with one kubeconfig per file: by the machine's notices, and a slow poll for where there are none.
 */
export function startKubeconfigDirectory(deps: KubeconfigDirectoryDeps) {
  const { clock, pollEvery = 30_000 } = deps;
  const folder = resolve(deps.directory);
  const notices = createNotices(folder, () => schedule(settle));
  let stopped = false;
  const scan = createScan(deps, folder, (change) => {
    if (!stopped) deps.on(change);
  });
  let timer: Timer | null = null;
  let scanning = Promise.resolve();
  const firstScan = Promise.withResolvers<void>();

  function schedule(delay: number): void {
    timer?.cancel();
    if (stopped) return;
    timer = clock.after(delay, () => {
      notices.listen();
      scanning = scanning.then(scan).then(() => {
        firstScan.resolve();
        schedule(pollEvery);
      });
    });
  }

  schedule(0);
  return {
    /** Resolves when everything that was there at the start is known. */
    scanned: firstScan.promise,
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      notices.stop();
      await scanning;
    },
  };
}

/** Looks what has changed in the folder since the last look. */
function createScan(
  { options, log }: KubeconfigDirectoryDeps,
  folder: string,
  on: (change: DirectoryChange) => void,
): () => Promise<void> {
  const known = new Map<string, { readonly content: string; readonly name: string; usable: boolean }>();
  const within: KubeconfigOptions = { filesWithin: folder, ...options };
  let unreadable = '';

  async function filesIn(): Promise<ReadonlySet<string> | null> {
    try {
      const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => !entry.isDirectory());
      unreadable = '';
      return new Set(entries.filter(({ name }) => isKubeconfigName(name)).map(({ name }) => join(folder, name)));
    } catch (error) {
      const message = saying(error);
      if (message !== unreadable)
        log.warn({ directory: folder, message }, 'the directory of kubeconfigs cannot be read');
      unreadable = message;
      return null;
    }
  }

  async function readOne(file: string): Promise<void> {
    const name = clusterName(file.slice(folder.length + 1));
    const content = await readFile(file, 'utf8').catch(() => null);
    const before = known.get(file);
    // Gone between the listing and the reading: the next look removes it.
    if (content === null || content === before?.content) return;
    const opened = await openKubeconfig([file], null, within);
    known.set(file, { content, name, usable: before?.usable === true || opened.type === 'ok' });
    if (opened.type === 'invalid') on({ type: 'invalid', name, file, message: opened.message });
    else on({ type: before?.usable === true ? 'changed' : 'added', name, file, access: opened.access });
  }

  return async () => {
    const files = await filesIn();
    // A directory that cannot be read for a moment removes nothing.
    if (files === null) return;
    for (const [file, { name }] of [...known]) {
      if (files.has(file)) continue;
      known.delete(file);
      on({ type: 'removed', name, file });
    }
    for (const file of [...files].toSorted()) await readOne(file);
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

/** Left out: hidden files, among them the ..data of a mounted Secret, and what an editor leaves behind. */
function isKubeconfigName(name: string): boolean {
  return !name.startsWith('.') && !name.endsWith('~') && !/\.(swp|tmp|bak|crt|pem|key|token)$/.test(name);
}

function clusterName(file: string): string {
  return file.replace(/\.(ya?ml|conf|config|kubeconfig|json)$/, '');
}
