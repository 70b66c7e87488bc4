import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes a folder (absolute) where it is missing, with those above it, for its owner alone. Gives words that follow its name ("is a file, not a folder") where it cannot be; null where it is there. */
export function makeFolder(path: string): string | null {
  return saying('made', () => make(path));
}

/**
 * Words on why nothing can ever be kept in a folder (absolute), which is made where it is missing; null where something can, or may yet: a disk
 * that is full or may only be read is told on the pages, and is recorded on as soon as it can be.
 */
export function whyNothingIsKept(path: string): string | null {
  return makeFolder(path) ?? saying('written', () => probe(path));
}

const passing: ReadonlySet<string> = new Set(['EROFS', 'ENOSPC', 'EDQUOT', 'EIO']);

function probe(path: string): void {
  try {
    rmdirSync(mkdtempSync(join(path, '.probe-')));
  } catch (error) {
    if (!passing.has(codeOf(error))) throw error;
  }
}

/** In steps of our own: `recursive` of Node never ends where the kernel says ENOENT of what has a parent, as in /proc. */
function make(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (!existsSync(parent)) make(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

function saying(done: string, act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    const code = codeOf(error);
    switch (code) {
      case 'EEXIST':
        return 'is a file, not a folder';
      case 'ENOTDIR':
        return `cannot be ${done}: something on the way to it is a file`;
      case 'EACCES':
      case 'EPERM':
        return `may not be ${done}`;
      default:
        return `cannot be ${done} (${code})`;
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
