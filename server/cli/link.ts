import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EmbedTheme } from '#lib/api/embed.ts';
import type { EmbedForm, EmbedScope } from '#lib/domain/matrix/embed-scope.ts';
import { parseScope, scopeForms, scopeText } from '#lib/domain/matrix/embed-scope.ts';
import { badgeHtml, badgeMarkdown, frameHeight, frameSnippet } from '#lib/format/embed-snippet.ts';
import { formatTime } from '#lib/format/time.ts';
import { day } from '#lib/domain/time/length.ts';
import { parseDuration } from '#lib/domain/time/parse-duration.ts';
import { loadConfig } from '../config/load-config.ts';
import { problemLine } from '../config/problem.ts';
import { defaultPort, settingOf } from '../config/process-settings.ts';
import { exitCode } from '../runtime/exit-code.ts';
import type { SigningKey } from '../web/embeds/key-file.ts';
import { newKey, readKeyFile, signingKey, writeKeyFile } from '../web/embeds/key-file.ts';
import { isLinkId, linkList, linkListFile, newLinkId, type NewLink } from '../web/embeds/link-list.ts';
import { scopePage } from '../web/embeds/scope-page.ts';
import { signedLink } from '../web/embeds/signed-link.ts';
import { dataDirectoryOf } from './data-directory.ts';
import type { Output } from './output.ts';

/** Options of `plumbline link` on the command line. */
export interface LinkOptions {
  readonly config?: string | undefined;
  readonly scope?: string | undefined;
  readonly expires?: string | undefined;
  readonly badge?: boolean | undefined;
  readonly theme?: string | undefined;
  readonly url?: string | undefined;
  readonly data?: string | undefined;
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
  const file = options.config ?? settingOf(environment, 'PLUMBLINE_CONFIG') ?? defaultFile;
  if (options.config === undefined && !existsSync(file)) {
    output.say(`There is no ${file}: name the configuration by --config.`);
    return exitCode.config;
  }
  const loaded = await loadConfig(file, 'not-read');
  if (loaded.type === 'invalid') {
    for (const problem of loaded.problems) output.say(problemLine(file, problem));
    return exitCode.config;
  }
  const { embeds, publicUrl } = loaded.config;
  const { keys: path, frameAncestors } = embeds;
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
  const data = dataDirectoryOf(options.data, environment);
  return printLink(
    { ...options, data, url: options.url ?? publicUrl ?? undefined },
    { path, keys: read, frameAncestors },
    now,
    output,
  );
}

/** The keys of the file at a path, none where it is not there yet; or a line that says what is wrong with it. */
export async function keysAt(path: string): Promise<readonly SigningKey[] | string> {
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
    if (isLinkId(id)) output.say(`That is the id of one link: plumbline links --revoke ${id}`);
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

/** The id of a link, kept in the list of the data directory where there is one; null, having said why, where it cannot be kept. */
function idOf(link: NewLink, data: string, output: Output): string | null {
  if (!existsSync(data)) {
    output.say(
      `There is no data directory ${data} (--data): the link is in no list, but can be revoked by its id all the same.`,
    );
    return newLinkId();
  }
  const kept = linkList(join(data, linkListFile)).keep(link);
  if (kept.type === 'kept') return kept.link.id;
  output.say(
    `No link was made, because it could not be kept: ${kept.type === 'unusable' ? kept.why : 'the list is full'}.`,
  );
  return null;
}

function printLink(
  options: LinkOptions & { readonly data: string },
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
  const title = scopeText(scope);
  const id = idOf({ scope: title, key: key.id, by: 'command', madeAt: now, endsAt: expires }, options.data, output);
  if (id === null) return exitCode.unavailable;
  const url = `${origin}${signedLink({ scope, form, theme, expires, id }, key)}`;
  const page = `${origin}${scopePage(scope)}`;
  output.out(url);
  const snippets =
    form === 'badge'
      ? [badgeMarkdown({ url, page, title }), badgeHtml({ url, page, title })]
      : [frameSnippet({ url, title }, frameHeight(scope))];
  for (const snippet of snippets) output.out(`\n${snippet}`);
  output.say(`Opens until ${formatTime(expires, now)}, or until it is revoked: plumbline links --revoke ${id}`);
  if (form === 'embed' && ring.frameAncestors.length === 0)
    output.say('No site may frame it yet: name those that may under embeds.frameAncestors in the configuration.');
  return exitCode.ok;
}
