import { existsSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { exitCode } from '../../runtime/exit-code.ts';
import { describeOpenRefusal } from '../../store/port/open-refusal.ts';
import { writerName } from '../../store/port/instance.ts';
import { copyStore } from '../../store/sqlite/copy-store.ts';
import { restoreStore, type StoreRestore } from '../../store/sqlite/restore-store.ts';
import { dataDirectoryOf } from '../data-directory.ts';
import type { Output } from '../output.ts';

/** Options of `plumbline restore`. */
export interface RestoreOptions {
  /** The folder that a backup went to. */
  readonly from: string;
  readonly data?: string | undefined;
  /** A record that is there may go. */
  readonly replace?: boolean | undefined;
}

/** `plumbline restore`: puts a backup in place of the record at `now` (ms), whole or not at all. Gives the exit code. */
export function restore(
  options: RestoreOptions,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
  output: Output,
): number {
  const data = dataDirectoryOf(options.data, environment);
  const from = resolve(options.from);
  const self = { host: hostname(), pid: process.pid, since: now };
  const result = restoreStore(join(from, 'plumbline.db'), join(data, 'plumbline.db'), options.replace === true, self);
  if (result.type !== 'restored') {
    output.say(`Nothing was restored: ${whyNot(result, data)}.`);
    return result.type === 'exists' ? exitCode.usage : exitCode.unavailable;
  }
  output.say(`The record in ${data} is that of ${from}.`);
  if (result.older !== null)
    output.say(`It is of version ${result.older}: the collector brings it to that of this program when it starts.`);
  const lists = [links, access].map((list) => restoreList(list, from, data));
  for (const { line } of lists) output.say(line);
  return Math.max(...lists.map(({ code }) => code));
}

function whyNot(result: Exclude<StoreRestore, { type: 'restored' }>, data: string): string {
  switch (result.type) {
    case 'exists':
      return `a record is in ${data} already. --replace puts the backup in its place, and it is gone then`;
    case 'held':
      return `a collector writes ${data}${result.by === null ? '' : ` (${writerName(result.by)})`}. Stop Plumbline, and run this again`;
    case 'read':
      return `somebody reads the record in ${data}. Stop Plumbline, and run this again`;
    case 'failed':
      return `the backup cannot be put in place: ${result.message}`;
    case 'missing':
    case 'unreleased':
    case 'newer':
    case 'older':
    case 'corrupt':
    case 'unusable':
      return describeOpenRefusal(result);
  }
}

/** A list that is kept beside the record, in words. */
interface KeptList {
  readonly file: string;
  /** At the beginning of a sentence. */
  readonly name: string;
  readonly none: string;
  /** Says which things its copy may open again that were closed since. */
  readonly opens: string;
}

const links: KeptList = {
  file: 'links.db',
  name: 'Signed links',
  none: 'The backup has no signed links.',
  opens: 'what was revoked after it opens again, so revoke it anew.',
};

const access: KeptList = {
  file: 'access.db',
  name: 'Tokens and ended sessions',
  none: 'The backup has no tokens, and no sessions that ended before their time.',
  opens:
    'tokens that were revoked and sessions that ended after it open again, so revoke those tokens and the keys of sessions anew.',
};

/**
 * Puts a list in place where there is none. One that is there stays: it knows what was revoked since the backup, and what was revoked is not to open
 * again.
 */
function restoreList({ file, name, none, opens }: KeptList, from: string, data: string): ListRestore {
  const [kept, here] = [join(from, file), join(data, file)];
  if (!existsSync(kept)) return { code: exitCode.ok, line: none };
  const part = `${here}.restoring`;
  rmSync(part, { force: true });
  // Half a list would be taken, the next time, for one that knows what was revoked.
  const copy = existsSync(here) ? ({ type: 'exists' } as const) : copyStore(kept, part, 'elsewhere');
  switch (copy.type) {
    case 'copied':
      renameSync(part, here);
      return { code: exitCode.ok, line: `${name} are those of the backup: ${opens}` };
    case 'exists':
      return { code: exitCode.ok, line: `${name} in ${data} stay: they know what was revoked since.` };
    case 'missing':
    case 'failed':
      rmSync(part, { force: true });
      return {
        code: exitCode.unavailable,
        line: `${name} are not restored: ${copy.type === 'failed' ? copy.message : copy.type}.`,
      };
  }
}

/** The exit code of a list, and the line that says so. */
interface ListRestore {
  readonly code: number;
  readonly line: string;
}
