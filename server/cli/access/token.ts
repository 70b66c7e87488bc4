import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { grantForms, readGrant, scopeSentences } from '#lib/domain/access/grant-text.ts';
import { union } from '#lib/domain/access/entitlement.ts';
import type { Grant } from '#lib/domain/access/scope.ts';
import { type Role, roles } from '#lib/domain/access/viewer.ts';
import { legibleInTerminal } from '#lib/domain/observation/legible.ts';
import { day } from '#lib/domain/time/length.ts';
import { parseDuration } from '#lib/domain/time/parse-duration.ts';
import { formatTime, shortTime } from '#lib/format/time.ts';
import { loadConfig } from '../../config/load-config.ts';
import { problemLine } from '../../config/problem.ts';
import { settingOf } from '../../config/process-settings.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { type AccessBook, accessBook, accessBookFile, type KeptToken } from '../../web/access/access-book.ts';
import { hashOf, isTokenId, newToken, tokenText } from '../../web/access/bearer-token.ts';
import { inColumns } from '../columns.ts';
import { dataDirectoryOf } from '../data-directory.ts';
import type { Output } from '../output.ts';

/** Options of `plumbline token` on the command line. */
export interface TokenOptions {
  /** Name of a new one. */
  readonly new?: string | undefined;
  readonly grant?: readonly string[] | undefined;
  readonly role?: readonly string[] | undefined;
  readonly expires?: string | undefined;
  readonly list?: boolean | undefined;
  readonly revoke?: readonly string[] | undefined;
  readonly config?: string | undefined;
  readonly data?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const longest = 400 * day;
const longestName = 100;
const defaultFile = 'plumbline.yaml';

/** `plumbline token`: makes a token for a machine, lists them, or revokes some. `now` in ms. Gives the exit code. */
export async function token(
  options: TokenOptions,
  environment: Environment,
  now: number,
  output: Output,
): Promise<number> {
  const asked = [options.new !== undefined, options.list === true, options.revoke !== undefined];
  if (asked.filter(Boolean).length !== 1) return misused('Say one of --new, --list and --revoke.', output);
  const ofNew = [options.grant, options.role, options.expires].some((option) => option !== undefined);
  if (options.new === undefined && ofNew) return misused('--grant, --role and --expires go with --new.', output);
  const directory = dataDirectoryOf(options.data, environment);
  if (!existsSync(directory)) return unusable(`there is no data directory ${directory}`, output);
  const book = accessBook(join(directory, accessBookFile));
  if (options.list) return print(book, now, output);
  if (options.revoke !== undefined) return revokeAll(book, options.revoke, now, output);
  const wish = wishOf(options, now);
  if (typeof wish === 'string') return misused(wish, output);
  const missing = await missingTeams(wish.teams, options, environment, output);
  return missing === exitCode.ok ? make(book, wish, now, output) : missing;
}

type Wish = Pick<KeptToken, 'name' | 'roles' | 'everything' | 'grants' | 'teams' | 'endsAt'>;

function wishOf(options: TokenOptions, now: number): Wish | string {
  const name = options.new ?? '';
  if (name.length > longestName || legibleInTerminal(name) !== name || /[\t\r\n]/.test(name) || name.trim() === '')
    return `"${legibleInTerminal(name).slice(0, longestName)}" is no name: say what the token is for, in at most ${longestName} letters.`;
  const lasting = parseDuration(options.expires ?? '');
  if (lasting === null || lasting <= 0 || lasting > longest)
    return `--expires must say for how long it opens: a duration such as 30d, at most ${longest / day}d.`;
  const given = options.grant ?? [];
  if (given.length === 0) return `--grant must say what it opens: ${grantForms}.`;
  const wrong = given.map((text) => [text, readGrant(text)] as const).find(([, { type }]) => type === 'none');
  if (wrong?.[1].type === 'none') return `"${wrong[0]}" is no grant: ${wrong[1].why}. It is ${grantForms}.`;
  const named = options.role ?? [];
  const unknown = named.find((role) => !isRole(role));
  if (unknown !== undefined) return `"${unknown}" is no role: ${roles.join(', ')}.`;
  const read = given.map(readGrant);
  return {
    name,
    roles: named.filter(isRole),
    everything: read.some(({ type }) => type === 'everything'),
    grants: read.flatMap((each) => (each.type === 'grant' ? [each.grant] : [])),
    teams: read.flatMap((each) => (each.type === 'team' ? [each.name] : [])),
    endsAt: now + lasting,
  };
}

function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}

