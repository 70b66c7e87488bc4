import { lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#server/runtime/log.ts';

/** Leftovers that are so old (ms) go. */
const keptFor = 86_400_000;
/** Entries of the folder that are looked at, and that are removed, at once: the next look goes on. */
const mostLooked = 10_000;
const mostRemoved = 20;

/** Entries that mirrors make, and nothing else: a mirror, one that was set aside, and what is remembered of it. */
const ours = /^(?<id>[0-9a-f]{16})(?<ending>\.git|\.git\.broken|\.json|\.json\.part)$/;

/** Mirrors that stay, by `mirrorId`; those that go now; all others go a day after their last fetch. */
export interface Leftovers {
  readonly isKept: (id: string) => boolean;
  readonly isUnwanted: (id: string) => boolean;
}

/**
 * Removes from the folder of the mirrors what nobody wants any more, and copies that were set aside a day before `now` (ms). Follows no link:
 * nothing outside of the folder is touched. Never rejects; what cannot be removed is said and tried again at the next look.
 */
export async function removeLeftovers(
  folder: string,
  { isKept, isUnwanted }: Leftovers,
  { now, log }: { readonly now: number; readonly log: Log },
): Promise<void> {
  let removed = 0;
  for (const { name, id, ending } of await entriesOf(folder)) {
    if (removed >= mostRemoved) return;
    const isAside = ending === '.git.broken';
    if (isKept(id) && !isAside) continue;
    const since = await lastUsed(folder, id, name);
    if (since === null || (now - since < keptFor && (isKept(id) || !isUnwanted(id)))) continue;
    removed += 1;
    const file = join(folder, name);
    try {
      await rm(file, { recursive: true, force: true });
      log.info(
        { file },
        isAside ? 'a broken mirror that was set aside is removed' : 'a mirror that nobody wants is removed',
      );
    } catch (error) {
      log.warn({ file, err: error }, 'a mirror that nobody wants cannot be removed');
    }
  }
}

async function entriesOf(folder: string) {
  const found: { readonly name: string; readonly id: string; readonly ending: string }[] = [];
  try {
    let looked = 0;
    for await (const { name } of await opendir(folder)) {
      if ((looked += 1) > mostLooked) break;
      const { id, ending } = ours.exec(name)?.groups ?? {};
      if (id !== undefined && ending !== undefined) found.push({ name, id, ending });
    }
  } catch {
    // A folder that cannot be read now holds nothing that can be removed now.
    return [];
  }
  // What is remembered of a mirror says when it was used last: it goes after it.
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** When an entry was used last (ms): of a mirror, when it was fetched last. null of what is neither file nor folder. */
async function lastUsed(folder: string, id: string, name: string): Promise<number | null> {
  const own = await lstat(join(folder, name)).catch(() => null);
  if (own === null || !(name.endsWith('.json') || name.endsWith('.part') ? own.isFile() : own.isDirectory()))
    return null;
  if (!name.endsWith('.git')) return own.mtimeMs;
  const remembered = await lstat(join(folder, `${id}.json`)).catch(() => null);
  return remembered?.mtimeMs ?? own.mtimeMs;
}
