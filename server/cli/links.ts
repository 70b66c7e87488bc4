import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countOf } from '#lib/format/number.ts';
import { shortTime } from '#lib/format/time.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { isLinkId, linkList, linkListFile, type KeptLink, type LinkList } from '../web/embeds/link-list.ts';
import { inColumns } from './columns.ts';
import { dataDirectoryOf } from './data-directory.ts';
import type { Output } from './output.ts';

/** Options of `plumbline links` on the command line. */
export interface LinksOptions {
  readonly data?: string | undefined;
  /** Ids of links, or links. */
  readonly revoke?: readonly string[] | undefined;
}

/** `plumbline links`: lists the signed links that were made and have not ended, or revokes some of them. `now` in ms. Gives the exit code. */
export function links(
  { data, revoke }: LinksOptions,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
  output: Output,
): number {
  const directory = dataDirectoryOf(data, environment);
  if (!existsSync(directory)) return unusable(`there is no data directory ${directory}`, output);
  const list = linkList(join(directory, linkListFile));
  return revoke === undefined ? print(list, now, output) : revokeAll(list, revoke, now, output);
}

function print(list: LinkList, now: number, output: Output): number {
  const read = list.read(now);
  if (read.type === 'unusable') return unusable(read.why, output);
  if (read.links.length === 0) output.say('No link is kept here that has not ended.');
  else {
    const head = ['ID', 'SCOPE', 'MADE BY', 'MADE (UTC)', 'ENDS (UTC)', 'KEY', 'STATE'];
    for (const line of inColumns([head, ...read.links.map((link) => rowOf(link, now))])) output.out(line);
  }
  if (read.others.length > 0) output.say(`Revoked too, made elsewhere: ${read.others.join(', ')}.`);
  return exitCode.ok;
}

function rowOf({ id, scope, by, madeAt, endsAt, key, revokedAt }: KeptLink, now: number): readonly string[] {
  const state = revokedAt === null ? 'open' : `revoked ${shortTime(revokedAt, now)}`;
  return [id, scope, by, shortTime(madeAt, now), shortTime(endsAt, now), key, state];
}

function revokeAll(list: LinkList, asked: readonly string[], now: number, output: Output): number {
  const ids: string[] = [];
  for (const text of asked) {
    const id = isLinkId(text) ? text : URL.parse(text, 'http://localhost')?.searchParams.get('id');
    if (id === undefined || id === null || !isLinkId(id)) {
      output.say(`"${text}" is no id of a link (16 hex digits), nor a link that has one: nothing was revoked.`);
      output.say(
        'A link without an id was made before there were any: it closes with its key (plumbline link --revoke KEY).',
      );
      return exitCode.usage;
    }
    ids.push(id);
  }
  const revoked = list.revoke(ids, now);
  if (revoked.type === 'unusable') return unusable(revoked.why, output);
  output.say(
    `${countOf(ids.length, 'link')} revoked: what is asked by ${ids.length === 1 ? 'it' : 'them'} from now on is refused.`,
  );
  for (const id of revoked.others)
    output.say(
      `${id} is not kept here: it was made elsewhere, or is another one than you mean. plumbline links lists them.`,
    );
  return exitCode.ok;
}

function unusable(why: string, output: Output): number {
  output.say(`The list of links cannot be used: ${why}.`);
  return exitCode.unavailable;
}
