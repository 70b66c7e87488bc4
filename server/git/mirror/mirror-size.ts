import { opendir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bounds of a mirror on disk. */
export interface MirrorBounds {
  /** Of its packs. */
  readonly mostBytes: number;
  /** Branches and tags: git makes a file of each, and a host tells a hundred of them in some kilobytes. */
  readonly mostRefs: number;
}

/** Bound that a mirror has outgrown. */
export type Outgrown = 'bytes' | 'refs';

const watchEvery = 500;

/** Bytes of a mirror's packs, those that are being written among them, and how many packs there are. */
export async function sizeOf(directory: string): Promise<{ readonly bytes: number; readonly packs: number }> {
  const folder = join(directory, 'objects', 'pack');
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.slice(0, 10_000).map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    packs: names.filter((name) => name.endsWith('.pack')).length,
  };
}

/** The bound that a mirror has outgrown; null for none. */
export async function excessOf(directory: string, { mostBytes, mostRefs }: MirrorBounds): Promise<Outgrown | null> {
  if ((await sizeOf(directory)).bytes > mostBytes) return 'bytes';
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
