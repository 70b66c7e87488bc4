import { existsSync } from 'node:fs';
import { EmbedTheme } from '#lib/api/embed.ts';
import type { EmbedForm, EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { parseScope, scopeForms, scopeText } from '#lib/domain/matrix/embed-scope.ts';
import { badgeHtml, badgeMarkdown, frameHeight, frameSnippet } from '#lib/format/embed-snippet.ts';
import { formatTime } from '#lib/format/time.ts';
import { day } from '#lib/domain/time/length.ts';
import { parseDuration } from '../config/duration.ts';
import { loadConfig } from '../config/load-config.ts';
import { problemLine } from '../config/problem.ts';
import { defaultPort } from '../config/process-settings.ts';
import { exitCode } from '../runtime/exit-code.ts';
import type { SigningKey } from '../web/embeds/key-file.ts';
import { newKey, readKeyFile, signingKey, writeKeyFile } from '../web/embeds/key-file.ts';
import { scopePage } from '../web/embeds/scope-page.ts';
import { signedLink } from '../web/embeds/signed-link.ts';
import type { Output } from './output.ts';

/** Options of `plumbline link` on the command line. */
export interface LinkOptions {
  readonly config?: string | undefined;
  readonly scope?: string | undefined;
  readonly expires?: string | undefined;
  readonly badge?: boolean | undefined;
  readonly theme?: string | undefined;
  readonly url?: string | undefined;
  readonly newKey?: boolean | undefined;
  readonly revoke?: string | undefined;
}

const defaultFile = 'plumbline.yaml';
const LONGEST = 400 * day;

/** `plumbline link`: signs a link, makes a key, or revokes one. `now` in ms. Gives the exit code. */
export async function link(
  options: LinkOptions,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
  output: Output,
): Promise<number> {
  const asked = [options.scope !== undefined, options.newKey === true, options.revoke !== undefined];
  if (asked.filter(Boolean).length !== 1) {
    output.say('Say one of --scope, --new-key and --revoke.');
    return exitCode.usage;
  }
  const file = options.config ?? environment['PLUMBLINE_CONFIG'] ?? defaultFile;
  if (options.config === undefined && !existsSync(file)) {
    output.say(`There is no ${file}: name the configuration by --config.`);
    return exitCode.config;
  }
  const loaded = await loadConfig(file, 'not-read');
  if (loaded.type === 'invalid') {
    for (const problem of loaded.problems) output.say(problemLine(file, problem));
    return exitCode.config;
  }
  const { keys: path, frameAncestors } = loaded.config.embeds;
  if (path === null) {
    output.say(`${file} names no file of keys. Add:\n\nembeds:\n  keys: ./embed-keys.yaml\n`);
    return exitCode.config;
  }
  const read = await keysAt(path);
  if (typeof read === 'string') {
    output.say(read);
    return exitCode.config;
  }
  if (options.newKey) return addKey(path, read, now, output);
  if (options.revoke !== undefined) return revokeKey(path, read, options.revoke, output);
  return printLink(options, { path, keys: read, frameAncestors }, now, output);
}

/** The keys of the file, none where it is not there yet; or what is wrong with it. */
async function keysAt(path: string): Promise<readonly SigningKey[] | string> {
  const read = await readKeyFile(path);
  if (read.type === 'keys') return read.keys;
  switch (read.why) {
    case 'missing':
      return [];
    case 'exposed':
      return `Others than its owner may read or change ${path}, so it opens nothing: chmod 600 ${path}`;
    case 'unreadable':
      return `${path} cannot be read.`;
    case 'malformed':
      return `${path} is no file of keys.`;
  }
}

async function addKey(path: string, keys: readonly SigningKey[], now: number, output: Output): Promise<number> {
  const key = newKey(now);
  if (!(await keep(path, [key, ...keys], output))) return exitCode.unavailable;
  output.say(`The key ${key.id} in ${path} signs from now on.`);
  const older = keys.filter(({ revoked }) => !revoked).map(({ id }) => id);
  if (older.length > 0)
    output.say(`What was signed before goes on to open until its key is revoked: ${older.join(', ')}.`);
  return exitCode.ok;
}

async function revokeKey(path: string, keys: readonly SigningKey[], id: string, output: Output): Promise<number> {
  if (!keys.some((key) => key.id === id)) {
    output.say(`${path} has no key ${id}. It has: ${keys.map((key) => key.id).join(', ') || 'none'}.`);
    return exitCode.usage;
  }
  const marked = keys.map((key) => (key.id === id ? { ...key, revoked: true } : key));
  if (!(await keep(path, marked, output))) return exitCode.unavailable;
  output.say(`The key ${id} is revoked: what it has signed opens nothing any more.`);
  if (signingKey(marked) === null) output.say('No key is left that signs: plumbline link --new-key makes one.');
  return exitCode.ok;
}

async function keep(path: string, keys: readonly SigningKey[], output: Output): Promise<boolean> {
  try {
    await writeKeyFile(path, keys);
    return true;
  } catch (error) {
    output.say(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

interface LinkWish {
  readonly scope: EmbedScope;
  readonly theme: EmbedTheme;
  readonly expires: number;
  readonly origin: string;
}

function wishOf(options: LinkOptions, now: number): LinkWish | string {
  const scope = parseScope(options.scope ?? '');
  if (scope === null) return `"${options.scope}" is no scope. It is one of ${scopeForms}.`;
  const lasting = parseDuration(options.expires ?? '90d');
  if (lasting === null || lasting <= 0 || lasting > LONGEST)
    return `"${options.expires}" is no time to open for: a duration such as 90d, at most ${LONGEST / day}d.`;
  const theme = EmbedTheme.safeParse(options.theme ?? 'auto');
  if (!theme.success) return `"${options.theme}" is no theme: auto, light or dark.`;
  const url = URL.parse(options.url ?? `http://localhost:${defaultPort}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return `"${options.url}" is not where pages are served: an address such as https://plumbline.example.org.`;
  return { scope, theme: theme.data, expires: now + lasting, origin: url.origin };
}

function printLink(
  options: LinkOptions,
  ring: { readonly path: string; readonly keys: readonly SigningKey[]; readonly frameAncestors: readonly string[] },
  now: number,
  output: Output,
): number {
  const wish = wishOf(options, now);
  if (typeof wish === 'string') {
    output.say(wish);
    return exitCode.usage;
  }
  const key = signingKey(ring.keys);
  if (key === null) {
    output.say(`${ring.path} has no key that signs: plumbline link --new-key makes one.`);
    return exitCode.config;
  }
  const form: EmbedForm = options.badge ? 'badge' : 'embed';
  const { scope, theme, expires, origin } = wish;
  const url = `${origin}${signedLink({ scope, form, theme, expires }, key)}`;
  const page = `${origin}${scopePage(scope)}`;
  const title = scopeText(scope);
  output.out(url);
  const snippets =
    form === 'badge'
      ? [badgeMarkdown({ url, page, title }), badgeHtml({ url, page, title })]
      : [frameSnippet({ url, title }, frameHeight(scope))];
  for (const snippet of snippets) output.out(`\n${snippet}`);
  output.say(`Opens until ${formatTime(expires, now)}, or until the key ${key.id} is revoked.`);
  if (form === 'embed' && ring.frameAncestors.length === 0)
    output.say('No site may frame it yet: name those that may under embeds.frameAncestors in the configuration.');
  return exitCode.ok;
}
