import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';

/** The text of a file, or why there is none: words that follow its name ("does not exist"). */
export type BoundedText =
  | { readonly type: 'ok'; readonly text: string }
  | { readonly type: 'unreadable'; readonly why: string; readonly code: 'missing' | 'refused' };

/**
 * Reads a regular file of at most `most` bytes as UTF-8. Anything else is a value: a pipe or a device would block or never end.
 * `within`: the folder in which the file itself must lie, symbolic links followed, by no further name (hard link); null for anywhere.
 */
export async function readBoundedFile(
  path: string,
  { most, within = null }: { readonly most: number; readonly within?: string | null },
): Promise<BoundedText> {
  try {
    const real = await realpath(path);
    const folder = within === null ? null : { named: within, real: (await realpath(within)) + sep };
    if (folder !== null && !real.startsWith(folder.real)) return refused(outsideOf(folder));
    // Without O_NONBLOCK the opening of a pipe waits for a writer; the real path cannot become a link unnoticed.
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const found = await file.stat();
      const place = folder === null ? null : await placeOf(file);
      const why = folder === null ? null : whyNotWithin(folder, real, place);
      if (why !== null) return refused(why);
      // Its name was taken away, and it has another one: a hard link was looked at after it had been the second.
      if (place?.endsWith(' (deleted)') && found.nlink > 0) return gone;
      if (found.isDirectory()) return refused('is a folder, not a file');
      if (!found.isFile()) return refused('is no regular file');
      if (folder !== null && found.nlink > 1) return refused('is a hard link: the same file may lie elsewhere too');
      const chunks: Buffer[] = [];
      for await (const chunk of file.createReadStream({ end: most, autoClose: false })) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      if (bytes.length > most) return refused(`is larger than ${sizeText(most)}`);
      return { type: 'ok', text: bytes.toString('utf8') };
    } finally {
      await file.close();
    }
  } catch (error) {
    return unreadable(error);
  }
}

/** The folder in which a file must lie: as it was named, and its real path with a separator at the end. */
interface Folder {
  readonly named: string;
  readonly real: string;
}

/** Where an open file lies, with " (deleted)" behind it once that name was taken away; null where the system does not say so. */
async function placeOf({ fd }: FileHandle): Promise<string | null> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${fd}`).catch(() => null) : null;
}

/**
 * Why what was opened may not be read; null where it lies in the folder. A folder on the way to it may have become a link since the path
 * was resolved: Linux says what was opened, elsewhere only a file without a folder on the way is sure.
 */
function whyNotWithin(folder: Folder, real: string, opened: string | null): string | null {
  if (opened !== null) return opened.startsWith(folder.real) ? null : outsideOf(folder);
  return dirname(real) + sep === folder.real
    ? null
    : `does not lie directly in ${folder.named}, and this system cannot tell that it stays there`;
}

function outsideOf({ named }: Folder): string {
  return `lies outside of ${named}, which it may not`;
}

const gone: BoundedText = { type: 'unreadable', why: 'does not exist', code: 'missing' };

function refused(why: string): BoundedText {
  return { type: 'unreadable', why, code: 'refused' };
}

function unreadable(error: unknown): BoundedText {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return gone;
    case 'EISDIR':
      return refused('is a folder, not a file');
    case 'EACCES':
    case 'EPERM':
      return refused('may not be read');
    case 'ELOOP':
      return refused('is a link in a circle');
    case 'ENXIO':
      return refused('is no regular file');
    default:
      return refused(`cannot be read (${code})`);
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${bytes / 1_000_000} MB` : `${bytes / 1_000} KB`;
}
