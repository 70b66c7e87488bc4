import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const name = 'simulated';

/** Marks a data directory: what is recorded in it was simulated, whoever reads it later. */
export function markSimulated(dataDirectory: string): void {
  writeFileSync(join(dataDirectory, name), 'What is recorded here was simulated: plumbline demo.\n');
}

/** True if what is recorded in a data directory was simulated. */
export function isSimulated(dataDirectory: string): boolean {
  return existsSync(join(dataDirectory, name));
}
