import { randomUUID } from 'node:crypto';
import { lstat, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hour } from '#lib/domain/time/length.ts';

/** Codes by which a system says that only the file itself may be written, not the folder around it. */
const onlyInPlace: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);

/**
 * Writes a file in place of what was there: whoever reads it finds the one or the other, whole, and a disk that is full costs nothing. A link
 * leads to the file that is replaced. A pipe or device, and a file whose folder may not be written, is written as it stands. Rejects where that
 * is not possible, and where another user has put a link or pipe there: it leads wherever they like. What an earlier run left beside it as it was
 * killed goes.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const named = await lstat(path).catch(() => null);
  if (named !== null && (named.isSymbolicLink() || named.isFIFO()) && isOfAnother(named.uid))
    throw new Error('it is a link or pipe of another user');
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile()) return writeFile(path, text);
  const target = found === null ? path : await realpath(path);
  const beside = `${target}.${randomUUID().slice(0, 8)}.part`;
  await removeLeftovers(target);
  try {
    await writeFile(beside, text, { flag: 'wx', ...(found === null ? {} : { mode: found.mode & 0o777 }) });
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    if (found !== null && error instanceof Error && 'code' in error && onlyInPlace.has(String(error.code)))
      return writeFile(target, text);
    throw error;
  }
}

/** Windows tells no users. What the system itself has put there, such as /dev/stdout, is of root. */
function isOfAnother(user: number): boolean {
  const own = process.geteuid?.();
  return own !== undefined && user !== own && user !== 0;
}

/** Takes away parts of this very file that are older than any run that still writes one; where that is not possible they stay. */
async function removeLeftovers(target: string): Promise<void> {
  const [folder, name] = [dirname(target), basename(target)];
  const parts = (await readdir(folder).catch(() => [])).filter(
    (found) => found.startsWith(`${name}.`) && /^\.[0-9a-f]{8}\.part$/.test(found.slice(name.length)),
  );
  for (const part of parts) {
    const path = join(folder, part);
    const found = await lstat(path).catch(() => null);
    if (found?.isFile() === true && found.mtimeMs < Date.now() - hour)
      await rm(path, { force: true }).catch(() => undefined);
  }
}
