import { closeSync, openSync, readSync } from 'node:fs';

const atOnce = 1 << 22;

/** True if the bytes of a file hold a text, as UTF-8, Latin-1 or UTF-16. A file that is not there holds nothing. */
export function foundInFile(path: string, text: string): boolean {
  const forms = (['utf8', 'latin1', 'utf16le'] as const).map((encoding) => Buffer.from(text, encoding));
  const overlap = Math.max(...forms.map(({ length }) => length));
  const buffer = Buffer.alloc(atOnce + overlap);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    for (let kept = 0; ;) {
      const read = readSync(file, buffer, kept, atOnce, null);
      if (read === 0) return false;
      const part = buffer.subarray(0, kept + read);
      if (forms.some((form) => part.includes(form))) return true;
      // What stands across two parts is found in the next one.
      kept = Math.min(overlap, part.length);
      buffer.copyWithin(0, part.length - kept, part.length);
    }
  } finally {
    closeSync(file);
  }
}
