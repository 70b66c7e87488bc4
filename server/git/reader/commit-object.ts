import { foreignReason } from '#lib/foreign-words.ts';
import type { GitCommit } from '../port/shapes.ts';
import { wholeHash } from './objects.ts';
import { ownText } from './own-text.ts';
import { pullRequestOf } from './pull-request.ts';

/** Most parents that are told. */
const mostParents = 16;
/** Characters of a message that are looked at. */
const longestMessage = 65_536;
/** Times that are written with four digits of a year (ms). */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59Z');

/** A commit as its object says it, with all parents. */
export interface ReadCommit {
  readonly commit: Omit<GitCommit, 'tags'>;
  /** Every parent. */
  readonly parents: readonly string[];
}

/** Reads the object of a commit: headers, an empty line, the message. Whatever a header lacks is empty, a time is 0. */
export function readCommit(sha: string, object: Buffer): ReadCommit {
  const gap = object.indexOf('\n\n');
  const head = object.toString('utf8', 0, gap < 0 ? object.length : gap);
  const parents: string[] = [];
  const headers = new Map<string, string>();
  for (const line of head.split('\n')) {
    const space = line.indexOf(' ');
    // What begins with a space goes on with the header before.
    if (space <= 0) continue;
    const [name, value] = [line.slice(0, space), line.slice(space + 1)];
    if (name === 'parent' && wholeHash.test(value)) parents.push(ownText(value));
    else if (!headers.has(name)) headers.set(name, value);
  }
  const message = decoded(gap < 0 ? Buffer.alloc(0) : object.subarray(gap + 2), headers.get('encoding'));
  const subject = subjectOf(message);
  const author = signatureOf(headers.get('author') ?? '');
  const commit = {
    sha,
    parents: parents.slice(0, mostParents),
    authoredAt: author.at,
    committedAt: signatureOf(headers.get('committer') ?? '').at,
    author: ownText(foreignReason(author.name)),
    subject: ownText(foreignReason(subject)),
    pullRequest: pullRequestOf(subject, message),
    signed: headers.has('gpgsig') || headers.has('gpgsig-sha256'),
  };
  return { commit, parents };
}

/** "Name <address> 1700000000 +0100" */
function signatureOf(line: string): { readonly name: string; readonly at: number } {
  const address = line.indexOf('<');
  const name = (address < 0 ? line : line.slice(0, address)).trim();
  const [, seconds] = /> (-?\d{1,20})(?: |$)/.exec(line.slice(Math.max(0, line.lastIndexOf('>')))) ?? [];
  return { name, at: Math.max(earliest, Math.min(latest, Number(seconds ?? 0) * 1_000)) };
}

/** Its first paragraph as one line, as git tells it. */
function subjectOf(message: string): string {
  const text = message.trimStart();
  const end = /\n[ \t]*\n/.exec(text)?.index ?? text.length;
  return text.slice(0, end).trim().replaceAll('\n', ' ');
}

function decoded(bytes: Buffer, encoding: string | undefined): string {
  const part = bytes.subarray(0, longestMessage);
  try {
    return new TextDecoder(encoding ?? 'utf-8').decode(part);
  } catch {
    // An encoding that nobody knows.
    return part.toString('utf8');
  }
}