/** Says which teams the configuration does not have; `ok` where it has all. */
async function missingTeams(
  teams: readonly string[],
  options: TokenOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  if (teams.length === 0) return exitCode.ok;
  const file = options.config ?? settingOf(environment, 'PLUMBLINE_CONFIG') ?? defaultFile;
  const loaded = await loadConfig(file, 'not-read');
  if (loaded.type === 'invalid') {
    for (const problem of loaded.problems) output.say(problemLine(file, problem));
    return exitCode.config;
  }
  const known: ReadonlyMap<string, readonly Grant[]> = loaded.config.auth?.teams ?? new Map();
  const missing = teams.find((team) => !known.has(team));
  if (missing === undefined) return exitCode.ok;
  output.say(`auth.teams of ${file} has no "${missing}". It has: ${[...known.keys()].join(', ') || 'none'}.`);
  return exitCode.config;
}

function make(book: AccessBook, wish: Wish, now: number, output: Output): number {
  const made = newToken();
  const kept = book.keepToken({ id: made.id, hash: hashOf(made), ...wish, madeAt: now, revokedAt: null });
  if (kept.type === 'unusable') return unusable(kept.why, output);
  output.out(tokenText(made));
  output.say(
    `This is shown once. It opens until ${formatTime(wish.endsAt, now)}, or until: plumbline token --revoke ${made.id}`,
  );
  return exitCode.ok;
}

function print(book: AccessBook, now: number, output: Output): number {
  const read = book.tokens(now);
  if (read.type === 'unusable') return unusable(read.why, output);
  if (read.tokens.length === 0) output.say('No token is kept here that has not ended.');
  else {
    const head = ['ID', 'NAME', 'OPENS', 'ROLES', 'MADE (UTC)', 'ENDS (UTC)', 'STATE'];
    for (const line of inColumns([head, ...read.tokens.map((each) => rowOf(each, now))])) output.out(line);
  }
  return exitCode.ok;
}

function rowOf(each: KeptToken, now: number): readonly string[] {
  const { id, name, everything, grants, teams, madeAt, endsAt, revokedAt } = each;
  const own = everything || grants.length > 0 ? scopeSentences(union([everything ? null : grants])) : [];
  const opens = [...teams.map((team) => `team:${team}`), ...own].join('; ');
  const state = revokedAt === null ? 'open' : `revoked ${shortTime(revokedAt, now)}`;
  const named = each.roles.length === 0 ? 'viewer' : each.roles.join(', ');
  return [id, name, opens, named, shortTime(madeAt, now), shortTime(endsAt, now), state];
}

function revokeAll(book: AccessBook, ids: readonly string[], now: number, output: Output): number {
  const wrong = ids.find((id) => !isTokenId(id));
  if (wrong !== undefined)
    return misused(
      `"${legibleInTerminal(wrong).slice(0, 30)}" is no id of a token (12 hex digits): nothing was revoked. plumbline token --list has them.`,
      output,
    );
  for (const id of ids) {
    const revoked = book.revokeToken(id, now);
    if (revoked.type === 'unusable') return unusable(revoked.why, output);
    if (!revoked.was) return misused(`No token ${id} is kept here. plumbline token --list has them.`, output);
    output.say(
      `The token ${id} is revoked: what is asked by it from now on is refused, and its streams end within 30 s.`,
    );
  }
  return exitCode.ok;
}

function misused(line: string, output: Output): number {
  output.say(line);
  return exitCode.usage;
}

function unusable(why: string, output: Output): number {
  output.say(`The list of tokens cannot be used: ${why}.`);
  return exitCode.unavailable;
}
