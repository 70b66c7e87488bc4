import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync, writeSync, openSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function mark(change: '+i' | '-i', paths: readonly string[]): void {
  execFileSync('chattr', [change, ...paths], { stdio: 'pipe' });
}

/** The folder and every file in it, but the memory that the engine shares between processes: on a read-only disk it is still memory. */
function everythingIn(directory: string): readonly string[] {
  const files = readdirSync(directory).filter((name) => !name.endsWith('-shm'));
  return [...files.map((name) => join(directory, name)), directory];
}

/**
 * Takes every write away from a folder, also from files that are open for writing, as a disk does that went read-only
 * under a running process. A remount cannot be had for that: the kernel refuses it while such files are open.
 */
export function freeze(directory: string): void {
  mark('+i', everythingIn(directory));
}

/** Gives it back. */
export function thaw(directory: string): void {
  mark('-i', everythingIn(directory).toReversed());
}

/** Why `freeze` cannot be had here (it wants Linux, its administrator and a file system that knows it); null where it can. */
export function whyNotFreeze(): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-freeze-'));
  const path = join(directory, 'file');
  writeFileSync(path, '');
  const file = openSync(path, 'r+');
  try {
    freeze(directory);
    try {
      writeSync(file, 'x');
      return 'an immutable file takes writes here';
    } catch {
      return null;
    } finally {
      thaw(directory);
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}
