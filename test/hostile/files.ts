import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';

/** Things to put in the place of a file of the data directory, that hold up whoever opens or reads them: each makes it at a path. */
export const hostileFiles: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to what never ends': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
};
