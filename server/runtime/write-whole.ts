import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/** Codes by which a system says that only the file itself may be written, not the folder around it. */
const onlyInPlace: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);

/**
 * Writes a file in place of what was there: whoever reads it finds the one or the other, whole, and a disk that is full costs nothing. A link
 * leads to the file that is replaced. A pipe or device, and a file whose folder may not be written, is written as it stands. Rejects where that
 * is not possible.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile()) return writeFile(path, text);
  const target = found === null ? path : await realpath(path);
  const beside = `${target}.${randomUUID().slice(0, 8)}.part`;
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
