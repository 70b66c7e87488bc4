import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { parseForeign, type ForeignObject } from '#lib/foreign.ts';

// Written over in place and never longer: that needs no room on a disk that is full.
const length = 1_024;

/** Says something as JSON in a small file beside the store, for its owner alone. It is no matter where this cannot be said. */
export function writeSideFile(path: string, said: object): void {
  withSideFile(path, constants.O_RDWR | constants.O_CREAT, (file) => {
    writeSync(file, JSON.stringify(said).padEnd(length), 0);
    ftruncateSync(file, length);
  });
}

/** JSON that was said in such a file; null where nothing was. */
export function readSideFile(path: string): ForeignObject | null {
  return withSideFile(path, constants.O_RDONLY, (file) => {
    const bytes = Buffer.alloc(length);
    return parseForeign(bytes.toString('utf8', 0, readSync(file, bytes, 0, length, 0)));
  });
}

/** Gives what `use` makes of the open file; null where it cannot be had. A link, a pipe or a device under its name is left alone. */
function withSideFile<Result>(path: string, flags: number, use: (file: number) => Result): Result | null {
  try {
    // A pipe is opened without waiting for who has its other end.
    const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
    try {
      return fstatSync(file).isFile() ? use(file) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}
