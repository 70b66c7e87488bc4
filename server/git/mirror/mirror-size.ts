import { opendir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bounds of a mirror on disk. */
export interface MirrorBounds {
  /** Of its objects. */
  readonly mostBytes: number;
  /**
   * Branches and tags: git makes a file of each, and a host tells a hundred of them in some kilobytes. Objects that stand in files of their own
   * too: hosts that know nothing of git send them so.
   */
  readonly mostRefs: number;
}

/** Bound that a mirror has outgrown. */
export type Outgrown = 'bytes' | 'refs' | 'objects';

const watchEvery = 500;

/**
 * Bytes of a mirror's objects, those that are being written among them, how many packs there are, and how many objects beside them. Where it
 * is over `most` it may be larger still.
 */
export async function sizeOf(
  directory: string,
  most: MirrorBounds,
): Promise<{ readonly bytes: number; readonly packs: number; readonly loose: number }> {
  const packs = await packsOf(directory);
  const loose = await looseOf(directory, { ...most, mostBytes: most.mostBytes - packs.bytes });
  return { bytes: packs.bytes + loose.bytes, packs: packs.count, loose: loose.count };
}

interface Sum {
  readonly bytes: number;
  readonly count: number;
}

async function packsOf(directory: string): Promise<Sum> {
  const folder = join(directory, 'objects', 'pack');
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.slice(0, 10_000).map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    count: names.filter((name) => name.endsWith('.pack')).length,
  };
}

/** Objects in files of their own; it looks at no more than are over the bounds. */
async function looseOf(directory: string, { mostBytes, mostRefs }: MirrorBounds): Promise<Sum> {
  const objects = join(directory, 'objects');
  const folders = await readdir(objects).catch(() => []);
  let [bytes, count] = [0, 0];
  for (const folder of folders.filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    const opened = await opendir(join(objects, folder), { bufferSize: 1_024 }).catch(() => null);
    if (opened === null) continue;
    try {
      for await (const { name } of opened) {
        bytes += (await stat(join(objects, folder, name)).catch(() => null))?.size ?? 0;
        if (++count > mostRefs || bytes > mostBytes) return { bytes, count };
      }
    } catch {
      continue;
    }
  }
  return { bytes, count };
}

/** The bound that a mirror has outgrown; null for none. */
export async function excessOf(directory: string, most: MirrorBounds): Promise<Outgrown | null> {
  const { mostBytes, mostRefs } = most;
  const { bytes, loose } = await sizeOf(directory, most);
  if (bytes > mostBytes) return 'bytes';
  if (loose > mostRefs) return 'objects';
  return (await hasMoreThan(mostRefs, join(directory, 'refs'))) ? 'refs' : null;
}

/** True where more than `most` files and folders stand in a folder and beneath it; it looks at no more than that. */
async function hasMoreThan(most: number, top: string): Promise<boolean> {
  const folders = [top];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const opened = await opendir(folder, { bufferSize: 1_024 }).catch(() => null);
    if (opened === null) continue;
    // What git removes meanwhile is none.
    try {
      for await (const entry of opened) {
        if (++seen > most) return true;
        if (entry.isDirectory()) folders.push(join(folder, entry.name));
      }
    } catch {
      continue;
    }
  }
  return false;
}

/** Looks at a mirror while it is fetched, and stops the fetch where it outgrows its bounds. */
export function watchSize(directory: string, most: MirrorBounds, ended: AbortSignal) {
  const stopper = new AbortController();
  let found: Outgrown | null = null;
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void excessOf(directory, most).then((excess) => {
      looking = false;
      if (excess === null) return;
      found = excess;
      stopper.abort();
    });
  }, watchEvery);
  return {
    signal: AbortSignal.any([stopper.signal, ended]),
    /** The bound that it has outgrown; null for none so far. */
    outgrown: () => found,
    stop: () => clearInterval(timer),
  };
}
