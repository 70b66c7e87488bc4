import { foreignReason } from '#lib/foreign-words.ts';
import type { GitCommit } from '../port/shapes.ts';
import { wholeHash } from './objects.ts';
import { ownText } from './own-text.ts';
import { pullRequestOf } from './pull-request.ts';

/** Most parents that are told. */
const mostParents = 16;
/** Headers that are looked at, and characters of the longest of their names. */
const looked: ReadonlySet<string> = new Set(['parent', 'author', 'committer', 'encoding', 'gpgsig', 'gpgsig-sha256']);
const longestName = 13;
/** Characters of a message that are looked at. */
const longestMessage = 65_536;
/** Times that are written with four digits of a year (ms). */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59Z');

/** A commit as its object says it. */
export type ReadCommit = Omit<GitCommit, 'tags'>;

/** Reads the object of a commit: headers, an empty line, the message. Whatever a header lacks is empty, a time is 0. */
export function readCommit(sha: string, object: Buffer): ReadCommit {
  const gap = object.indexOf('\n\n');
  const { parents, headers } = readHead(object.subarray(0, gap < 0 ? object.length : gap));
  const message = decoded(gap < 0 ? Buffer.alloc(0) : object.subarray(gap + 2), headers.get('encoding'));
  const subject = subjectOf(message);
  const author = signatureOf(headers.get('author') ?? '');
  return {
    sha,
    parents,
    authoredAt: author.at,
    committedAt: signatureOf(headers.get('committer') ?? '').at,
    author: ownText(foreignReason(author.name)),
    subject: ownText(foreignReason(subject)),
    pullRequest: pullRequestOf(subject, message),
    signed: headers.has('gpgsig') || headers.has('gpgsig-sha256'),
  };
}

/** The first parents, and other headers: of a name the first. A commit may have a hundred thousand lines of either. */
function readHead(head: Buffer): { readonly parents: string[]; readonly headers: ReadonlyMap<string, string> } {
  const parents: string[] = [];
  const headers = new Map<string, string>();
  for (let start = 0, end = 0; start < head.length; start = end + 1) {
    end = head.indexOf(10, start);
    if (end < 0) end = head.length;
    const space = head.indexOf(32, start);
    // What begins with a space goes on with the header before.
    if (space <= start || space >= end || space - start > longestName) continue;
    const name = head.toString('latin1', start, space);
    if (!looked.has(name) || (name === 'parent' && parents.length >= mostParents)) continue;
    const value = head.toString('utf8', space + 1, end);
    if (name === 'parent' && wholeHash.test(value)) parents.push(value);
    else if (!headers.has(name)) headers.set(name, value);
  }
  return { parents, headers };
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
