import { type FSWatcher, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock, Timer } from '#server/runtime/clock.ts';
import type { Log } from '#server/runtime/log.ts';
import type { ClusterAccess } from '../transport/access.ts';
import { type KubeconfigOptions, openKubeconfig } from './kubeconfig.ts';
import { saying } from '../redact.ts';

/** What happens in the directory. `name`: the file's name without .yaml, .yml, .conf, .kubeconfig. */
export type DirectoryChange =
  | { readonly type: 'added' | 'changed'; readonly name: string; readonly file: string; readonly access: ClusterAccess }
  | { readonly type: 'removed'; readonly name: string; readonly file: string }
  /** The file is there and cannot be used; a cluster that ran from its former content runs on until it is told `changed` or `removed`. */
  | { readonly type: 'invalid'; readonly name: string; readonly file: string; readonly message: string };

export interface KubeconfigDirectory {
  /** Resolves when everything that was there at the start has been told. */
  readonly looked: Promise<void>;
  stop(): Promise<void>;
}

export interface KubeconfigDirectoryDeps {
  readonly directory: string;
  /** `filesWithin` is the directory itself where absent. */
  readonly options: KubeconfigOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly on: (change: DirectoryChange) => void;
  /** ms between two looks where the machine tells of no change; default 30 s. */
  readonly pollEvery?: number;
}

const settle = 200;

/** Watches a directory with one kubeconfig per file: by the machine's notices, and a slow poll for where there are none. */
export function startKubeconfigDirectory({
  directory,
  options,
  clock,
  log,
  on,
  pollEvery = 30_000,
}: KubeconfigDirectoryDeps): KubeconfigDirectory {
  const folder = resolve(directory);
  const known = new Map<string, { readonly content: string; readonly name: string; usable: boolean }>();
  const within: KubeconfigOptions = { filesWithin: folder, ...options };
  let stopped = false;
  let timer: Timer | null = null;
  let watcher: FSWatcher | null = null;
  let looking = Promise.resolve();
  let unreadable = '';
  const firstLook = Promise.withResolvers<void>();

  async function look(): Promise<void> {
    let names: string[];
    try {
      names = (await readdir(folder, { withFileTypes: true }))
        .filter((entry) => !entry.isDirectory())
        .map((entry) => entry.name);
      unreadable = '';
    } catch (error) {
      // A directory that cannot be read for a moment removes nothing.
      const message = saying(error);
      if (message !== unreadable)
        log.warn({ directory: folder, message }, 'the directory of kubeconfigs cannot be read');
      unreadable = message;
      return;
    }
    const files = new Set(names.filter(isKubeconfigName).map((name) => join(folder, name)));
    for (const [file, { name }] of [...known]) {
      if (files.has(file)) continue;
      known.delete(file);
      if (!stopped) on({ type: 'removed', name, file });
    }
    for (const file of [...files].toSorted()) await readOne(file);
  }

  async function readOne(file: string): Promise<void> {
    const name = clusterName(file.slice(folder.length + 1));
    const content = await readFile(file, 'utf8').catch(() => null);
    const before = known.get(file);
    // Gone between the listing and the reading: the next look removes it.
    if (content === null || content === before?.content) return;
    const opened = await openKubeconfig([file], null, within);
    if (stopped) return;
    known.set(file, { content, name, usable: before?.usable === true || opened.type === 'ok' });
    if (opened.type === 'invalid') on({ type: 'invalid', name, file, message: opened.message });
    else on({ type: before?.usable === true ? 'changed' : 'added', name, file, access: opened.access });
  }

  function schedule(delay: number): void {
    timer?.cancel();
    if (stopped) return;
    timer = clock.after(delay, () => {
      listen();
      looking = looking.then(look).then(() => {
        firstLook.resolve();
        schedule(pollEvery);
      });
    });
  }

  function listen(): void {
    if (watcher !== null || stopped) return;
    try {
      watcher = watch(folder, { persistent: false }, () => schedule(settle));
      watcher.on('error', () => {
        watcher?.close();
        watcher = null;
      });
    } catch {
      // The poll is left; it tries to listen again.
      watcher = null;
    }
  }

  schedule(0);
  return {
    looked: firstLook.promise,
    async stop() {
      stopped = true;
      timer?.cancel();
      watcher?.close();
      await looking;
    },
  };
}

/** Left out: hidden files, among them the ..data of a mounted Secret, and what an editor leaves behind. */
function isKubeconfigName(name: string): boolean {
  return !name.startsWith('.') && !name.endsWith('~') && !/\.(swp|tmp|bak|crt|pem|key|token)$/.test(name);
}

function clusterName(file: string): string {
  return file.replace(/\.(ya?ml|conf|config|kubeconfig|json)$/, '');
}
