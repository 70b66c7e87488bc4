import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatBytes } from '#lib/format/number.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { copyStore } from '../../store/sqlite/copy-store.ts';
import { dataDirectoryOf } from '../data-directory.ts';
import type { Output } from '../output.ts';

/** Options of `plumbline backup`. */
export interface BackupOptions {
  /** The folder that the copies go to; made where it is missing. */
  readonly output: string;
  readonly data?: string | undefined;
}

/**
 * Everything that cannot be read anew from the clusters: the signed links, the tokens and ended sessions, and the record, which comes last: where it is
 * whole the backup is.
 */
const files: readonly string[] = ['links.db', 'access.db', 'plumbline.db'];

/** `plumbline backup`: copies the record, whole, whether Plumbline runs or not. Gives the exit code. */
export function backup(
  options: BackupOptions,
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
): number {
  const data = dataDirectoryOf(options.data, environment);
  const folder = resolve(options.output);
  if (!existsSync(join(data, 'plumbline.db'))) return noRecord(data, output);
  const unmade = makeFolder(folder);
  if (unmade !== null) {
    output.say(`No backup: ${folder} ${unmade}.`);
    return exitCode.unavailable;
  }
  for (const name of files) {
    const copy = copyStore(join(data, name), join(folder, name), 'own');
    switch (copy.type) {
      case 'copied':
        output.say(`${join(folder, name)}: ${formatBytes(statSync(join(folder, name)).size)}`);
        break;
      case 'missing':
        // No link was ever signed, no token made, no session ended.
        if (name !== 'plumbline.db') break;
        return noRecord(data, output);
      case 'exists':
        output.say(`No backup: ${join(folder, name)} is there already. Name another folder.`);
        return exitCode.usage;
      case 'failed':
        output.say(
          `No backup: ${join(data, name)} cannot be copied: ${copy.message}. What was begun in ${folder} is no backup.`,
        );
        return exitCode.unavailable;
    }
  }
  return exitCode.ok;
}

function noRecord(data: string, output: Output): number {
  output.say(`No backup: there is no record in ${data}.`);
  return exitCode.unavailable;
}
