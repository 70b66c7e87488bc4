import { existsSync } from 'node:fs';
import { shortTime } from '#lib/format/time.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { headOfSessionKeys, sessionKeyPath } from '../../web/access/session-keys.ts';
import { newKey, type SigningKey, signingKey, writeKeyFile } from '../../web/embeds/key-file.ts';
import { inColumns } from '../columns.ts';
import { dataDirectoryOf } from '../data-directory.ts';
import { keysAt } from '../link.ts';
import type { Output } from '../output.ts';

/** Options of `plumbline session-key` on the command line. */
export interface SessionKeyOptions {
  readonly new?: boolean | undefined;
  readonly list?: boolean | undefined;
  readonly revoke?: string | undefined;
  readonly data?: string | undefined;
}

/** `plumbline session-key`: makes a key that seals sessions, lists them, or revokes one with every session it has sealed. `now` in ms. Gives the exit code. */
export async function sessionKey(
  options: SessionKeyOptions,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
  output: Output,
): Promise<number> {
  const asked = [options.new === true, options.list === true, options.revoke !== undefined];
  if (asked.filter(Boolean).length !== 1) {
    output.say('Say one of --new, --list and --revoke.');
    return exitCode.usage;
  }
  const directory = dataDirectoryOf(options.data, environment);
  if (!existsSync(directory)) {
    output.say(`There is no data directory ${directory}: name it by --data.`);
    return exitCode.unavailable;
  }
  const path = sessionKeyPath(directory);
  const keys = await keysAt(path);
  if (typeof keys === 'string') {
    output.say(keys);
    return exitCode.config;
  }
  if (options.list) return print(keys, path, now, output);
  return options.revoke === undefined ? add(path, keys, now, output) : revoke(path, keys, options.revoke, output);
}

function print(keys: readonly SigningKey[], path: string, now: number, output: Output): number {
  if (keys.length === 0) output.say(`${path} has no key yet: the pages make one when they start with auth.oidc.`);
  else {
    const seals = signingKey(keys)?.id;
    const state = ({ id, revoked }: SigningKey): string => (revoked ? 'revoked' : id === seals ? 'seals' : 'opens');
    const rows = keys.map((key) => [key.id, shortTime(Date.parse(key.created), now), state(key)]);
    for (const line of inColumns([['ID', 'MADE (UTC)', 'STATE'], ...rows])) output.out(line);
  }
  return exitCode.ok;
}

async function add(path: string, keys: readonly SigningKey[], now: number, output: Output): Promise<number> {
  const key = newKey(now);
  if (!(await keep(path, [key, ...keys], output))) return exitCode.unavailable;
  output.say(`The key ${key.id} seals sessions from now on.`);
  const older = keys.filter(({ revoked }) => !revoked).map(({ id }) => id);
  if (older.length > 0) output.say(`Sessions of before stay open until their key is revoked: ${older.join(', ')}.`);
  return exitCode.ok;
}

async function revoke(path: string, keys: readonly SigningKey[], id: string, output: Output): Promise<number> {
  if (!keys.some((key) => key.id === id)) {
    output.say(`${path} has no key ${id.slice(0, 40)}. It has: ${keys.map((key) => key.id).join(', ') || 'none'}.`);
    return exitCode.usage;
  }
  const marked = keys.map((key) => (key.id === id ? { ...key, revoked: true } : key));
  if (!(await keep(path, marked, output))) return exitCode.unavailable;
  output.say(`The key ${id} is revoked: the sessions that it has sealed are over, and their streams end within 30 s.`);
  if (signingKey(marked) === null)
    output.say('No key is left, so nobody can log in: plumbline session-key --new makes one.');
  return exitCode.ok;
}

async function keep(path: string, keys: readonly SigningKey[], output: Output): Promise<boolean> {
  try {
    await writeKeyFile(path, keys, headOfSessionKeys);
    return true;
  } catch (error) {
    output.say(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
