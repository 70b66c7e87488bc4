import { foreignMessage } from '#lib/foreign-words.ts';
import type { GitRan } from '../program/run-git.ts';

type Failed = Extract<GitRan, { type: 'failed' }>;

/** Words of git, ssh and curl as they are said to people. */
const known: readonly (readonly [RegExp, string])[] = [
  [/No space left on device|Disk quota exceeded|File too large/i, 'the disk is full'],
  [/attempting to allocate/, 'it holds an object that is too large to be read'],
  [/Read-only file system/i, 'its disk may only be read'],
  [/Host key verification failed|REMOTE HOST IDENTIFICATION/i, 'its host has a key that is not in knownHosts'],
  [
    /Permission denied \(|Authentication failed|could not read Username|HTTP (?:code = )?40[13]|error: 40[13]/i,
    'its credentials are not accepted, or it needs some',
  ],
  [
    /repository '[^']*' not found|does not appear to be a git repository|error: 404|Repository not found/i,
    'there is no such repository, or it may not be read: it may have moved',
  ],
  [
    /unable to update url base from redirection|error: 30[12378]/i,
    'it has moved: its host sends elsewhere, which is not followed',
  ],
  [/Could not resolve host/i, 'the name of its host cannot be resolved'],
  [/Connection refused|Failed to connect|couldn't connect/i, 'its host does not take the connection'],
  [/Connection timed out|Operation timed out|Operation too slow|timed out/i, 'its host does not answer in time'],
  [/SSL certificate|certificate/i, 'the certificate of its host is not trusted'],
  [/transport '[^']*' not allowed/i, 'it is fetched by a transport that is not allowed'],
  [/early EOF|unexpected disconnect|hung up|RPC failed|Connection reset/i, 'the connection was cut'],
];

const unreached =
  /Could not resolve host|Connection refused|Failed to connect|couldn't connect|timed out|unreachable|Connection reset/i;

/** True where the host was not spoken to at all: another of its addresses may answer. */
export function isUnreached({ why, words }: Failed): boolean {
  return why === 'too-long' || (why === 'exit' && unreached.test(words));
}

/** Why a fetch failed, as a clause for people: a known failure in words, everything else as git said it, redacted. */
export function failureText(failed: Failed): string {
  switch (failed.why) {
    case 'too-long':
      return 'it takes too long';
    case 'too-large':
      return 'it takes more memory than it may: its host names too much';
    case 'too-much':
      return 'it names more branches and tags than are read';
    case 'stopped':
      return 'it was stopped';
    case 'no-program':
      return 'the git program is not installed here';
    case 'exit': {
      const words = known.find(([pattern]) => pattern.test(failed.words))?.[1];
      if (words !== undefined) return words;
      const line = failed.words.split('\n').find((text) => /^(?:fatal|error): /.test(text)) ?? failed.words;
      return (
        foreignMessage(line.replace(/^(?:fatal|error): /, '').trim()).slice(0, 300) ||
        (failed.code === null ? 'the system ended git' : `git ended with ${failed.code}`)
      );
    }
  }
}
